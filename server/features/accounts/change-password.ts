import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { announceSession } from './announce-session.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { deleteActionCodes, findPassword, holdPassword, putPassword } from './identity-store.ts';
import { requireNewPassword } from './passwords.ts';
import { requirePerson } from './policy.ts';
import { type Attempt, requireWithinLimits, takeBack } from './rate-limits.ts';
import { deleteWebSessions } from './session-store.ts';

/**
 * Returns the stored hash if the password is the caller's, else throws. Rate-limited, since anyone holding a session
 * could otherwise guess the password.
 */
export async function requireOwnPassword(
  ctx: Context,
  password: string,
  deps: Pick<IdentityDependencies, 'passwords'>,
): Promise<string> {
  const userId = requirePerson(ctx);
  if (password === '') throw new AppError('missing-password');
  const attempts: Attempt[] = [['confirm-account', userId]];
  await requireWithinLimits(ctx, attempts);
  const stored = (await findPassword(ctx.db.query, userId))?.hash;
  const isRight = await deps.passwords.isRight(password, stored, userId);
  if (stored === undefined || !isRight) throw new AppError('wrong-password');
  await takeBack(ctx, attempts);
  return stored;
}

/** Changes the caller's password; ends their other sessions and invalidates pending reset links. */
export async function changePassword(
  ctx: Context,
  input: { currentPassword: string; newPassword: string },
  deps: Pick<IdentityDependencies, 'passwords'>,
): Promise<void> {
  const userId = requirePerson(ctx);
  requireNewPassword(input.newPassword);
  const stored = await requireOwnPassword(ctx, input.currentPassword, deps);
  const hash = await deps.passwords.hash(input.newPassword, userId);
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    if (!(await holdPassword(tx, userId, stored, { now }))) throw new AppError('wrong-password');
    await putPassword(tx, userId, hash, now);
    await deleteActionCodes(tx, userId, 'reset-password');
    await deleteWebSessions(tx, userId, ctx.actor.kind === 'user' ? ctx.actor.sessionId : undefined);
    await recordAudit(tx, now, { actorUserId: userId, action: 'password.change', entityId: userId });
    announceSession(tx, userId);
  });
}
