import { randomUUID } from 'node:crypto';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';
import type { Browser } from '../call.ts';
import { makeActionCode } from './action-codes.ts';
import { announcePeople } from './announce-session.ts';
import { normalizeEmail } from './email-address.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { insertUser, isNobodyElsesYet, putPassword } from './identity-store.ts';
import { requireNewPassword } from './passwords.ts';
import { countAttempts, requireWithinLimits } from './rate-limits.ts';
import type { SignedIn } from './sign-in-with-email.ts';
import { openWebSession } from './web-session.ts';

type NewAccount = Pick<NewRow<'users'>, 'email' | 'displayName' | 'photoUrl' | 'emailVerifiedAt'>;

/** Inserts a new account and runs the hooks of features above; undefined if the address already has one. */
export async function createAccount(
  tx: Transaction,
  now: number,
  account: NewAccount,
  deps: Pick<IdentityDependencies, 'onAccountCreated'>,
): Promise<Row<'users'> | undefined> {
  const user = await insertUser(tx, { ...account, id: randomUUID(), createdAt: now });
  if (user === undefined) return undefined;
  await deps.onAccountCreated(tx, user);
  await recordAudit(tx, now, { actorUserId: user.id, action: 'account.create', entityId: user.id });
  await announcePeople(tx);
  return user;
}

/**
 * Creates an account, signs it in and sends the verification email. If the address already has an account, throws and
 * emails its owner; of two concurrent calls one creates the account. Throws if sign-up is closed. The first user of an
 * installation that only this machine can reach, and that sends no email, cannot verify an address: it counts as
 * verified.
 */
export async function signUpWithEmail(
  ctx: Context,
  input: { email: string; password: string; displayName?: string },
  browser: Browser,
  deps: IdentityDependencies,
): Promise<SignedIn> {
  if (!deps.isSignUpOpen) throw new AppError('operation-not-allowed');
  const email = normalizeEmail(input.email);
  requireNewPassword(input.password);
  await requireWithinLimits(ctx, [['sign-up-address', browser.address]]);
  const hash = await deps.passwords.hash(input.password, browser.address);
  const now = ctx.clock.now();
  const account = { email, displayName: input.displayName?.trim() ?? '', photoUrl: null };
  const made = await ctx.db.transaction(async (tx) => {
    const isAlone = deps.isForThisMachine && (await isNobodyElsesYet(tx));
    const user = await createAccount(tx, now, { ...account, emailVerifiedAt: isAlone ? now : null }, deps);
    if (user === undefined) return undefined;
    await putPassword(tx, user.id, hash, now);
    const session = await openWebSession(tx, now, user.id, browser);
    const { sessionId } = session;
    if (isAlone) return { user, session, code: undefined };
    return { user, session, code: await makeActionCode(tx, now, 'verify-email', { id: user.id, email, sessionId }) };
  });
  if (made === undefined) {
    deps.background.run('the mail to the owner of an address', async () => {
      const isOver = await countAttempts(ctx, [['notice-account', email]]);
      if (isOver === undefined) await deps.mails.sendAlreadyRegistered(email);
    });
    throw new AppError('email-already-in-use');
  }
  const { code } = made;
  if (code !== undefined) {
    await countAttempts(ctx, [['verification-account', email]]);
    deps.background.run('the verification mail', () => deps.mails.sendVerification(email, code));
  }
  return { user: made.user, ...made.session };
}
