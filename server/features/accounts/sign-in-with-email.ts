import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Row } from '#server/platform/db/schema.ts';
import type { Browser } from '../call.ts';
import { normalizeEmail } from './email-address.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { findPassword, findUserByEmail, holdPassword } from './identity-store.ts';
import { type Attempt, forgetAttempts, requireWithinLimits, sweep, takeBack } from './rate-limits.ts';
import { deleteExpired } from './store.ts';
import { type OpenedSession, openWebSession } from './web-session.ts';

export interface SignedIn extends OpenedSession {
  user: Row<'users'>;
}

/**
 * Signs in with email and password. An unknown address, an account without a password and a wrong password lead to the
 * same error after the same work. Attempts are counted before the check, so that concurrent ones are limited too; those
 * from a browser that the user signed in with before are counted separately, so that strangers cannot lock the user
 * out.
 */
export async function signInWithEmail(
  ctx: Context,
  input: { email: string; password: string },
  browser: Browser,
  deps: Pick<IdentityDependencies, 'passwords' | 'devices'>,
): Promise<SignedIn> {
  const email = normalizeEmail(input.email);
  if (input.password === '') throw new AppError('missing-password');
  const user = await findUserByEmail(ctx.db.query, email);
  const attempts = attemptsOf(email, browser, user && deps.devices.idOf(browser.deviceToken, user.id));
  await requireWithinLimits(ctx, attempts);
  const stored = (await findPassword(ctx.db.query, user?.id ?? ''))?.hash;
  const isRight = await deps.passwords.isRight(input.password, stored, browser.address);
  if (user === undefined || stored === undefined || !isRight) throw new AppError('invalid-credential');
  const newHash = deps.passwords.isOutdated(stored)
    ? await deps.passwords.hash(input.password, browser.address)
    : undefined;
  const now = ctx.clock.now();
  const session = await ctx.db.transaction(async (tx) => {
    if (!(await holdPassword(tx, user.id, stored, { now, newHash }))) throw new AppError('invalid-credential');
    await recordAudit(tx, now, { actorUserId: user.id, action: 'session.open', entityId: user.id });
    return openWebSession(tx, now, user.id, browser);
  });
  await takeBack(ctx, attempts);
  await forgetAttempts(ctx, ['sign-in-pair', email, browser.address]);
  await sweep(ctx, () => deleteExpired(ctx.db.query, now));
  return { user, ...session };
}

function attemptsOf(email: string, { address }: Browser, device: string | undefined): Attempt[] {
  if (device !== undefined) return [['sign-in-device', email, device]];
  return [
    ['sign-in-pair', email, address],
    ['sign-in-account', email],
    ['sign-in-address', address],
  ];
}
