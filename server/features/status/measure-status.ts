import { type StatusPart, statusParts } from '#contract/status-parts.ts';
import type { Context } from '#server/context.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import type { LatencyCount, LatencyCounts } from './latency-counts.ts';
import { addLatency, addSamples, type SampleRow } from './store.ts';

type Outcome = 'good' | 'impaired' | 'bad';

/** Checks a part. Rejects if the part does not work; returns `impaired` if it works badly. */
export interface Probe {
  part: StatusPart;
  /** `skipped`: there is nothing to check. */
  run(ctx: Context): Promise<'good' | 'impaired' | 'skipped'>;
}

/** A process's probes, and its results that are not written yet. */
export interface Sampling {
  /** Distinguishes this process from others without revealing the machine. */
  process: string;
  probes: Probe[];
  latency: LatencyCounts;
  pending: NewRow<'statusSamples'>[];
  /** Last result of each part, so that only changes are logged. */
  last: Map<StatusPart, Outcome>;
  /** This process's newest samples, valid even if the database cannot be written to. */
  recent: Map<StatusPart, SampleRow>;
  /** Parts that other processes of the installation check. */
  elsewhere: readonly StatusPart[];
}

const minuteMs = 60_000;
/** A probe that takes longer has failed. */
const probeTimeoutMs = 10_000;
/** With fewer calls, failing calls are not considered. */
const callsToJudge = 3;
const failingShare = 0.2;
/** Samples kept while the database is unavailable: two hours of all parts. */
const pendingMax = 120 * Object.keys(statusParts).length;

/**
 * Checks all due parts once, and adds the results and the calls counted since last time to the current minute. If the
 * database cannot be written to, results are kept for later. Never rejects. When `stopping` aborts, unfinished checks
 * are abandoned.
 */
export async function measureStatus(ctx: Context, sampling: Sampling, stopping?: AbortSignal): Promise<void> {
  const now = ctx.clock.now();
  const at = now - (now % minuteMs);
  const failedBefore = new Set([...sampling.last].filter(([, outcome]) => outcome === 'bad').map(([part]) => part));
  const due = sampling.probes.filter(({ part }) => isDue(part, at, sampling));
  const found = await Promise.all(due.map((probe) => look(ctx, probe, sampling, stopping)));
  const failing = failingCalls(sampling.latency.peek(), now);
  // Failed calls outweigh a successful check.
  const isOutweighed = ({ part }: Sample) => part === failing?.part;
  // A failing part is checked every minute, to notice its recovery; such extra checks do not count.
  const isEarly = ({ part, outcome }: Sample) => outcome === 'bad' && !dueByClock(part, at) && failedBefore.has(part);
  const checked = found.flatMap((sample) =>
    sample === undefined || isOutweighed(sample) || isEarly(sample) ? [] : [sample],
  );
  const samples = failing === undefined ? checked : [...checked, failing];
  const rows = inOneRowEach(samples.map((sample) => rowOf(sample, at, sampling.process)));
  for (const row of rows) remember(sampling, row);
  sampling.pending.push(...rows);
  await writeSamples(ctx, sampling);
}

/** Judges search by users' calls, which reveal more than the probe: they also charge and write. */
function failingCalls(counts: LatencyCount[], now: number): Sample | undefined {
  const searches = counts.filter(({ kind, at }) => kind === 'search' && at > now - 2 * minuteMs);
  const calls = searches.reduce((sum, count) => sum + count.calls, 0);
  const errors = searches.reduce((sum, count) => sum + count.errors, 0);
  if (calls < callsToJudge || errors < calls * failingShare) return undefined;
  return { part: 'search', outcome: errors === calls ? 'bad' : 'impaired', tookMs: 0 };
}

function remember({ recent }: Sampling, row: NewRow<'statusSamples'>): void {
  const { good = 0, impaired = 0, bad = 0, tookMs = 0, minutes = 1 } = row;
  recent.set(row.part as StatusPart, { ...row, good, impaired, bad, tookMs, minutes });
}

/** Returns what the status page says of what this process measured, as numbers: 1 good, 0.5 impaired, 0 bad. */
export function partValues({ last, recent }: Sampling): [StatusPart, number][] {
  // Based on samples rather than check results, to include failed calls and refused writes.
  return [...last.keys()].flatMap((part) => {
    const row = recent.get(part);
    if (row === undefined) return [];
    return [[part, row.bad > 0 ? 0 : row.impaired > 0 ? 0.5 : 1]];
  });
}

