import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { isDatabaseError } from '#server/platform/db/database-error.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { type Browser, noBrowser } from '../call.ts';
import { makeActionCode } from './action-codes.ts';
import { announceSession } from './announce-session.ts';
import { normalizeEmail } from './email-address.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { claimEmail, putPassword } from './identity-store.ts';
import { requireNewPassword } from './passwords.ts';
import { requireOperator, requirePerson } from './policy.ts';
import { hashToken, newToken } from './secrets.ts';
import { claimSignInLink, deleteExpired, findUser, insertSignInLink, localOwnerId } from './store.ts';
import { type OpenedSession, openWebSession } from './web-session.ts';

const minuteMs = 60_000;

/** Creates a single-use code that signs the local owner in; operator only. Returns the code, which is stored hashed. */
export async function createSignInLink(ctx: Context): Promise<string> {
  requireOperator(ctx);
  const code = newToken();
  const now = ctx.clock.now();
  await deleteExpired(ctx.db.query, now);
  await insertSignInLink(ctx.db.query, {
    tokenHash: hashToken(code),
    userId: localOwnerId,
    createdAt: now,
    expiresAt: now + limits.signInLinkLifetimeMinutes * minuteMs,
  });
  return code;
}

/** Consumes a code and opens a browser session. Throws for used and expired codes. */
export async function redeemSignInLink(
  ctx: Context,
  input: { code: string },
  browser: Browser = noBrowser,
): Promise<{ user: Row<'users'> } & OpenedSession> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const userId = await claimSignInLink(tx, hashToken(input.code), now);
    const user = userId === undefined ? undefined : await findUser(tx, userId);
    if (user === undefined) throw new AppError('sign-in-link-refused');
    return { user, ...(await openWebSession(tx, now, user.id, browser)) };
  });
}

/**
 * Gives the local owner an email address and a password in addition to the sign-in link, once. The address is
 * unverified until the email's link is used: until then no reset is sent to it, and no key can be created. Throws for
 * accounts that have an address.
 */
export async function claimLocalOwner(
  ctx: Context,
  input: { email: string; password: string },
  deps: Pick<IdentityDependencies, 'passwords' | 'mails' | 'background'>,
): Promise<Row<'users'>> {
  const userId = requirePerson(ctx);
  const email = normalizeEmail(input.email);
  requireNewPassword(input.password);
  const hash = await deps.passwords.hash(input.password, userId);
  const now = ctx.clock.now();
  const { user, code } = await ctx.db
    .transaction(async (tx) => {
      const claimed = await claimEmail(tx, userId, email);
      if (claimed === undefined) {
        throw new AppError('permission-denied', { values: { need: ' This account already has an email address.' } });
      }
      await putPassword(tx, userId, hash, now);
      await recordAudit(tx, now, { actorUserId: userId, action: 'account.claim', entityId: userId });
      announceSession(tx, userId);
      return { user: claimed, code: await makeActionCode(tx, now, 'verify-email', { id: userId, email }) };
    })
    .catch((cause: unknown) => {
      throw isDatabaseError(cause, 'unique-violation') ? new AppError('email-already-in-use', { cause }) : cause;
    });
  deps.background.run('the verification mail', () => deps.mails.sendVerification(email, code));
  return user;
}
