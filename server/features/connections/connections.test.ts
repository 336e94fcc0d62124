import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import type { Actor } from '#server/context.ts';
import { onEachDatabase } from '#test/services/database.ts';
import {
  addresses,
  allow,
  as,
  codeOf,
  connected,
  people,
  publicUrl,
  refreshParts,
  register,
  requestOf,
  type Sample,
  verifier,
} from '#test/services/sample-application.ts';
import { listConnections, revokeConnection } from './connections.ts';
import { exchangeCode, refreshTokens, revokeToken } from './index.ts';
import { createOwnAddresses } from './own-addresses.ts';
import { endConnectionsInTime } from './store.ts';
import { verifyAccessToken } from './tokens.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

async function auditOf(ctx: Sample): Promise<string[]> {
  const rows = await ctx.db.query.selectFrom('auditLog').select('action').orderBy('createdAt').execute();
  return rows.map(({ action }) => action);
}

async function isAlive(ctx: Sample, accessToken: string): Promise<boolean> {
  return verifyAccessToken(ctx, accessToken, addresses).then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'connection-refused' });
      return false;
    },
  );
}

onEachDatabase('connections', (kind) => {
  test('an application is approved, acts in the chosen workspace, is listed and is disconnected', async () => {
    const ctx = await people(kind);
    expect(await listConnections(ctx)).toEqual([]);
    const { tokens } = await connected(ctx);
    const row = await verifyAccessToken(ctx, tokens.accessToken, addresses);
    expect(row).toMatchObject({ userId: 'anna', workspace: 'user:anna', clientName: 'Editor' });
    const [connection, ...others] = await listConnections(ctx);
    expect(others).toEqual([]);
    expect(connection).toMatchObject({ clientName: 'Editor', vouchedBy: null, workspaceName: 'Individual' });
    expect(connection?.lastUsedAt).toBe(ctx.clock.now());
    await revokeConnection(ctx, { connectionId: row.id });
    expect(await isAlive(ctx, tokens.accessToken)).toBe(false);
    expect(await listConnections(ctx)).toEqual([]);
    await revokeConnection(ctx, { connectionId: row.id });
    expect(await auditOf(ctx)).toEqual(['connection.allow', 'connection.open', 'connection.revoke']);
  });

  test('tokens issued while the clock was ahead last no longer than new ones', async () => {
    const ctx = await people(kind);
    ctx.clock.set(ctx.clock.now() + 300 * dayMs);
    const { tokens, clientId } = await connected(ctx);
    ctx.clock.set(ctx.clock.now() - 300 * dayMs);
    await endConnectionsInTime(ctx.db.query, ctx.clock.now());
    expect(await isAlive(ctx, tokens.accessToken)).toBe(true);
    ctx.clock.advance(hourMs);
    expect(await isAlive(ctx, tokens.accessToken)).toBe(false);
    ctx.clock.advance(limits.connectionRefreshLifetimeDays * dayMs);
    const refreshed = refreshTokens(
      ctx,
      { clientId, refreshToken: tokens.refreshToken ?? '', resource: undefined },
      refreshParts,
    );
    await expect(refreshed).rejects.toThrow();
    expect(await listConnections(ctx)).toEqual([]);
  });

  test('the tokens of a disabled account are refused but not used up, and work again once it is enabled', async () => {
    const ctx = await people(kind);
    const { tokens, clientId } = await connected(ctx);
    const setDisabled = (disabledAt: number | null) => ctx.db.query.updateTable('users').set({ disabledAt }).execute();
    const refresh = () =>
      refreshTokens(ctx, { clientId, refreshToken: tokens.refreshToken ?? '', resource: undefined }, refreshParts);
    await setDisabled(1);
    expect(await isAlive(ctx, tokens.accessToken)).toBe(false);
    await expect(refresh()).rejects.toMatchObject({ code: 'invalid_grant' });
    await setDisabled(null);
    expect(await isAlive(ctx, tokens.accessToken)).toBe(true);
    expect(await refresh()).toHaveProperty('accessToken');
  });

  test('no credential is stored in plain text', async () => {
    const ctx = await people(kind);
    const { tokens, code } = await connected(ctx);
    const tables = ['oauthClients', 'connections', 'connectionCodes', 'connectionTokens', 'auditLog'] as const;
    for (const table of tables) {
      const stored = JSON.stringify(await ctx.db.query.selectFrom(table).selectAll().execute());
      for (const secret of [tokens.accessToken, tokens.refreshToken ?? '?', code]) expect(stored).not.toContain(secret);
    }
  });

  test('a consent without a token exchange creates no visible connection', async () => {
    const ctx = await people(kind);
    await allow(ctx, requestOf(await register(ctx)));
    expect(await listConnections(ctx)).toEqual([]);
  });

  test('another user gets the same refusal as for a missing connection and cannot end it', async () => {
    const ctx = await people(kind);
    const { tokens } = await connected(ctx);
    const { id: connectionId } = await verifyAccessToken(ctx, tokens.accessToken, addresses);
    const bert = as(ctx, 'bert');
    const refusal = (id: string) => revokeConnection(bert, { connectionId: id }).catch((error: Error) => error.message);
    expect(await refusal(connectionId)).toBe(await refusal('none'));
    expect(await listConnections(bert)).toEqual([]);
    expect(await isAlive(ctx, tokens.accessToken)).toBe(true);
  });

  test.each<Actor>([
    { kind: 'key', userId: 'anna', keyId: 'k', clientKind: null },
    { kind: 'connection', userId: 'anna', connectionId: 'c', clientName: 'Editor' },
    { kind: 'anonymous' },
  ])('a $kind cannot list, approve or end connections', async (actor) => {
    const ctx = await people(kind);
    const request = requestOf(await register(ctx));
    const agent = as(ctx, 'anna', actor);
    const code = actor.kind === 'anonymous' ? 'unauthenticated' : 'permission-denied';
    await expect(listConnections(agent)).rejects.toMatchObject({ code });
    await expect(allow(agent, request)).rejects.toMatchObject({ code });
    await expect(revokeConnection(agent, { connectionId: 'none' })).rejects.toMatchObject({ code });
  });

  test('a code can be exchanged once; a second exchange ends the access of the first', async () => {
    const ctx = await people(kind);
    const { exchange, tokens } = await connected(ctx);
    await expect(exchangeCode(ctx, exchange, addresses)).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(await isAlive(ctx, tokens.accessToken)).toBe(false);
    const { clientId } = exchange;
    const refreshToken = tokens.refreshToken ?? '';
    await expect(
      refreshTokens(ctx, { clientId, refreshToken, resource: undefined }, refreshParts),
    ).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    expect(await auditOf(ctx)).toEqual(['connection.allow', 'connection.open', 'connection.end']);
  });

  test('of two concurrent exchanges of a code at most one succeeds, and nothing stays connected', async () => {
    const ctx = await people(kind);
    const clientId = await register(ctx);
    const code = codeOf(await allow(ctx, requestOf(clientId)));
    const exchange = { clientId, code, codeVerifier: verifier, redirectUri: undefined, resource: undefined };
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => exchangeCode(ctx, exchange, addresses)));
    const granted = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(granted.length).toBeLessThanOrEqual(1);
    for (const { accessToken } of granted) expect(await isAlive(ctx, accessToken)).toBe(false);
    expect(await listConnections(ctx)).toEqual([]);
  });

  test.each([
    ['of another application', { clientId: 'another' }],
    ['with another address', { redirectUri: 'http://127.0.0.1:2/callback' }],
    ['with another verifier', { codeVerifier: 'b'.repeat(43) }],
    ['with a verifier that is too short', { codeVerifier: 'short' }],
  ])('a code is refused %s', async (_name, changes) => {
    const ctx = await people(kind);
    const clientId = await register(ctx);
    const code = codeOf(await allow(ctx, requestOf(clientId)));
    const exchange = { clientId, code, codeVerifier: verifier, redirectUri: undefined, resource: undefined };
    await expect(exchangeCode(ctx, { ...exchange, ...changes }, addresses)).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    // The code was shown to the wrong recipient, so it is void.
    await expect(exchangeCode(ctx, exchange, addresses)).rejects.toMatchObject({ code: 'invalid_grant' });
  });

  test('an expired code is refused, and so is an expired access token', async () => {
    const ctx = await people(kind);
    const clientId = await register(ctx);
    const code = codeOf(await allow(ctx, requestOf(clientId)));
    ctx.clock.advance(limits.connectionCodeLifetimeSeconds * 1000);
    const exchange = { clientId, code, codeVerifier: verifier, redirectUri: undefined, resource: undefined };
    await expect(exchangeCode(ctx, exchange, addresses)).rejects.toMatchObject({ code: 'invalid_grant' });
    const { tokens } = await connected(ctx);
    ctx.clock.advance(hourMs - 1);
    expect(await isAlive(ctx, tokens.accessToken)).toBe(true);
    ctx.clock.advance(1);
    expect(await isAlive(ctx, tokens.accessToken)).toBe(false);
  });

  test('a token is valid only for the resource it was issued for', async () => {
    const ctx = await people(kind);
    const { tokens, clientId } = await connected(ctx);
    const elsewhere = createOwnAddresses('https://other.example');
    await expect(verifyAccessToken(ctx, tokens.accessToken, elsewhere)).rejects.toMatchObject({
      code: 'connection-refused',
    });
    const refreshToken = tokens.refreshToken ?? '';
    const foreign = { clientId, refreshToken, resource: 'https://other.example/mcp' };
    await expect(refreshTokens(ctx, foreign, refreshParts)).rejects.toMatchObject({ code: 'invalid_target' });
    const own = { clientId, refreshToken, resource: `${publicUrl}/mcp` };
    expect(await refreshTokens(ctx, own, refreshParts)).toHaveProperty('accessToken');
  });

  test('each refresh token works once; reuse ends the connection', async () => {
    const ctx = await people(kind);
    const { clientId, tokens: first } = await connected(ctx);
    const refresh = (refreshToken: string | undefined) =>
      refreshTokens(ctx, { clientId, refreshToken: refreshToken ?? '', resource: undefined }, refreshParts);
    ctx.clock.advance(29 * dayMs);
    const second = await refresh(first.refreshToken);
    ctx.clock.advance(29 * dayMs);
    const third = await refresh(second.refreshToken);
    expect(await isAlive(ctx, third.accessToken)).toBe(true);
    ctx.clock.advance(60_001);
    await expect(refresh(second.refreshToken)).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(await isAlive(ctx, third.accessToken)).toBe(false);
    await expect(refresh(third.refreshToken)).rejects.toMatchObject({ code: 'invalid_grant' });
  });

  test('a connection has a limited number of exchanges a day, and a refused one leaves its token valid', async () => {
    const ctx = await people(kind);
    const { clientId, tokens } = await connected(ctx);
    const refresh = (refreshToken: string | undefined) =>
      refreshTokens(ctx, { clientId, refreshToken: refreshToken ?? '', resource: undefined }, refreshParts);
    const second = await refresh(tokens.refreshToken);
    await ctx.db.query
      .updateTable('rateCounts')
      .set({ count: limits.connectionRefreshesPerDayMax })
      .where('bucket', 'like', 'connection-refresh:%')
      .execute();
    await expect(refresh(second.refreshToken)).rejects.toMatchObject({
      code: 'temporarily_unavailable',
      retryAfterSeconds: dayMs / 1000,
    });
    expect(await isAlive(ctx, second.accessToken)).toBe(true);
    ctx.clock.advance(dayMs);
    expect(await refresh(second.refreshToken)).toHaveProperty('accessToken');
  });

  test('a person can have a limited number of connections; an ended one makes room and is deleted after a day', async () => {
    const ctx = await people(kind);
    const { tokens } = await connected(ctx);
    const [row] = await ctx.db.query.selectFrom('connections').selectAll().execute();
    if (row === undefined) throw new Error('no connection');
    const others = Array.from({ length: limits.connectionsPerPersonMax - 1 }, (_, index) => ({
      ...row,
      id: `c${index}`,
    }));
    await ctx.db.query.insertInto('connections').values(others).execute();
    const request = requestOf(await register(ctx));
    await expect(allow(ctx, request)).rejects.toMatchObject({ code: 'consent-refused' });
    expect((await allow(as(ctx, 'bert'), request)).get('code')).not.toBeNull();
    await revokeConnection(ctx, { connectionId: row.id });
    expect(await isAlive(ctx, tokens.accessToken)).toBe(false);
    expect((await allow(ctx, request)).get('code')).not.toBeNull();
    ctx.clock.advance(dayMs);
    await allow(as(ctx, 'bert'), request);
    const rows = await ctx.db.query.selectFrom('connections').select('id').where('id', '=', row.id).execute();
    expect(rows).toEqual([]);
  });

  test('expired tokens are removed at the next refresh, ended connections at the next consent', async () => {
    const ctx = await people(kind);
    const { clientId, tokens } = await connected(ctx);
    const count = async (table: 'connections' | 'connectionCodes' | 'connectionTokens') =>
      (await ctx.db.query.selectFrom(table).selectAll().execute()).length;
    let { refreshToken } = tokens;
    for (let hour = 0; hour < 3; hour += 1) {
      ctx.clock.advance(hourMs);
      const input = { clientId, refreshToken: refreshToken ?? '', resource: undefined };
      ({ refreshToken } = await refreshTokens(ctx, input, refreshParts));
    }
    // One access token, and every refresh token, since each of them might be presented again.
    expect(await count('connectionTokens')).toBe(1 + 4);
    ctx.clock.advance(31 * dayMs);
    await allow(ctx, requestOf(await register(ctx)));
    expect([await count('connections'), await count('connectionCodes'), await count('connectionTokens')]).toEqual([
      1, 1, 0,
    ]);
  });

  test('concurrent refreshes with one token all get the same pair, which stays valid', async () => {
    const ctx = await people(kind);
    const { clientId, tokens } = await connected(ctx);
    const input = { clientId, refreshToken: tokens.refreshToken ?? '', resource: undefined };
    const grants = await Promise.all(Array.from({ length: 6 }, () => refreshTokens(ctx, input, refreshParts)));
    const [grant] = grants;
    expect(new Set(grants.map(({ accessToken, refreshToken }) => `${accessToken} ${refreshToken}`)).size).toBe(1);
    expect(grant?.accessToken).not.toBe(tokens.accessToken);
    expect(await isAlive(ctx, grant?.accessToken ?? '')).toBe(true);
    ctx.clock.advance(60_000);
    const late = await refreshTokens(ctx, input, refreshParts);
    expect(late).toEqual({ ...grant, expiresInSeconds: (grant?.expiresInSeconds ?? 0) - 60 });
    const next = await refreshTokens(ctx, { ...input, refreshToken: grant?.refreshToken ?? '' }, refreshParts);
    expect(await isAlive(ctx, next.accessToken)).toBe(true);
    ctx.clock.advance(1);
    await expect(refreshTokens(ctx, input, refreshParts)).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(await isAlive(ctx, next.accessToken)).toBe(false);
  });

  test('a repeated refresh ends the connection only for another client, not after a key change', async () => {
    const ctx = await people(kind);
    const { clientId, tokens } = await connected(ctx);
    const input = { clientId, refreshToken: tokens.refreshToken ?? '', resource: undefined };
    const grant = await refreshTokens(ctx, input, refreshParts);
    const [key] = refreshParts.sealingKeys;
    const rotated = { ...refreshParts, sealingKeys: [new Uint8Array(32).fill(9), key] as const };
    expect(await refreshTokens(ctx, input, rotated)).toEqual(grant);
    const other = { ...refreshParts, sealingKeys: [new Uint8Array(32).fill(9)] as const };
    await expect(refreshTokens(ctx, input, other)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect(await isAlive(ctx, grant.accessToken)).toBe(true);
    const thief = await register(ctx, { client_name: 'Thief' });
    const stolen = refreshTokens(ctx, { ...input, clientId: thief }, refreshParts);
    await expect(stolen).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(await isAlive(ctx, grant.accessToken)).toBe(false);
    await expect(refreshTokens(ctx, input, refreshParts)).rejects.toMatchObject({ code: 'invalid_grant' });
  });

  test('a refresh token used by another application ends the connection', async () => {
    const ctx = await people(kind);
    const { tokens } = await connected(ctx);
    const thief = await register(ctx, { client_name: 'Thief' });
    const input = { clientId: thief, refreshToken: tokens.refreshToken ?? '', resource: undefined };
    await expect(refreshTokens(ctx, input, refreshParts)).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(await isAlive(ctx, tokens.accessToken)).toBe(false);
  });

  test('an access token cannot refresh, and an application without refresh support gets no refresh token', async () => {
    const ctx = await people(kind);
    const { clientId, tokens } = await connected(ctx);
    const input = { clientId, refreshToken: tokens.accessToken, resource: undefined };
    await expect(refreshTokens(ctx, input, refreshParts)).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(await isAlive(ctx, tokens.accessToken)).toBe(true);
    expect(await isAlive(ctx, tokens.refreshToken ?? '')).toBe(false);
    const other = await connected(ctx, { grant_types: ['authorization_code'] });
    expect(other.tokens.refreshToken).toBeUndefined();
    ctx.clock.advance(hourMs);
    expect((await listConnections(ctx)).length).toBe(1);
  });

  test('only the application itself can revoke its access, with either token', async () => {
    const ctx = await people(kind);
    for (const which of ['accessToken', 'refreshToken'] as const) {
      const { clientId, tokens } = await connected(ctx);
      const token = tokens[which] ?? '';
      await expect(revokeToken(ctx, { clientId: 'another', token })).rejects.toMatchObject({ code: 'invalid_grant' });
      expect(await isAlive(ctx, tokens.accessToken)).toBe(true);
      await revokeToken(ctx, { clientId, token });
      expect(await isAlive(ctx, tokens.accessToken)).toBe(false);
      await revokeToken(ctx, { clientId, token });
      await revokeToken(ctx, { clientId, token: 'unknown' });
    }
  });

  test('the tokens of a deleted account are invalid', async () => {
    const ctx = await people(kind);
    const { tokens, clientId } = await connected(ctx);
    await ctx.db.query.deleteFrom('users').where('id', '=', 'anna').execute();
    expect(await isAlive(ctx, tokens.accessToken)).toBe(false);
    const input = { clientId, refreshToken: tokens.refreshToken ?? '', resource: undefined };
    await expect(refreshTokens(ctx, input, refreshParts)).rejects.toMatchObject({ code: 'invalid_grant' });
  });
});
