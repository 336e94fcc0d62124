import { statusKept } from '#contract/status.ts';
import type { Context } from '#server/context.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import {
  addLatency,
  addSamples,
  deleteOutside,
  type LatencyRow,
  type SampleRow,
  takeOldLatency,
  takeOldSamples,
} from './store.ts';

const hourMs = 3_600_000;
/** Samples from clocks ahead by up to this are kept. */
const aheadMs = hourMs;

/**
 * Aggregates minutes older than two days into hours, whole hours at a time, and deletes those older than ninety days.
 * Minutes are removed and added in one transaction, so that several processes can do this concurrently.
 */
export async function pruneStatus(ctx: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = ctx.clock.now();
  const minutesUntil = startOfHour(now - statusKept.minutesHours * hourMs);
  const hoursUntil = startOfHour(now - statusKept.hoursDays * 24 * hourMs);
  await ctx.db.transaction(
    async (tx) => {
      await deleteOutside(tx, { before: hoursUntil, after: now + aheadMs });
      await addSamples(tx, hoursOfSamples(await takeOldSamples(tx, minutesUntil)));
      await addLatency(tx, hoursOfLatency(await takeOldLatency(tx, minutesUntil)));
    },
    { durability: 'process' },
  );
}

function startOfHour(at: number): number {
  return at - (at % hourMs);
}

function hoursOfSamples(minutes: SampleRow[]): NewRow<'statusSamples'>[] {
  const hours = new Map<string, { part: string; at: number; rows: SampleRow[] }>();
  for (const row of minutes) {
    const at = startOfHour(row.at);
    const key = `${at} ${row.part}`;
    const hour = hours.get(key) ?? { part: row.part, at, rows: [] };
    hour.rows.push(row);
    hours.set(key, hour);
  }
  return [...hours.values()].map(({ part, at, rows }) => ({
    ...{ resolution: 'hour', at, part, process: '' },
    good: total(rows, 'good'),
    impaired: total(rows, 'impaired'),
    bad: total(rows, 'bad'),
    tookMs: total(rows, 'tookMs'),
    minutes: new Set(rows.map((row) => row.at)).size,
  }));
}

function total(rows: SampleRow[], name: 'good' | 'impaired' | 'bad' | 'tookMs'): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}

function hoursOfLatency(minutes: LatencyRow[]): NewRow<'statusLatency'>[] {
  const hours = new Map<string, NewRow<'statusLatency'> & { calls: number; errors: number }>();
  for (const { kind, bucket, calls, errors, at: minute } of minutes) {
    const at = startOfHour(minute);
    const key = `${at} ${kind} ${bucket}`;
    const known = hours.get(key);
    if (known === undefined) hours.set(key, { resolution: 'hour', at, kind, bucket, calls, errors });
    else hours.set(key, { ...known, calls: known.calls + calls, errors: known.errors + errors });
  }
  return [...hours.values()];
}
