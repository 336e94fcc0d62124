import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { makeActionCode, withCode } from './action-codes.ts';
import { announceSession } from './announce-session.ts';
import type { Browser } from './browser.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { claimActionCode, claimVerifiedNote, findActionCode, markEmailVerified } from './identity-store.ts';
import { requirePerson } from './policy.ts';
import { requireWithinLimits } from './rate-limits.ts';
import { hashToken } from './secrets.ts';
import { findUser } from './store.ts';
import { actingUser } from './web-session.ts';

/** Sends the verification mail again; nothing when the address is verified. Refuses accounts without an address. */
export async function sendVerification(
  ctx: Context,
  browser: Browser,
  deps: Pick<IdentityDependencies, 'mails' | 'background'>,
): Promise<void> {
  const userId = requirePerson(ctx);
  const user = await findUser(ctx.db.query, userId);
  const email = user?.email ?? null;
  if (user === undefined || email === null) throw new AppError('missing-email');
  if (user.emailVerifiedAt !== null) return;
  await requireWithinLimits(ctx, [
    ['verification-account', email],
    ['verification-address', browser.address],
  ]);
  const code = await ctx.db.transaction((tx) =>
    makeActionCode(tx, ctx.clock.now(), 'verify-email', { id: userId, email }),
  );
  deps.background.run('the verification mail', () => deps.mails.sendVerification(email, code));
}

/**
 * Verifies the address a code was sent to, whoever asks. A code that was used stays good for saying that the address
 * is verified, until it runs out: people open links twice.
 */
export async function applyVerificationCode(
  ctx: Context,
  input: { oobCode: string },
  browser: Browser,
): Promise<{ wasVerified: boolean }> {
  const now = ctx.clock.now();
  const codeHash = hashToken(input.oobCode);
  return withCode(ctx, browser.address, 'verification-failed', () =>
    ctx.db.transaction(async (tx) => {
      const claimed = await claimActionCode(tx, 'verify-email', codeHash, now);
      const code = claimed ?? (await findActionCode(tx, 'verify-email', codeHash, now));
      if (code === undefined) return undefined;
      const isNew = await verifyByMail(tx, { id: code.userId, email: code.email }, now);
      if (isNew) return { wasVerified: false };
      const user = await findUser(tx, code.userId);
      const isVerified = user?.email === code.email && user.emailVerifiedAt !== null;
      return isVerified ? { wasVerified: true } : undefined;
    }),
  );
}

/**
 * Verifies the address of an account because a secret that was mailed to that very address was shown to us. False when
 * it was verified before, or is no longer the one of the account.
 */
export async function verifyByMail(
  tx: Transaction,
  user: { id: string; email: string },
  now: number,
): Promise<boolean> {
  if (!(await markEmailVerified(tx, user.id, user.email, now))) return false;
  await recordAudit(tx, now, { actorUserId: user.id, action: 'email.verify', entityId: user.id });
  announceSession(tx, user.id);
  return true;
}

/** What features above this one do when an address has been verified, in one transaction, once for each account. */
export type VerifiedHook = (tx: Transaction, user: Row<'users'>) => Promise<void>;

/** Called by the browser after verification. Does what follows from it the first time; refuses an unverified address. */
export async function onEmailVerified(
  ctx: Context,
  deps: { onVerified: VerifiedHook },
): Promise<{ isEmailVerified: boolean }> {
  const userId = requirePerson(ctx);
  const user = await actingUser(ctx);
  if (user === undefined || user.emailVerifiedAt === null) throw new AppError('permission-denied');
  await ctx.db.transaction(async (tx) => {
    if (await claimVerifiedNote(tx, userId, ctx.clock.now())) await deps.onVerified(tx, user);
  });
  return { isEmailVerified: true };
}
