import { sql } from 'kysely';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';

export type SampleRow = Row<'statusSamples'>;
export type LatencyRow = Row<'statusLatency'>;
type Resolution = SampleRow['resolution'];

/** Rows of one statement: well below the number of values that either database takes. */
const rowsAtOnce = 500;

/** Adds to what is there, so that processes, and minutes that come twice, do not write over each other. */
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
          // A minute that comes twice is one minute; hours are added up from minutes that are gone then.
          minutes: sql<number>`case when excluded.resolution = 'minute' then 1
            else status_samples.minutes + excluded.minutes end`,
        })),
      )
      .execute();
  }
}

/** The same for counted calls. */
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

/** Takes minutes before `before` out of the table. Each is given to one caller alone. */
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

/** Forgets what is older than `before`, and what a clock that was ahead has written after `after`. */
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

/** Minutes from `from` to `to`, both included. */
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
  /** Where the day begins, in UTC. */
  day: number;
  good: number;
  impaired: number;
  bad: number;
  /** In how many minutes someone looked. */
  minutes: number;
  firstAt: number;
}

const dayMs = 86_400_000;

/** What the checks found, day by day; days without any are not in it. */
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

export interface CountedSlot {
  kind: 'search' | 'read';
  at: number;
  bucket: number;
  calls: number;
  errors: number;
}

/** Counted calls in slots of `stepMs`, minutes and hours together. */
export async function sumLatency(
  db: Queries,
  { from, to, stepMs }: { from: number; to: number; stepMs: number },
): Promise<CountedSlot[]> {
  const step = sql.lit(stepMs);
  const { rows } = await sql<CountedSlot>`
    select kind, at - at % ${step} as at, bucket, sum(calls) as calls, sum(errors) as errors
    from status_latency
    where at >= ${from} and at <= ${to}
    group by kind, at - at % ${step}, bucket`.execute(db);
  return rows;
}
