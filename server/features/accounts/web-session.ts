import { randomUUID } from 'node:crypto';
import type { SessionEntry } from '#contract/identity.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Actor, Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';
import type { Browser } from '../call.ts';
import { announcePeople, announceSession } from './announce-session.ts';
import { holdUser, insertIdentityToken, moveActionCodes } from './identity-store.ts';
import { requirePerson } from './policy.ts';
import { hashToken, newToken } from './secrets.ts';
import {
  countWebSessions,
  deleteSurplusSessions,
  deleteWebSession,
  deleteWebSessionById,
  findSessionOfIdentityToken,
  findWebSession,
  findWebSessionById,
  insertWebSession,
  listWebSessions,
  touchWebSession,
} from './session-store.ts';
import { findUser } from './store.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const userAgentCharactersMax = 400;

type Person = Extract<Actor, { kind: 'user' }>;

/** A new session as sent to the browser: the token goes into a cookie and is stored hashed. */
export interface OpenedSession {
  sessionId: string;
  sessionToken: string;
  expiresAt: number;
}

/**
 * Opens a session for a user who has just signed in. Ends the browser's previous session; if it was the same user's,
 * its email codes move to the new one. Throws `account-disabled` if an operator has disabled the account.
 */
export async function openWebSession(
  tx: Transaction,
  now: number,
  userId: string,
  browser: Browser,
): Promise<OpenedSession> {
  // Locked, so that a concurrent disabling is serialized.
  const user = await holdUser(tx, userId);
  if (user !== undefined && user.disabledAt !== null) throw new AppError('account-disabled');
  const sessionId = randomUUID();
  const replaced =
    browser.sessionToken === undefined ? undefined : await deleteWebSession(tx, hashToken(browser.sessionToken));
  if (replaced?.userId === userId && replaced.id !== null) await moveActionCodes(tx, userId, replaced.id, sessionId);
  const sessionToken = newToken();
  const expiresAt = now + limits.webSessionLifetimeDays * dayMs;
  await insertWebSession(tx, {
    id: sessionId,
    tokenHash: hashToken(sessionToken),
    userId,
    createdAt: now,
    lastSeenAt: now,
    expiresAt,
    userAgent: browser.userAgent.slice(0, userAgentCharactersMax),
  });
  await deleteSurplusSessions(tx, userId, hashToken(sessionToken));
  announceSession(tx, userId);
  await announcePeople(tx);
  return { sessionId, sessionToken, expiresAt };
}

/**
 * Throws if the caller's session has ended since the request was authenticated. Locks the account, so that ending all
 * sessions concurrently is serialized.
 */
export async function confirmSession(tx: Transaction, ctx: Context): Promise<void> {
  if (ctx.actor.kind !== 'user' || ctx.actor.sessionId === undefined) return;
  const { userId, sessionId } = ctx.actor;
  await holdUser(tx, userId);
  const session = await findWebSessionById(tx, userId, sessionId, ctx.clock.now());
  if (session === undefined) throw new AppError('unauthenticated');
}

/**
 * Returns the user behind a session token; undefined if it is unknown or expired. Updates the session's last-seen time
 * occasionally.
 */
export async function personOfWebSession(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  sessionToken: string,
): Promise<Person | undefined> {
  const now = ctx.clock.now();
  const session = await findWebSession(ctx.db.query, hashToken(sessionToken), now);
  if (session === undefined) return undefined;
  const notAfter = now - limits.webSessionLastSeenEveryMinutes * minuteMs;
  if (session.lastSeenAt < notAfter) {
    const touch = (tx: Transaction) => touchWebSession(tx, session.tokenHash, now, notAfter);
    await ctx.db.transaction(touch, { durability: 'process' }).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'the last use of a session could not be written');
    });
  }
  return personOf(session);
}

/** Returns the user behind an identity token; throws if it is unknown or expired, or its session has ended. */
export async function personOfIdentityToken(ctx: Pick<Context, 'db' | 'clock'>, token: string): Promise<Person> {
  const session = await findSessionOfIdentityToken(ctx.db.query, hashToken(token), ctx.clock.now());
  if (session === undefined) throw new AppError('unauthenticated');
  return personOf(session);
}

function personOf(session: Row<'webSessions'>): Person {
  return { kind: 'user', userId: session.userId, sessionId: session.id ?? undefined };
}

/** Signs out: ends a browser session and its event streams. Does nothing if it has already ended. */
export async function endWebSession(ctx: Context, sessionToken: string): Promise<void> {
  const ended = await deleteWebSession(ctx.db.query, hashToken(sessionToken));
  if (ended !== undefined) announceSession(ctx.db, ended.userId);
}

/** Returns the caller's sessions. */
export async function listSessions(ctx: Context): Promise<SessionEntry[]> {
  const userId = requirePerson(ctx);
  const current = ctx.actor.kind === 'user' ? ctx.actor.sessionId : undefined;
  const rows = await listWebSessions(ctx.db.query, userId, ctx.clock.now());
  return rows.map((row) => ({
    id: row.id ?? '',
    createdAt: row.createdAt,
    lastSeenAt: row.lastSeenAt,
    userAgent: row.userAgent,
    isThisOne: row.id === current,
  }));
}

/** Ends one of the caller's sessions; both ended ones and other users' sessions are reported as not found. */
export async function endSession(ctx: Context, input: { sessionId: string }): Promise<void> {
  const userId = requirePerson(ctx);
  await ctx.db.transaction(async (tx) => {
    if (!(await deleteWebSessionById(tx, userId, input.sessionId))) throw new AppError('session-not-found');
    await recordAudit(tx, ctx.clock.now(), { actorUserId: userId, action: 'session.end', entityId: input.sessionId });
    announceSession(tx, userId);
  });
}

/** Returns the caller's account; undefined for visitors and deleted accounts. */
export async function actingUser(ctx: Context): Promise<Row<'users'> | undefined> {
  return ctx.actor.kind === 'anonymous' ? undefined : findUser(ctx.db.query, ctx.actor.userId);
}

/** Returns true if any browser is signed in; until then a start prints a sign-in link. */
export async function hasWebSession(ctx: Context): Promise<boolean> {
  return (await countWebSessions(ctx.db.query)) > 0;
}

/** Distinguishes identity tokens from API keys. */
export const identityTokenPrefix = 'lid_';

/**
 * Creates a bearer token for the caller's session, valid for one hour or until the session ends. Throws if the caller
 * uses an identity token: renewals would extend it to the session's lifetime.
 */
export async function issueIdentityToken(ctx: Context): Promise<{ token: string; expiresAt: number }> {
  if (ctx.actor.kind !== 'user' || ctx.actor.sessionId === undefined) throw new AppError('unauthenticated');
  if (ctx.actor.hasToken === true) {
    throw new AppError('permission-denied', {
      values: { need: ' An identity token cannot create another one. Sign in to do this.' },
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
