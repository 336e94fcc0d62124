import { type HostingMethod, hostingCallbackPath, hostingPagePath } from '#contract/hosting.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import {
  confirmSession,
  hashToken,
  newToken,
  requirePerson,
  requireWithinLimits,
} from '#server/features/accounts/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { HostAccount, HostToken } from '#server/platform/code-host/code-host.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { seal, unseal } from '#server/platform/sealing.ts';
import { tellingFaults } from './ask-host.ts';
import { claimAttempt, deleteOldAttempts, findConnection, insertAttempt, putConnection } from './connection-store.ts';
import type { HostingDependencies } from './dependencies.ts';
import { queueRevocation, requireCodeHost, sealedToken } from './person-token.ts';
import { takeUpAgain } from './resume-repository.ts';
import { endRevocations, queueToken } from './revocations.ts';

/** Label under which a connection attempt's verifier is sealed. */
export const verifierLabel = (stateHash: string) => `code-host-attempt:${stateHash}`;

/**
 * Begins to connect the caller's account: returns the address to redirect to. The attempt is valid once, for ten
 * minutes, in the browser session that started it, so it requires one.
 */
export async function connectGithub(
  ctx: Context,
  input: { method?: HostingMethod | undefined; cont?: string | undefined },
  deps: HostingDependencies,
): Promise<{ url: string }> {
  const userId = requirePerson(ctx);
  const host = requireCodeHost(deps);
  const method = input.method ?? host.methods[0];
  if (method === undefined || !host.methods.includes(method)) throw new AppError('github-not-configured');
  const sessionId = sessionOf(ctx);
  await requireWithinLimits(ctx, [['hosting-connect', userId]]);
  const [state, codeVerifier] = [newToken(), newToken()];
  const stateHash = hashToken(state);
  const now = ctx.clock.now();
  await deleteOldAttempts(ctx.db.query, now);
  await insertAttempt(ctx.db.query, {
    ...{ stateHash, userId, sessionId, method },
    verifierSealed: seal(deps.sealingKeys, verifierLabel(stateHash), codeVerifier),
    cont: ownPath(input.cont, deps.publicUrl),
    createdAt: now,
    expiresAt: now + limits.hostingAttemptMinutes * 60_000,
    usedAt: null,
  });
  return { url: await host.authorizeUrl(method, redirectUriOf(deps), { state, codeVerifier }) };
}

/**
 * Finishes an attempt of this browser session, unless it has expired: exchanges the code and stores the sealed tokens.
 * Replaces an existing connection and revokes its token at the host; repositories paused for lack of a connection
 * resume. Returns where to redirect the browser.
 */
export async function finishConnecting(
  ctx: Context,
  { query }: { query: URLSearchParams },
  deps: HostingDependencies,
): Promise<{ cont: string }> {
  const userId = requirePerson(ctx);
  const host = requireCodeHost(deps);
  const state = query.get('state') ?? '';
  const stateHash = hashToken(state);
  const claim = { stateHash, userId, sessionId: sessionOf(ctx), now: ctx.clock.now() };
  const attempt = await claimAttempt(ctx.db.query, claim);
  const codeVerifier = attempt && unseal(deps.sealingKeys, verifierLabel(stateHash), attempt.verifierSealed);
  if (attempt === undefined || codeVerifier === undefined) throw new AppError('hosting-state-refused');
  const { method } = attempt;
  const { token, account } = await tellingFaults(ctx, async () => {
    const given = await host.exchange(method, query, redirectUriOf(deps), { state, codeVerifier });
    return { token: given, account: await host.whoAmI(given.accessToken) };
  });
  try {
    await keepConnection(ctx, { userId, method, token, account }, deps);
  } catch (error) {
    const unkept = { method, token: token.accessToken };
    await ctx.db.transaction((tx) => queueToken(tx, unkept, ctx.clock.now(), deps));
    throw error;
  } finally {
    deps.background.run('ending a replaced connection', async () => void (await endRevocations(ctx, deps)));
  }
  return { cont: attempt.cont };
}

async function keepConnection(
  ctx: Context,
  made: { userId: string; method: HostingMethod; token: HostToken; account: HostAccount },
  deps: HostingDependencies,
): Promise<void> {
  const { userId, method, token, account } = made;
  const now = ctx.clock.now();
  const tell = await ctx.db.transaction(async (tx) => {
    // The account may have been taken over while waiting for the host.
    await confirmSession(tx, ctx);
    const before = await findConnection(tx, userId);
    if (before !== undefined) await queueRevocation(tx, before, token.accessToken, now, deps);
    await putConnection(tx, {
      ...{ userId, method, accountId: account.accountId, login: account.login, url: account.url },
      scopes: JSON.stringify(account.scopes),
      ...sealedToken(token, { userId, accountId: account.accountId }, deps),
      ...{ state: 'connected', refreshingUntil: null, connectedAt: now, updatedAt: now },
    });
    const detail = { method, login: account.login, scopes: account.scopes };
    await recordAudit(tx, now, { actorUserId: userId, action: 'hosting.connect', entityId: userId, detail });
    announceChange(tx, { collection: 'hosting', audience: `user:${userId}` });
    return takeUpAgain(tx, ctx, userId, deps);
  });
  await tell();
}

/** Returns the browser session; other kinds of caller cannot return from the host to one. */
function sessionOf({ actor }: Context): string {
  if (actor.kind !== 'user' || actor.sessionId === undefined) throw new AppError('hosting-state-refused');
  return actor.sessionId;
}

/** Built from the configured address, never from a request. */
function redirectUriOf({ publicUrl }: HostingDependencies): string {
  return `${publicUrl}${hostingCallbackPath}`;
}

/** Returns a path on this site, or the repositories page. */
function ownPath(cont: string | undefined, publicUrl: string): string {
  if (cont === undefined || !/^\/(?![/\\])/.test(cont)) return hostingPagePath;
  const url = URL.parse(cont, publicUrl);
  if (url === null || url.origin !== new URL(publicUrl).origin || url.pathname.startsWith('//')) {
    return hostingPagePath;
  }
  return `${url.pathname}${url.search}${url.hash}`;
}
