import type { Context } from '#server/context.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import { confirmLeasedJob, type JobRow, leaseJob, updateLeasedJob } from './job-store.ts';
import type { LibraryNotices } from './notices.ts';

/** A worker that shows no sign of life for this long has lost its run. */
const leaseMs = 30_000;
const heartbeatMs = 500;

export type JobChange = Partial<NewRow<'jobRuns'>>;
/** Why a run had to stop before its end. */
export type StopReason = 'cancelled' | 'stopping' | 'lease-lost';

/** The reason a run's signal is aborted with. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`the run was stopped: ${reason}`);
    this.reason = reason;
  }
}

export interface LeaseEnvironment {
  notices: LibraryNotices;
  /** Registers a listener for requests to cancel a run; answers the function that removes it. */
  onCancel(listener: (jobId: string) => void): () => void;
  /** Fires when the process is to end. */
  stopping: AbortSignal;
}

/** Takes the next waiting run for `owner` that is not among `except`; undefined when there is none. */
export async function takeIndexJob(
  ctx: Context,
  owner: string,
  except: string[] = [],
  isExtra = false,
): Promise<JobRow | undefined> {
  const now = ctx.clock.now();
  return leaseJob(ctx.db.query, { owner, now, until: now + leaseMs, except, isExtra });
}

/**
 * A run in hand: progress goes through here, and word to stop comes from here. Keeps the lease alive until released, and watches
 * for cancellation and for the end of the process.
 */
export class JobLease {
  readonly row: JobRow;
  readonly #ctx: Context;
  readonly #environment: LeaseEnvironment;
  readonly #owner: string;
  readonly #controller = new AbortController();
  readonly #released = new AbortController();
  readonly #beating: Promise<void>;
  #reason: StopReason | undefined;
  #pending: JobChange = {};
  #heldUntil: number;
  /** Its end is written, or about to be. */
  #isGivenBack = false;

  constructor(ctx: Context, row: JobRow, environment: LeaseEnvironment) {
    this.#ctx = ctx;
    this.row = row;
    this.#environment = environment;
    this.#owner = row.leaseOwner ?? '';
    this.#heldUntil = row.leaseUntil ?? 0;
    const { stopping, onCancel } = environment;
    const onStopping = () => this.#stop('stopping');
    stopping.addEventListener('abort', onStopping, { once: true });
    if (stopping.aborted) onStopping();
    const stopListening = onCancel((jobId) => {
      if (jobId === row.id) this.#stop('cancelled');
    });
    this.#beating = this.#beat().finally(() => {
      stopListening();
      stopping.removeEventListener('abort', onStopping);
    });
  }

  /** Aborted with RunStopped. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stopReason(): StopReason | undefined {
    return this.#reason;
  }

  /** Remembers a change; written with the next heartbeat. */
  report(change: JobChange): void {
    this.#pending = { ...this.#pending, ...change };
  }

  /** Writes what was reported and `change` at once. Returns false if the run is no longer held here. */
  async write(change: JobChange): Promise<boolean> {
    const now = this.#ctx.clock.now();
    const reported = this.#pending;
    this.#pending = {};
    const heldUntil = now + leaseMs;
    const givesBack = change.leaseOwner === null;
    if (givesBack) this.#isGivenBack = true;
    const lease = givesBack ? {} : { leaseUntil: heldUntil };
    const all = { ...lease, ...reported, ...change, updatedAt: now };
    const written = await updateLeasedJob(this.#ctx.db.query, this.row.id, this.#owner, all).catch((error: unknown) => {
      this.#pending = { ...reported, ...this.#pending };
      if (givesBack) this.#isGivenBack = false;
      throw error;
    });
    if (written === undefined) {
      // A heartbeat beside the last write finds a run that no one has: it was given back, not lost.
      if (givesBack || !this.#isGivenBack) this.#stop('lease-lost');
      return false;
    }
    this.#heldUntil = heldUntil;
    if (written.cancelRequestedAt !== null) this.#stop('cancelled');
    this.#environment.notices.jobChanged(written);
    return true;
  }

  /** Returns the run as it is now; makes a transaction fail unless the run is ours until it commits. */
  async confirm(tx: Transaction): Promise<JobRow> {
    const row = await confirmLeasedJob(tx, this.row.id, this.#owner, this.#ctx.clock.now());
    if (row !== undefined) return row;
    this.#stop('lease-lost');
    throw new RunStopped('lease-lost');
  }

  /** Ends the heartbeat. */
  async release(): Promise<void> {
    this.#released.abort();
    await this.#beating;
  }

  #stop(why: StopReason): void {
    this.#reason ??= why;
    this.#controller.abort(new RunStopped(why));
  }

  async #beat(): Promise<void> {
    const { clock, log } = this.#ctx;
    const { signal } = this.#released;
    while (!signal.aborted) {
      await clock.sleep(heartbeatMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.write({});
      } catch (error) {
        // A database that is away for a moment takes nothing from us; one that is away for longer gives the run to others.
        log.warn({ err: error }, 'progress of a run could not be written');
        if (clock.now() >= this.#heldUntil - heartbeatMs) this.#stop('lease-lost');
      }
    }
  }
}
