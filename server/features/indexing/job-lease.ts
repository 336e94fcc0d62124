import type { Context } from '#server/context.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import { confirmLeasedJob, type JobRow, leaseJob, updateLeasedJob } from './job-store.ts';
import type { LibraryNotices } from './notices.ts';

/** A worker that does not renew its lease for this long loses the run. */
const leaseMs = 30_000;
const heartbeatMs = 500;

export type JobChange = Partial<NewRow<'jobRuns'>>;
/** The reason why a run must stop early. */
export type StopReason = 'cancelled' | 'stopping' | 'lease-lost';

/** The abort reason of a run's signal. */
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
  /** Registers a listener for requests to cancel a run; returns a function that removes it. */
  onCancel(listener: (jobId: string) => void): () => void;
  /** Fires when the process is shutting down. */
  stopping: AbortSignal;
}

/** Leases the next waiting run, excluding `except`, to `owner`; undefined if there is none. */
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
 * The lease of a run: writes its progress and signals when it must stop. Renews the lease until released, and watches
 * for cancellation and shutdown.
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
  /** True once the run's end is written, or is being written. */
  #isGivenBack = false;
  /** Resolves when all writes so far have ended. */
  #lastWrite: Promise<unknown> = Promise.resolve();

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

  /** Aborted with RunStopped when the run must stop. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stopReason(): StopReason | undefined {
    return this.#reason;
  }

  /** Queues a change, which is written with the next heartbeat. */
  report(change: JobChange): void {
    this.#pending = { ...this.#pending, ...change };
  }

  /**
   * Writes `change` and all queued changes at once, after earlier writes have ended: on another connection a heartbeat's
   * older counts could come last. Returns false if the lease is lost.
   */
  write(change: JobChange): Promise<boolean> {
    const written = this.#lastWrite.then(() => this.#writeNow(change));
    this.#lastWrite = written.catch(() => undefined);
    return written;
  }

  async #writeNow(change: JobChange): Promise<boolean> {
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
      // A heartbeat concurrent with the last write finds no owner: the run was given back, not lost.
      if (givesBack || !this.#isGivenBack) this.#stop('lease-lost');
      return false;
    }
    this.#heldUntil = heldUntil;
    if (written.cancelRequestedAt !== null) this.#stop('cancelled');
    this.#environment.notices.jobChanged(written);
    return true;
  }

  /** Returns the run's current row; throws unless the lease is ours, and keeps it so until the transaction commits. */
  async confirm(tx: Transaction): Promise<JobRow> {
    const row = await confirmLeasedJob(tx, this.row.id, this.#owner, this.#ctx.clock.now());
    if (row !== undefined) return row;
    this.#stop('lease-lost');
    throw new RunStopped('lease-lost');
  }

  /** Stops the heartbeat. */
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
        // A short database outage does not cost us the lease; during a longer one it expires and other workers can take
        // the run.
        log.warn({ err: error }, 'progress of a run could not be written');
        if (clock.now() >= this.#heldUntil - heartbeatMs) this.#stop('lease-lost');
      }
    }
  }
}
