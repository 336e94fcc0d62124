import { sql } from 'kysely';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { ErasureRecord } from '#server/platform/erasure-record.ts';
import { forgetMailsTo } from '#server/platform/mail/lasting-mailer.ts';
import { announcePeople, announceSession } from './announce-session.ts';
import { requireOwnPassword } from './change-password.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { deleteUser } from './identity-store.ts';
import { requirePerson } from './policy.ts';
import { findWebSessionById } from './session-store.ts';
import { findUser } from './store.ts';
import { actingUser } from './web-session.ts';

/** Steps that features above accounts take when an account is deleted, within the same transaction. */
export interface AccountDeletion {
  /** Throws an AppError if others depend on the account, for example a team whose last admin it is. */
  requireNoDependants(tx: Transaction, userId: string): Promise<void>;
  /** Removes the user from data shared with others, while the row still exists. */
  leaving(tx: Transaction, userId: string, now: number): Promise<void>;
  /** Deletes or anonymizes the user's data, after the row is deleted. */
  deleted(tx: Transaction, userId: string, now: number): Promise<void>;
  /** Records deletions, so that they can be repeated after restoring an older backup. */
  record?: ErasureRecord;
}

/**
 * Deletes the caller's account with its sessions, identities, codes and keys, and the data that `deletion` covers.
 * Requires the password, or a sign-in within the last five minutes. Throws for an operator's account. A second call
 * finds no account.
 */
export async function deleteAccount(
  ctx: Context,
  input: { password?: string },
  deps: Pick<IdentityDependencies, 'passwords' | 'mails' | 'background'> & { deletion: AccountDeletion },
): Promise<void> {
  const userId = requirePerson(ctx);
  const user = await actingUser(ctx);
  if (user === undefined) throw new AppError('unauthenticated');
  if (user.isOperator === 1) throw new AppError('operator-not-deletable');
  if (input.password !== undefined) await requireOwnPassword(ctx, input.password, deps);
  else await requireRecentSignIn(ctx, userId);
  await eraseAccount(ctx, userId, deps.deletion);
  const { email } = user;
  if (email !== null)
    deps.background.run('the mail about a deleted account', () => deps.mails.sendAccountDeleted(email));
}

/**
 * Deletes an account and its data in one transaction, then records the deletion. Throws the errors of `deletion`, and
 * `unauthenticated` if the account is gone.
 */
export async function eraseAccount(
  ctx: Pick<Context, 'db' | 'clock'>,
  userId: string,
  deletion: AccountDeletion,
  /** The operator who deletes it; null for its owner or the system. */
  operatorId: string | null = null,
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await deletion.requireNoDependants(tx, userId);
    await deletion.leaving(tx, userId, now);
    await forgetInAudit(tx, userId);
    const address = (await findUser(tx, userId))?.email ?? null;
    if (address !== null) await forgetMailsTo(tx, address);
    // Deleted before the rest, so that concurrent writes for this account have either finished or find it gone.
    if (!(await deleteUser(tx, userId))) throw new AppError('unauthenticated');
    await deletion.deleted(tx, userId, now);
    await recordAudit(tx, now, { actorUserId: operatorId, action: 'account.delete', entityId: userId });
    announceSession(tx, userId);
    await announcePeople(tx);
  });
  await deletion.record?.add([{ userId, at: now }]);
}

async function requireRecentSignIn(ctx: Context, userId: string): Promise<void> {
  const sessionId = ctx.actor.kind === 'user' ? ctx.actor.sessionId : undefined;
  const now = ctx.clock.now();
  const session = sessionId === undefined ? undefined : await findWebSessionById(ctx.db.query, userId, sessionId, now);
  // Ended since the request began, for example because the account was deleted.
  if (sessionId !== undefined && session === undefined) throw new AppError('unauthenticated');
  const since = now - limits.recentSignInMinutes * 60_000;
  if (session === undefined || session.createdAt <= since) throw new AppError('recent-sign-in-needed');
}

/**
 * Repeats deletions that happened after the restored backup was made, and records those that a process failed to
 * record. Runs at startup, before any request is served. Returns how many accounts were deleted; an account that others
 * depend on now is logged and skipped.
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

const emptyDetail = '{}';
/** Replaces the email address of a deleted user. */
const goneAddress = '[deleted]';

/**
 * Removes a user from the audit log: the details of their own actions, and their email address in the details of
 * others' actions. The entries stay. Must run before the account is deleted, while rows still name the actor.
 */
async function forgetInAudit(db: Queries, userId: string): Promise<void> {
  await db
    .updateTable('auditLog')
    .set({ detail: emptyDetail })
    .where('actorUserId', '=', userId)
    .where('teamId', 'is', null)
    .execute();
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  if (user === undefined || user.email === null) return;
  const { email } = user;
  await db
    .updateTable('auditLog')
    .set({ detail: sql`replace(detail, ${email}, ${goneAddress})` })
    .where('detail', 'like', `%${email}%`)
    .execute();
}

/** Returns the deleted accounts from the audit log. */
export async function listDeletedAccounts(db: Queries): Promise<{ userId: string; at: number }[]> {
  const rows = await db
    .selectFrom('auditLog')
    .select(['entityId', 'createdAt'])
    .where('action', '=', 'account.delete')
    .orderBy('createdAt')
    .execute();
  return rows.map(({ entityId, createdAt }) => ({ userId: entityId, at: createdAt }));
}
