import { sql } from 'kysely';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';
import type { LatencyCount } from './latency-counts.ts';

export type SampleRow = Row<'statusSamples'>;
export type LatencyRow = Row<'statusLatency'>;
type Resolution = SampleRow['resolution'];

/** Rows per statement: well below the number of values that either database accepts. */
const rowsAtOnce = 500;

/** Adds to existing rows, so that several processes, or repeated minutes, do not overwrite each other. */
export async function addSamples(tx: Transaction, rows: NewRow<'statusSamples'>[]): Promise<void> {
  for (const part of inParts(rows)) {
    await tx
      .insertInto('statusSamples')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['resolution', 'at', 'part', 'process']).doUpdateSet((expression) => ({
          good: expression('statusSamples.good', '+', expression.ref('excluded.good')),
          impaired: expression('statusSamples.impaired', '+', expression.ref('excluded.impaired')),
          bad: expression('statusSamples.bad', '+', expression.ref('excluded.bad')),
          tookMs: expression('statusSamples.tookMs', '+', expression.ref('excluded.tookMs')),
          // A repeated minute counts once; hours sum up minutes that are deleted then.
          minutes: sql<number>`case when excluded.resolution = 'minute' then 1
            else status_samples.minutes + excluded.minutes end`,
        })),
      )
      .execute();
  }
}

/** Adds counted calls in the same way. */
export async function addLatency(tx: Transaction, rows: NewRow<'statusLatency'>[]): Promise<void> {
  for (const part of inParts(rows)) {
    await tx
      .insertInto('statusLatency')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['resolution', 'at', 'kind', 'bucket']).doUpdateSet((expression) => ({
          calls: expression('statusLatency.calls', '+', expression.ref('excluded.calls')),
          errors: expression('statusLatency.errors', '+', expression.ref('excluded.errors')),
        })),
      )
      .execute();
  }
}

function* inParts<Item>(rows: Item[]): Iterable<Item[]> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) yield rows.slice(from, from + rowsAtOnce);
}

/** Removes and returns minutes before `before`; each is returned to only one caller. */
export async function takeOldSamples(tx: Transaction, before: number): Promise<SampleRow[]> {
  return tx
    .deleteFrom('statusSamples')
    .where('resolution', '=', 'minute')
    .where('at', '<', before)
    .returningAll()
    .execute();
}

export async function takeOldLatency(tx: Transaction, before: number): Promise<LatencyRow[]> {
  return tx
    .deleteFrom('statusLatency')
    .where('resolution', '=', 'minute')
    .where('at', '<', before)
    .returningAll()
    .execute();
}

/** Deletes rows older than `before`, and those after `after`, which were written while a clock was ahead. */
export async function deleteOutside(
  tx: Transaction,
  { before, after }: { before: number; after: number },
): Promise<void> {
  for (const table of ['statusSamples', 'statusLatency'] as const) {
    await tx
      .deleteFrom(table)
      .where((where) => where.or([where('at', '<', before), where('at', '>', after)]))
      .execute();
  }
}

/** Returns the minutes from `from` to `to`, both included. */
export async function listMinutes(db: Queries, { from, to }: { from: number; to: number }): Promise<SampleRow[]> {
  return db
    .selectFrom('statusSamples')
    .selectAll()
    .where('resolution', '=', 'minute')
    .where('at', '>=', from)
    .where('at', '<=', to)
    .orderBy('at', 'desc')
    .execute();
}

export interface DayOfPart {
  part: string;
  /** Start of the day, in UTC. */
  day: number;
  good: number;
  impaired: number;
  bad: number;
  /** Number of minutes with checks. */
  minutes: number;
  firstAt: number;
}

const dayMs = 86_400_000;

/** Returns the checks' results by day; days without checks are missing. */
export async function sumDays(db: Queries, { from, to }: { from: number; to: number }): Promise<DayOfPart[]> {
  const sums = [...(await sumDaysOf(db, 'minute', { from, to })), ...(await sumDaysOf(db, 'hour', { from, to }))];
  const days = new Map<string, DayOfPart>();
  for (const sum of sums) {
    const key = `${sum.part} ${sum.day}`;
    const known = days.get(key);
    days.set(key, known === undefined ? sum : together(known, sum));
  }
  return [...days.values()];
}

function together(a: DayOfPart, b: DayOfPart): DayOfPart {
  return {
    ...a,
    good: a.good + b.good,
    impaired: a.impaired + b.impaired,
    bad: a.bad + b.bad,
    minutes: a.minutes + b.minutes,
    firstAt: Math.min(a.firstAt, b.firstAt),
  };
}

async function sumDaysOf(
  db: Queries,
  resolution: Resolution,
  { from, to }: { from: number; to: number },
): Promise<DayOfPart[]> {
  const minutes = resolution === 'minute' ? sql`count(distinct at)` : sql`sum(minutes)`;
  const { rows } = await sql<DayOfPart>`
    select part, at - at % ${sql.lit(dayMs)} as day, sum(good) as good, sum(impaired) as impaired, sum(bad) as bad,
      ${minutes} as minutes, min(at) as first_at
    from status_samples
    where resolution = ${resolution} and at >= ${from} and at <= ${to}
    group by part, at - at % ${sql.lit(dayMs)}`.execute(db);
  return rows;
}

/** Returns counted calls in slots of `stepMs`, from minutes and hours together. */
export async function sumLatency(
  db: Queries,
  { from, to, stepMs }: { from: number; to: number; stepMs: number },
): Promise<LatencyCount[]> {
  const step = sql.lit(stepMs);
  const { rows } = await sql<LatencyCount>`
    select kind, at - at % ${step} as at, bucket, sum(calls) as calls, sum(errors) as errors
    from status_latency
    where at >= ${from} and at <= ${to}
    group by kind, at - at % ${step}, bucket`.execute(db);
  return rows;
}
