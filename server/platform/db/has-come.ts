import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Clocks of processes may differ by so much. */
const slackMs = 10 * 60_000;

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
