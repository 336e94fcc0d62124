import { rateLimited } from '#server/app-error.ts';
import { type AuditEntry, recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { countAttemptsIn } from './rate-limits.ts';

/**
 * Writes the audit row of a change that the acting person can repeat at will, such as a new name. Refuses (`rate-limited`) the change
 * after too many in a day, so that no one fills the log. What ends something or protects an account uses `recordAudit`: it is never
 * refused, and there is no more of it than of what began before.
 */
export async function recordChange(
  tx: Transaction,
  now: number,
  entry: AuditEntry & { actorUserId: string },
): Promise<void> {
  const seconds = await countAttemptsIn(tx, now, [['repeated-change', entry.actorUserId]]);
  if (seconds !== undefined) throw rateLimited(seconds);
  await recordAudit(tx, now, entry);
}
