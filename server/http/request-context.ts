import type { Context as HonoContext } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Endpoint } from '#contract/endpoint.ts';
import { keyRightLabels } from '#contract/keys.ts';
import * as limits from '#contract/limits.ts';
import { teamHeader } from '#contract/team-header.ts';
import { AppError } from '#server/app-error.ts';
import type { Actor, Context } from '#server/context.ts';
import { identityTokenPrefix, requirePerson } from '#server/features/accounts/index.ts';
import { readApiKey } from '#server/features/keys/index.ts';
import { enterTeam } from '#server/features/teams/index.ts';
import { currentRequest } from './request-record.ts';

/** Over https the `__Host-` name makes browsers reject a cookie set by another host or a plain connection. */
export function sessionCookieName(isHttps: boolean): string {
  return isHttps ? '__Host-lectern_session' : 'lectern_session';
}

/** Returns the name of the cookie that records who has signed in on this browser. */
export function deviceCookieName(isHttps: boolean): string {
  return isHttps ? '__Host-lectern_device' : 'lectern_device';
}

/** A header that a form on another site cannot send: together with the origin check it prevents forged requests. */
export const csrfHeader = 'x-lectern-csrf';

export type Person = Extract<Actor, { kind: 'user' }>;

/** Identifies a request's sender; wired by the composition root. */
export interface Authenticators {
  bySession(token: string): Promise<Person | undefined>;
  /** Throws an AppError for an invalid token. */
  byIdentityToken(token: string): Promise<Person>;
  /** Throws an AppError for an invalid key. */
  byKey(secret: string): Promise<{ actor: Actor & { kind: 'key' } } & Pick<Context, 'workspace' | 'membership'>>;
  /** Returns the account of a caller with the data folder's operator token. */
  byOperatorToken(token: string): string | undefined;
  sessionCookie: string;
}

export type BaseContext = Omit<Context, 'actor' | 'workspace' | 'requestId'>;

/**
 * Identifies a request's sender (the command line's token, an API key or a browser session; otherwise a visitor) and
 * the team a person acts in. A key always acts in its own workspace, even if the request names a team.
 */
export async function contextOfRequest(
  c: HonoContext,
  base: BaseContext,
  authenticators: Authenticators,
  requestId: string,
): Promise<Context> {
  const sender = await senderOfRequest(c, authenticators);
  const idempotencyKey = idempotencyKeyOf(c.req.header('idempotency-key'));
  const { address } = currentRequest() ?? {};
  const ctx: Context = { ...base, log: base.log.child({ requestId }), ...sender, requestId, idempotencyKey, address };
  const teamId = sender.actor.kind === 'key' ? undefined : teamOf(c);
  return teamId === undefined ? ctx : enterTeam(ctx, teamId);
}

/**
 * Returns the context for a key's call on its owner's behalf, if one of its rights covers the call. Refuses a key
 * without the right, and every key for calls reserved for people, before the input is read.
 */
export function actingByRight(ctx: Context, { access, keyRight }: Pick<Endpoint, 'access' | 'keyRight'>): Context {
  const { actor } = ctx;
  if (actor.kind !== 'key' || access === 'anyone') return ctx;
  if (keyRight === undefined) {
    requirePerson(ctx);
    return ctx;
  }
  if (actor.rights?.includes(keyRight) !== true) {
    throw new AppError('key-right-missing', { values: { right: keyRightLabels[keyRight] } });
  }
  return { ...ctx, actor: { ...actor, isActing: true } };
}

/** Returns the context of a visitor, or of a sender who cannot be identified at the moment. */
export function visitorContext(base: BaseContext, requestId: string): Context {
  return { ...base, log: base.log.child({ requestId }), actor: { kind: 'anonymous' }, workspace: null, requestId };
}

/** The query may also name the team for streams and downloads, which cannot send headers. */
function teamOf(c: HonoContext): string | undefined {
  return (
    c.req.header(teamHeader) ||
    (/^\/api\/live|\.csv$/.test(c.req.path) ? c.req.query('teamId') : undefined) ||
    undefined
  );
}

/** Refuses a key that is too long to store; treats an empty one as missing. */
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
): Promise<Pick<Context, 'actor' | 'workspace' | 'membership'>> {
  const bearer = /^Bearer\s+(\S.*)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (bearer !== undefined) {
    const operatorId = authenticators.byOperatorToken(bearer);
    if (operatorId !== undefined) {
      return { actor: { kind: 'operator', userId: operatorId }, workspace: `user:${operatorId}` };
    }
    if (!bearer.startsWith(identityTokenPrefix)) return authenticators.byKey(bearer);
    return asPerson({ ...(await authenticators.byIdentityToken(bearer)), hasToken: true });
  }
  const session = getCookie(c, authenticators.sessionCookie);
  const person = session === undefined ? undefined : await authenticators.bySession(session);
  if (person !== undefined) return asPerson(person);
  // Only API keys are accepted in other places too, such as the address, which proxies log.
  const { headers, url } = c.req.raw;
  // The query of a viewer page belongs to the documented page.
  const key = readApiKey({ headers, url: c.req.path.startsWith('/document/') ? new URL('/', url).href : url });
  return key === undefined ? { actor: { kind: 'anonymous' }, workspace: null } : authenticators.byKey(key);
}

function asPerson(actor: Person): Pick<Context, 'actor' | 'workspace'> {
  return { actor, workspace: `user:${actor.userId}` };
}
