import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Row } from '#server/platform/db/schema.ts';
import type { Browser } from '../call.ts';
import { makeActionCode, withCode } from './action-codes.ts';
import { normalizeEmail } from './email-address.ts';
import { endAccess, takeOver } from './end-access.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import {
  claimActionCode,
  findActionCode,
  findUserByEmail,
  holdUser,
  markEmailVerified,
  putPassword,
} from './identity-store.ts';
import { requireNewPassword } from './passwords.ts';
import { forgetAttempts, requireWithinLimits } from './rate-limits.ts';
import { hashToken } from './secrets.ts';
import { findUser } from './store.ts';

/**
 * Sends a reset email if the address has an account. The lookup happens after the response, so that neither the
 * response nor its timing reveals whether it exists. The limits also apply to addresses without an account.
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

/** A typo in the address must not hand the whole installation to that address's owner. */
function isOperatorUnverified(user: Row<'users'>): boolean {
  return user.isOperator === 1 && user.emailVerifiedAt === null;
}

/**
 * Returns the address that a reset code was sent to, and how many keys and connections a new password ends. Does not
 * consume the code.
 */
export async function verifyResetCode(
  ctx: Context,
  input: { oobCode: string },
  browser: Browser,
  deps: Pick<IdentityDependencies, 'countAgentAccess'>,
): Promise<{ email: string; apiKeys: number; connections: number }> {
  return withCode(ctx, browser.address, 'invalid-action-code', async () => {
    const code = await findActionCode(ctx.db.query, 'reset-password', hashToken(input.oobCode), ctx.clock.now());
    if (code === undefined || code.usedAt !== null) return undefined;
    // A code for an address that the account no longer has must not grant access.
    const user = await findUser(ctx.db.query, code.userId);
    if (user?.email !== code.email) return undefined;
    return { email: code.email, ...(await deps.countAgentAccess(ctx.db.query, user.id, ctx.clock.now())) };
  });
}

/**
 * Sets a new password with a code, which is consumed, and ends all sessions, API keys and connected applications; keys
 * and applications are kept with `keepsAgents`, unless the address was unverified. The code proves access to the
 * mailbox, so the address counts as verified from then on. Of two concurrent calls one succeeds.
 */
export async function confirmReset(
  ctx: Context,
  input: { oobCode: string; newPassword: string; keepsAgents?: boolean | undefined },
  browser: Browser,
  deps: Pick<IdentityDependencies, 'passwords' | 'countAgentAccess' | 'endAgentAccess' | 'endLinks'>,
): Promise<{ userId: string }> {
  requireNewPassword(input.newPassword);
  // Check the code first: a wrong one costs no hash.
  await verifyResetCode(ctx, input, browser, deps);
  const hash = await deps.passwords.hash(input.newPassword, browser.address);
  const now = ctx.clock.now();
  const code = await withCode(ctx, browser.address, 'invalid-action-code', () =>
    ctx.db.transaction(async (tx) => {
      const claimed = await claimActionCode(tx, 'reset-password', hashToken(input.oobCode), now);
      const user = claimed && (await holdUser(tx, claimed.userId));
      if (claimed === undefined || user === undefined || user.email !== claimed.email) return undefined;
      const hasTakenOver = await markEmailVerified(tx, user.id, claimed.email, now);
      const keepsAgents = input.keepsAgents === true && !hasTakenOver;
      if (hasTakenOver) {
        await takeOver(tx, user, now, deps, hash);
      } else {
        await putPassword(tx, user.id, hash, now);
        await endAccess(tx, user.id, now, keepsAgents ? { endAgentAccess: async () => undefined } : deps);
      }
      const detail = { keepsAgents, hasTakenOver };
      await recordAudit(tx, now, { actorUserId: user.id, action: 'password.reset', entityId: user.id, detail });
      return claimed;
    }),
  );
  await forgetAttempts(ctx, ['sign-in-pair', code.email]);
  await forgetAttempts(ctx, ['sign-in-account', code.email]);
  return { userId: code.userId };
}
