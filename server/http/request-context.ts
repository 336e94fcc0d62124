import type { Context as HonoContext } from 'hono';
import { getCookie } from 'hono/cookie';
import { limits } from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Actor, Context, Workspace } from '#server/context.ts';

export const sessionCookie = 'lectern_session';
/** A header a form on another site cannot send: with the origin check it stops forged requests. */
export const csrfHeader = 'x-lectern-csrf';

/** How a request's sender is found; wired by the composition root. */
export interface Authenticators {
  bySession(token: string): Promise<string | undefined>;
  /** Throws an AppError when the key is not to be used. */
  byKey(secret: string): Promise<{ actor: Actor & { kind: 'key' }; workspace: Workspace }>;
  /** The account of whoever holds the operator token of the data folder. */
  byOperatorToken(token: string): string | undefined;
}

export type BaseContext = Omit<Context, 'actor' | 'workspace' | 'requestId'>;

/** Finds out who sent a request: the command line's token, an API key, or a browser session; else a visitor. */
export async function contextOfRequest(
  c: HonoContext,
  base: BaseContext,
  authenticators: Authenticators,
  requestId: string,
): Promise<Context> {
  const sender = await senderOfRequest(c, authenticators);
  const idempotencyKey = idempotencyKeyOf(c.req.header('idempotency-key'));
  return { ...base, log: base.log.child({ requestId }), ...sender, requestId, idempotencyKey };
}

/** Refuses a key that is too long to be kept; an empty one counts as none. */
function idempotencyKeyOf(header: string | undefined): string | undefined {
  const key = header?.trim() ?? '';
  if (key.length > limits.idempotencyKeyCharactersMax) {
    const reason = `Idempotency-Key may have at most ${limits.idempotencyKeyCharactersMax} characters`;
    throw new AppError('invalid-input', { values: { reason } });
  }
  return key === '' ? undefined : key;
}

async function senderOfRequest(
  c: HonoContext,
  authenticators: Authenticators,
): Promise<Pick<Context, 'actor' | 'workspace'>> {
  const bearer = /^Bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (bearer !== undefined) {
    const operatorId = authenticators.byOperatorToken(bearer);
    if (operatorId === undefined) return authenticators.byKey(bearer);
    return { actor: { kind: 'operator', userId: operatorId }, workspace: `user:${operatorId}` };
  }
  const session = getCookie(c, sessionCookie);
  const userId = session === undefined ? undefined : await authenticators.bySession(session);
  if (userId === undefined) return { actor: { kind: 'anonymous' }, workspace: null };
  return { actor: { kind: 'user', userId }, workspace: `user:${userId}` };
}
