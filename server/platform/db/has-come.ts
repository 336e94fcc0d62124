import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Queries } from './database.ts';

/** Tolerated difference between the clocks of processes. */
const slackMs = 10 * 60_000;
/** A clock that is behind after a boot is synchronized within this time. */
const steadyMs = 6 * 3_600_000;

/**
 * Returns the condition that a stored time has been reached. Times further ahead than `mostMs`, the longest possible
 * delay, count as reached too: they were written while the clock was ahead and would block their row.
 */
export function hasCome(column: string, now: number, mostMs: number): RawBuilder<SqlBool> {
  return sql`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${now + mostMs + slackMs})`;
}

/** Same as `hasCome`, for a time already read. */
export function isOver(time: number, now: number, mostMs: number): boolean {
  return time <= now || time > now + mostMs + slackMs;
}

/** Returns true if a row's time of writing is in the future, which means it was written while the clock was ahead. */
export function isAhead(writtenAt: number, now: number): boolean {
  return writtenAt > now + slackMs;
}

/**
 * Corrects rows written while the clock was ahead: limits an `expires_at` more than `mostMs` ahead, the longest
 * lifetime, to that from now.
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
 * Wraps a scheduled job so that it runs only after the clock has run steadily for six hours: before, the clock may be
 * behind, as after a boot, and rows that seem too late are correct.
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
