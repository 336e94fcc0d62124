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

/** Over https the name itself makes browsers refuse a cookie that another host or a plain connection has set. */
export function sessionCookieName(isHttps: boolean): string {
  return isHttps ? '__Host-lectern_session' : 'lectern_session';
}

/** Says with whom a browser signed in before. */
export function deviceCookieName(isHttps: boolean): string {
  return isHttps ? '__Host-lectern_device' : 'lectern_device';
}

/** A header a form on another site cannot send: with the origin check it stops forged requests. */
export const csrfHeader = 'x-lectern-csrf';

export type Person = Extract<Actor, { kind: 'user' }>;

/** How a request's sender is found; wired by the composition root. */
export interface Authenticators {
  bySession(token: string): Promise<Person | undefined>;
  /** Throws an AppError when the token is not to be used. */
  byIdentityToken(token: string): Promise<Person>;
  /** Throws an AppError when the key is not to be used. */
  byKey(secret: string): Promise<{ actor: Actor & { kind: 'key' } } & Pick<Context, 'workspace' | 'membership'>>;
  /** The account of the caller that holds the operator token of the data folder. */
  byOperatorToken(token: string): string | undefined;
  sessionCookie: string;
}

export type BaseContext = Omit<Context, 'actor' | 'workspace' | 'requestId'>;

/**
 * Finds out who sent a request (the command line's token, an API key, or a browser session; else a visitor), and in which
 * team a person acts. A key acts where it belongs, whatever the request names.
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
 * The request of a key, made for its owner where the call is one that a right of keys covers. Refuses a key without the right,
 * and every key where the call is a person's, before the input is read.
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

/** Someone who is not known, or cannot be recognised for now. */
export function visitorContext(base: BaseContext, requestId: string): Context {
  return { ...base, log: base.log.child({ requestId }), actor: { kind: 'anonymous' }, workspace: null, requestId };
}

/** A stream or a download cannot send headers of its own, so the query may name the team too. */
function teamOf(c: HonoContext): string | undefined {
  return (
    c.req.header(teamHeader) ||
    (/^\/api\/live|\.csv$/.test(c.req.path) ? c.req.query('teamId') : undefined) ||
    undefined
  );
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
  // Keys alone may come in other places too, such as an address, which proxies log.
  const { headers, url } = c.req.raw;
  // The query of a page in the viewer is the page's.
  const key = readApiKey({ headers, url: c.req.path.startsWith('/document/') ? new URL('/', url).href : url });
  return key === undefined ? { actor: { kind: 'anonymous' }, workspace: null } : authenticators.byKey(key);
}

function asPerson(actor: Person): Pick<Context, 'actor' | 'workspace'> {
  return { actor, workspace: `user:${actor.userId}` };
}
