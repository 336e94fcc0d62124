import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';
import type { Browser } from '../call.ts';
import { makeActionCode, withCode } from './action-codes.ts';
import { announceSession } from './announce-session.ts';
import { type AccountDeletion, eraseAccount } from './delete-account.ts';
import { takeOver } from './end-access.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import {
  claimActionCode,
  claimVerifiedNote,
  deletePassword,
  findActionCode,
  holdUser,
  markEmailVerified,
  releaseEmail,
} from './identity-store.ts';
import { requireNewPassword } from './passwords.ts';
import { requirePerson } from './policy.ts';
import { requireWithinLimits } from './rate-limits.ts';
import { hashToken } from './secrets.ts';
import { findUser } from './store.ts';
import { actingUser, type OpenedSession, openWebSession } from './web-session.ts';

/** Sends the verification email again, unless the address is verified. Throws for accounts without an address. */
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
  const sessionId = ctx.actor.kind === 'user' ? ctx.actor.sessionId : undefined;
  const code = await ctx.db.transaction((tx) =>
    makeActionCode(tx, ctx.clock.now(), 'verify-email', { id: userId, email, sessionId }),
  );
  deps.background.run('the verification mail', () => deps.mails.sendVerification(email, code));
}

export interface Verification {
  /** True if the address was already verified. */
  wasVerified: boolean;
  /** The session opened if the user chose a password. */
  session?: OpenedSession & { userId: string };
}

/**
 * Verifies the address that a code was sent to. In the session that requested the email the code is sufficient. Anyone
 * else who opens the link may not have created the account: they must choose a password, which ends all sessions, keys,
 * tokens, connections and identities of the account. A used code still reports the address as verified until it
 * expires, because people open links twice.
 */
export async function applyVerificationCode(
  ctx: Context,
  input: { oobCode: string; newPassword?: string | undefined },
  browser: Browser,
  deps: Pick<IdentityDependencies, 'passwords' | 'endAgentAccess' | 'endLinks'>,
): Promise<Verification> {
  const { newPassword } = input;
  if (newPassword !== undefined) requireNewPassword(newPassword);
  const now = ctx.clock.now();
  const found = await withCode(ctx, browser.address, 'verification-failed', () => readCode(ctx, input.oobCode));
  const { code, user } = found;
  if (user.emailVerifiedAt !== null) return { wasVerified: true };
  const isAsking = isOfAsker(ctx, found);
  if (!isAsking && user.isOperator === 1) throw new AppError('verification-needs-sign-in');
  if (!isAsking && newPassword === undefined) {
    throw new AppError('verification-needs-password', { values: { email: code.email } });
  }
  const hash =
    isAsking || newPassword === undefined ? undefined : await deps.passwords.hash(newPassword, browser.address);
  return ctx.db.transaction(async (tx) => {
    await holdUser(tx, user.id);
    const claimed = await claimActionCode(tx, 'verify-email', code.codeHash, now);
    const recipient = { id: user.id, email: code.email };
    const by = { by: 'mail', hasTakenOver: hash !== undefined };
    const isNew = claimed !== undefined && (await verifyByProof(tx, recipient, now, by));
    if (isNew && hash !== undefined) {
      await takeOver(tx, user, now, deps, hash);
      return { wasVerified: false, session: { ...(await openWebSession(tx, now, user.id, browser)), userId: user.id } };
    }
    if (isNew) return { wasVerified: false };
    const current = await findUser(tx, user.id);
    if (current?.email === code.email && current.emailVerifiedAt !== null) return { wasVerified: true };
    throw new AppError('verification-failed');
  });
}

interface FoundCode {
  code: Row<'actionCodes'>;
  user: Row<'users'>;
}

