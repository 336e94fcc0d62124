import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { makeActionCode, withCode } from './action-codes.ts';
import { announceSession } from './announce-session.ts';
import type { Browser } from './browser.ts';
import { normalizeEmail } from './email-address.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import {
  claimActionCode,
  deleteActionCodes,
  findActionCode,
  findUserByEmail,
  markEmailVerified,
  putPassword,
} from './identity-store.ts';
import { requireNewPassword } from './passwords.ts';
import { forgetAttempts, requireWithinLimits } from './rate-limits.ts';
import { hashToken } from './secrets.ts';
import { deleteWebSessions } from './session-store.ts';
import { findUser } from './store.ts';

/**
 * Sends a reset mail if the address has an account. Whether it has is looked up after the answer, so neither the answer
 * nor its time tells. The limits hold for addresses without an account alike.
 */
export async function sendPasswordReset(
  ctx: Context,
  input: { email: string },
  browser: Browser,
  deps: Pick<IdentityDependencies, 'mails' | 'background'>,
): Promise<void> {
  const email = normalizeEmail(input.email);
  await requireWithinLimits(ctx, [
    ['reset-account', email],
    ['reset-address', browser.address],
  ]);
  deps.background.run('the reset mail', async () => {
    const now = ctx.clock.now();
    const code = await ctx.db.transaction(async (tx) => {
      const user = await findUserByEmail(tx, email);
      if (user === undefined || isOperatorUnverified(user)) return undefined;
      await recordAudit(tx, now, { actorUserId: null, action: 'password.ask-reset', entityId: user.id });
      return makeActionCode(tx, now, 'reset-password', { id: user.id, email });
    });
    if (code !== undefined) await deps.mails.sendReset(email, code);
  });
}

/** A slip in the address must not hand the whole installation to whoever has that address. */
function isOperatorUnverified(user: Row<'users'>): boolean {
  return user.isOperator === 1 && user.emailVerifiedAt === null;
}

/** The address a reset code was sent to. The code stays good. */
export async function verifyResetCode(ctx: Context, input: { oobCode: string }, browser: Browser): Promise<string> {
  return withCode(ctx, browser.address, 'invalid-action-code', async () => {
    const code = await findActionCode(ctx.db.query, 'reset-password', hashToken(input.oobCode), ctx.clock.now());
    if (code === undefined || code.usedAt !== null) return undefined;
    // A code for an address the account has no longer must not open it.
    const user = await findUser(ctx.db.query, code.userId);
    return user?.email === code.email ? code.email : undefined;
  });
}

/**
 * Sets a new password with a code, which is used up, and ends every session. Whoever got the mail has the address, so
 * it counts as verified from then on. Of two at once one succeeds.
 */
export async function confirmReset(
  ctx: Context,
  input: { oobCode: string; newPassword: string },
  browser: Browser,
  deps: Pick<IdentityDependencies, 'passwords'>,
): Promise<void> {
  requireNewPassword(input.newPassword);
  // Cheap first: a wrong code costs no hash.
  await verifyResetCode(ctx, input, browser);
  const hash = await deps.passwords.hash(input.newPassword);
  const now = ctx.clock.now();
  const code = await withCode(ctx, browser.address, 'invalid-action-code', () =>
    ctx.db.transaction(async (tx) => {
      const claimed = await claimActionCode(tx, 'reset-password', hashToken(input.oobCode), now);
      if (claimed === undefined || (await findUser(tx, claimed.userId))?.email !== claimed.email) return undefined;
      await putPassword(tx, claimed.userId, hash, now);
      await markEmailVerified(tx, claimed.userId, claimed.email, now);
      await deleteActionCodes(tx, claimed.userId, 'reset-password');
      await deleteWebSessions(tx, claimed.userId);
      await recordAudit(tx, now, { actorUserId: claimed.userId, action: 'password.reset', entityId: claimed.userId });
      announceSession(tx, claimed.userId);
      return claimed;
    }),
  );
  await forgetAttempts(ctx, ['sign-in-pair', code.email]);
  await forgetAttempts(ctx, ['sign-in-account', code.email]);
}