/**
 * Returns true at fixed minutes of the clock, so that all processes check together; also at the start, and while the
 * part fails.
 */
function isDue(part: StatusPart, at: number, { last }: Sampling): boolean {
  return !last.has(part) || last.get(part) === 'bad' || dueByClock(part, at);
}

function dueByClock(part: StatusPart, at: number): boolean {
  return (at / minuteMs) % statusParts[part].everyMinutes === 0;
}

interface Sample {
  part: StatusPart;
  outcome: Outcome;
  tookMs: number;
}

async function look(
  ctx: Context,
  { part, run }: Probe,
  { last }: Sampling,
  stopping: AbortSignal | undefined,
): Promise<Sample | undefined> {
  const startedAt = performance.now();
  const ended = new AbortController();
  const signal = stopping === undefined ? ended.signal : AbortSignal.any([stopping, ended.signal]);
  let fault: unknown;
  const outcome = await Promise.race([run(ctx), ctx.clock.sleep(probeTimeoutMs, signal).then(tooLong)])
    .catch((error: unknown) => {
      fault = error;
      return stopping?.aborted === true ? ('skipped' as const) : ('bad' as const);
    })
    .finally(() => ended.abort());
  if (outcome === 'skipped') {
    last.delete(part);
    return undefined;
  }
  const tookMs = Math.round(performance.now() - startedAt);
  const judged = outcome === 'good' && tookMs > statusParts[part].slowMs ? 'impaired' : outcome;
  const before = last.get(part);
  last.set(part, judged);
  if (judged === 'bad' && before !== 'bad') ctx.log.error({ err: fault, part }, 'a check of the status failed');
  if (judged !== 'bad' && before === 'bad') ctx.log.info({ part }, 'a check of the status succeeds again');
  return { part, outcome: judged, tookMs };
}

function tooLong(): never {
  throw new Error(`no answer within ${probeTimeoutMs / 1_000} s`);
}

function rowOf({ part, outcome, tookMs }: Sample, at: number, process: string): NewRow<'statusSamples'> {
  const counts = { good: 0, impaired: 0, bad: 0, [outcome]: 1 };
  return { resolution: 'minute', at, part, process, ...counts, tookMs, minutes: 1 };
}

/** Writes results and counts to the database; keeps them for the next time if that fails. */
export async function writeSamples(ctx: Context, sampling: Sampling): Promise<void> {
  const samples = sampling.pending.splice(0);
  const counts = sampling.latency.take();
  if (samples.length === 0 && counts.length === 0) return;
  const write = () =>
    ctx.db.transaction(
      async (tx) => {
        await addSamples(tx, inOneRowEach(samples));
        await addLatency(
          tx,
          counts.map((count) => ({ resolution: 'minute', ...count })),
        );
      },
      // Statistics do not need to wait for the disk.
      { durability: 'process' },
    );
  await write().catch((error: unknown) => {
    const isNews = sampling.recent.get('database')?.bad !== 1;
    if (isNews) ctx.log.error({ err: error }, 'the results of the checks could not be written');
    // The database answers queries but accepts no writes, as on a full disk.
    const now = ctx.clock.now();
    const sample = { part: 'database', outcome: 'bad', tookMs: 0 } as const;
    remember(sampling, rowOf(sample, now - (now % minuteMs), sampling.process));
    sampling.pending.unshift(...samples.slice(-pendingMax));
    sampling.latency.giveBack(counts);
  });
}

/** Merges samples of the same minute, since a statement cannot update a row twice. */
function inOneRowEach(samples: NewRow<'statusSamples'>[]): NewRow<'statusSamples'>[] {
  const rows = new Map<string, NewRow<'statusSamples'>>();
  for (const sample of samples) {
    const key = `${sample.at} ${sample.part}`;
    const known = rows.get(key);
    rows.set(
      key,
      known === undefined
        ? sample
        : {
            ...sample,
            good: (known.good ?? 0) + (sample.good ?? 0),
            impaired: (known.impaired ?? 0) + (sample.impaired ?? 0),
            bad: (known.bad ?? 0) + (sample.bad ?? 0),
            tookMs: (known.tookMs ?? 0) + (sample.tookMs ?? 0),
          },
    );
  }
  return [...rows.values()];
}
