import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Queries } from './database.ts';

/** Clocks of processes may differ by so much. */
const slackMs = 10 * 60_000;
/** A clock that is behind after a boot is synchronized sooner. */
const steadyMs = 6 * 3_600_000;

/**
 * Returns the condition that a stored time has come. So has one further ahead than `mostMs`, the longest that it is put off by: it was
 * written while the clock was ahead, and its row would be held up for as long as that.
 */
export function hasCome(column: string, now: number, mostMs: number): RawBuilder<SqlBool> {
  return sql`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${now + mostMs + slackMs})`;
}

/** The same for a time that was read. */
export function isOver(time: number, now: number, mostMs: number): boolean {
  return time <= now || time > now + mostMs + slackMs;
}

/** Returns true if a time at which something was written is ahead of this clock: it was written while the clock was ahead. */
export function isAhead(writtenAt: number, now: number): boolean {
  return writtenAt > now + slackMs;
}

/**
 * Has what was made while the clock was ahead end as if it were made now: rows of a table whose `expires_at` is further ahead than
 * `mostMs`, the longest that such a row may last.
 */
export async function endInTime(
  db: Queries,
  table: string,
  { now, mostMs, only = sql<SqlBool>`1 = 1` }: { now: number; mostMs: number; only?: RawBuilder<SqlBool> },
): Promise<void> {
  const isTooLate = sql`expires_at > ${now + mostMs + slackMs}`;
  await sql`update ${sql.table(table)} set expires_at = ${now + mostMs} where ${isTooLate} and ${only}`.execute(db);
}

/**
 * Returns the work of a scheduled job, which is done once the clock has gone evenly for six hours: until then it may itself be behind,
 * as after a boot, and rows that look too late are right.
 */
export function onceSteady<Given>(
  clock: Pick<Clock, 'now' | 'elapsed'>,
  work: (given: Given) => Promise<void>,
): (given: Given) => Promise<void> {
  const read = () => ({ now: clock.now(), elapsed: clock.elapsed() });
  let last = read();
  let steadySince = last.elapsed;
  return async (given) => {
    const { now, elapsed } = read();
    if (Math.abs(now - last.now - (elapsed - last.elapsed)) > slackMs) steadySince = elapsed;
    last = { now, elapsed };
    if (elapsed - steadySince >= steadyMs) await work(given);
  };
}
