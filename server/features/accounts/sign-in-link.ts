import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { type Browser, noBrowser } from '../call.ts';
import { requireOperator } from './policy.ts';
import { hashToken, newToken } from './secrets.ts';
import { claimSignInLink, deleteExpired, findUser, insertSignInLink, localOwnerId } from './store.ts';
import { type OpenedSession, openWebSession } from './web-session.ts';

const minuteMs = 60_000;

/** Makes a single-use code that signs the local owner in; operator only. Answers the code, which is stored hashed. */
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

/** Uses a code up and opens a browser session. The second use of a code, or a late one, is refused. */
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