/** Returns an unexpired verification code with its account; undefined if it was used without verifying the address. */
async function readCode(ctx: Context, oobCode: string): Promise<FoundCode | undefined> {
  const code = await findActionCode(ctx.db.query, 'verify-email', hashToken(oobCode), ctx.clock.now());
  const user = code && (await findUser(ctx.db.query, code.userId));
  if (code === undefined || user?.email !== code.email) return undefined;
  return code.usedAt === null || user.emailVerifiedAt !== null ? { code, user } : undefined;
}

/**
 * Returns true for the session that requested the code. Operators sign in with links from the command line, so any of
 * their sessions counts.
 */
function isOfAsker({ actor }: Context, { code, user }: FoundCode): boolean {
  if (actor.kind === 'operator') return actor.userId === user.id;
  if (actor.kind !== 'user' || actor.userId !== user.id) return false;
  return user.isOperator === 1 || (actor.sessionId !== undefined && actor.sessionId === code.sessionId);
}

/**
 * Closes an account that was created with another person's address, at the request of that person, who has the code
 * from the verification email. The account is deleted or, if others depend on it, loses all access. An operator's
 * account only loses the address. Throws if the address is verified.
 */
export async function disownAddress(
  ctx: Context,
  input: { oobCode: string },
  browser: Browser,
  deps: Pick<IdentityDependencies, 'endAgentAccess' | 'endLinks'> & { deletion: AccountDeletion },
): Promise<void> {
  const now = ctx.clock.now();
  await withCode(ctx, browser.address, 'verification-failed', async () => {
    const found = await readCode(ctx, input.oobCode);
    if (found === undefined || found.user.emailVerifiedAt !== null) return undefined;
    const { code, user } = found;
    const isOurs = await ctx.db.transaction(async (tx) => {
      await holdUser(tx, user.id);
      const claimed = await claimActionCode(tx, 'verify-email', code.codeHash, now);
      if (claimed === undefined || (await findUser(tx, user.id))?.emailVerifiedAt !== null) return false;
      if (user.isOperator === 0) {
        await takeOver(tx, user, now, deps);
      } else {
        await releaseEmail(tx, user.id, code.email, now);
        await deletePassword(tx, user.id);
      }
      await recordAudit(tx, now, { actorUserId: null, action: 'email.disown', entityId: user.id });
      return true;
    });
    if (!isOurs) return undefined;
    if (user.isOperator === 0) await eraseUnlessNeeded(ctx, user.id, deps.deletion);
    return true;
  });
}

async function eraseUnlessNeeded(ctx: Context, userId: string, deletion: AccountDeletion): Promise<void> {
  await eraseAccount(ctx, userId, deletion).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    ctx.log.info({ err: error, userId }, 'an account with a disowned address stays, closed');
  });
}

/**
 * Verifies an account's address after its owner proved it: with an emailed secret, or at a provider. Returns false if
 * it was already verified, or is no longer the account's address.
 */
export async function verifyByProof(
  tx: Transaction,
  user: { id: string; email: string },
  now: number,
  detail: { by: string; hasTakenOver?: boolean },
): Promise<boolean> {
  if (!(await markEmailVerified(tx, user.id, user.email, now))) return false;
  await recordAudit(tx, now, { actorUserId: user.id, action: 'email.verify', entityId: user.id, detail });
  announceSession(tx, user.id);
  return true;
}

/** Runs in the features above when an address has been verified, in one transaction, once per account. */
export type VerifiedHook = (tx: Transaction, user: Row<'users'>) => Promise<void>;

/** Called by the browser after verification. Runs the hook the first time; throws if the address is unverified. */
export async function onEmailVerified(
  ctx: Context,
  deps: { onVerified: VerifiedHook },
): Promise<{ isEmailVerified: boolean }> {
  const userId = requirePerson(ctx);
  const user = await actingUser(ctx);
  if (user === undefined || user.emailVerifiedAt === null) throw new AppError('email-not-verified');
  await ctx.db.transaction(async (tx) => {
    if (await claimVerifiedNote(tx, userId, ctx.clock.now())) await deps.onVerified(tx, user);
  });
  return { isEmailVerified: true };
}
