import type { Context } from '#server/context.ts';
import { type AccountDeletion, eraseAccount } from './delete-account.ts';
import { listDeletedAccounts } from './erasure-store.ts';
import { findUser } from './store.ts';

/**
 * Deletes accounts again that were deleted after the backup was made whose rows are served now, and notes deletions that
 * a process did not come to note. For the start, before anyone is answered. Answers how many were deleted; one that
 * others depend on by now is logged and skipped.
 */
export async function replayErasures(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  deletion: AccountDeletion,
): Promise<number> {
  const { record } = deletion;
  if (record === undefined) return 0;
  const noted = await record.list();
  const known = new Set(noted.map(({ userId }) => userId));
  await record.add([...noted, ...(await listDeletedAccounts(ctx.db.query))]);
  let count = 0;
  for (const userId of known) {
    if ((await findUser(ctx.db.query, userId)) === undefined) continue;
    try {
      await eraseAccount(ctx, userId, { ...deletion, record: { list: record.list, add: async () => undefined } });
      count += 1;
    } catch (error) {
      ctx.log.error({ err: error, userId }, 'an account that was deleted is back and could not be deleted again');
    }
  }
  if (count > 0) ctx.log.warn({ count }, 'accounts that were deleted after the backup was made were deleted again');
  return count;
}
