import { type StatusPart, statusParts } from '#contract/status-parts.ts';
import type { Context } from '#server/context.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import type { LatencyCount, LatencyCounts } from './latency-counts.ts';
import { addLatency, addSamples, type SampleRow } from './store.ts';

type Outcome = 'good' | 'impaired' | 'bad';

/** Looks at one part. Rejects when the part does not do what it should; says so itself when it does it badly. */
export interface Probe {
  part: StatusPart;
  /** `skipped`: there is nothing to look at. */
  run(ctx: Context): Promise<'good' | 'impaired' | 'skipped'>;
}

/** What one process looks with, and what it has not written yet. */
export interface Sampling {
  /** Tells this process from others; says nothing about the machine. */
  process: string;
  probes: Probe[];
  latency: LatencyCounts;
  pending: NewRow<'statusSamples'>[];
  /** What each part was found to be last, so that the log reports changes alone. */
  last: Map<StatusPart, Outcome>;
  /** The newest samples of this process, which hold also where the database cannot be written to. */
  recent: Map<StatusPart, SampleRow>;
  /** Parts that other processes of the installation look at. */
  elsewhere: readonly StatusPart[];
}

const minuteMs = 60_000;
/** What takes longer has failed. */
const probeTimeoutMs = 10_000;
/** Fewer calls than this say nothing about the search. */
const callsToJudge = 3;
const failingShare = 0.2;
/** Samples kept while the database cannot take them: two hours of every part. */
const pendingMax = 120 * Object.keys(statusParts).length;

/**
 * Looks once at every part that is due, and adds what was found, with the calls counted since last time, to the minute it is. A
 * database that cannot be written to gets it later: what was found is kept. Never rejects. With `stopping` what is not
 * found by then is not waited for.
 */
export async function measureStatus(ctx: Context, sampling: Sampling, stopping?: AbortSignal): Promise<void> {
  const now = ctx.clock.now();
  const at = now - (now % minuteMs);
  const failedBefore = new Set([...sampling.last].filter(([, outcome]) => outcome === 'bad').map(([part]) => part));
  const due = sampling.probes.filter(({ part }) => isDue(part, at, sampling));
  const found = await Promise.all(due.map((probe) => look(ctx, probe, sampling, stopping)));
  const failing = failingCalls(sampling.latency.peek(), now);
  // Calls that failed outweigh a check that succeeded.
  const isOutweighed = ({ part }: Sample) => part === failing?.part;
  // A part that fails is looked at each minute so that its recovery is seen; it counts as often as any other.
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

/** Searches of people that fail say more than the one that we try: they charge, and write. */
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
  // Not what the check alone found: calls that failed and writes that were refused count too.
  return [...last.keys()].flatMap((part) => {
    const row = recent.get(part);
    if (row === undefined) return [];
    return [[part, row.bad > 0 ? 0 : row.impaired > 0 ? 0.5 : 1]];
  });
}

/** Every so many minutes of the clock, so that processes look together; once at the start, and while it fails. */
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

/** Adds what was found and counted to the database; keeps it for the next time when that fails. */
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
      // A minute of statistics is not worth waiting for the disk.
      { durability: 'process' },
    );
  await write().catch((error: unknown) => {
    const isNews = sampling.recent.get('database')?.bad !== 1;
    if (isNews) ctx.log.error({ err: error }, 'what the checks found could not be written down');
    // It answers questions, and takes nothing down: a full disk looks like this.
    const now = ctx.clock.now();
    const sample = { part: 'database', outcome: 'bad', tookMs: 0 } as const;
    remember(sampling, rowOf(sample, now - (now % minuteMs), sampling.process));
    sampling.pending.unshift(...samples.slice(-pendingMax));
    sampling.latency.giveBack(counts);
  });
}

/** One statement may not change a row twice: a minute that came twice is added up here. */
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
