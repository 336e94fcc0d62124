import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { insertIdentityToken } from './identity-store.ts';
import { hashToken, newToken } from './secrets.ts';
import { findWebSessionById } from './session-store.ts';

/** What tells an identity token from an API key. */
export const identityTokenPrefix = 'lid_';

/**
 * Makes a bearer token of the acting person's session, for one hour; it ends earlier when the session does. A token makes no
 * other: it would live as long as the session.
 */
export async function issueIdentityToken(ctx: Context): Promise<{ token: string; expiresAt: number }> {
  if (ctx.actor.kind !== 'user' || ctx.actor.sessionId === undefined) throw new AppError('unauthenticated');
  if (ctx.actor.hasToken === true) {
    throw new AppError('permission-denied', {
      values: { need: ' An identity token makes no other. Sign in to do this.' },
    });
  }
  const now = ctx.clock.now();
  const session = await findWebSessionById(ctx.db.query, ctx.actor.userId, ctx.actor.sessionId, now);
  if (session === undefined) throw new AppError('unauthenticated');
  const token = identityTokenPrefix + newToken();
  const expiresAt = Math.min(now + limits.identityTokenLifetimeMinutes * 60_000, session.expiresAt);
  const row = { tokenHash: hashToken(token), sessionTokenHash: session.tokenHash, createdAt: now, expiresAt };
  await insertIdentityToken(ctx.db.query, row);
  return { token, expiresAt };
}
