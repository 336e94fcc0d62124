import { expect, test } from 'vitest';
import { onEachDatabase } from '#test/services/database.ts';
import {
  addresses,
  allow,
  as,
  partsWith,
  people,
  publicUrl,
  redirectUri,
  register,
  requestOf,
} from '#test/services/sample-application.ts';
import { answerConsent, describeConsent } from './consent.ts';
import { createOwnAddresses } from './own-addresses.ts';

const parts = partsWith();

onEachDatabase('consent', (kind) => {
  test('the user sees which application asks and where the response goes', async () => {
    const ctx = await people(kind);
    const request = requestOf(await register(ctx), { redirect_uri: 'http://127.0.0.1:51234/callback' });
    expect(await describeConsent(ctx, { request }, parts)).toEqual({
      outcome: 'ask',
      clientName: 'Editor',
      vouchedBy: null,
      redirect: { kind: 'this-computer', target: '127.0.0.1:51234' },
      workspaces: [{ id: 'individual', name: 'Individual' }],
    });
  });

  test('the response contains the state and the issuer, whether the user agrees or not', async () => {
    const ctx = await people(kind);
    const request = requestOf(await register(ctx));
    const allowed = await allow(ctx, request);
    expect([...allowed.keys()].toSorted()).toEqual(['code', 'iss', 'state']);
    expect(Object.fromEntries(allowed)).toMatchObject({ state: 'the state', iss: publicUrl });
    const denied = await answerConsent(ctx, { request, isAllowed: false, workspaceId: '' }, parts);
    expect(denied.url).toBe(`${redirectUri}?error=access_denied&state=the+state&iss=${encodeURIComponent(publicUrl)}`);
    expect((await ctx.db.query.selectFrom('connections').select('id').execute()).length).toBe(1);
  });

  test('a redirect address keeps its own parameters and cannot inject a code', async () => {
    const ctx = await people(kind);
    const uri = 'https://app.example/cb?tenant=1&code=stale&iss=https://evil.example';
    const answer = await allow(ctx, requestOf(await register(ctx, { redirect_uris: [uri] }), { redirect_uri: uri }));
    expect(answer.getAll('code').length).toBe(1);
    expect(answer.get('code')).not.toBe('stale');
    expect(answer.getAll('iss')).toEqual([publicUrl]);
    expect(answer.get('tenant')).toBe('1');
  });

  test.each([
    ['no application', { client_id: undefined }, 'request-unreadable', false],
    ['an unknown application', { client_id: 'app_unknown' }, 'client-unknown', false],
    ['a foreign address', { redirect_uri: 'https://evil.example/cb' }, 'redirect-unknown', false],
    ['an address that runs code', { redirect_uri: 'javascript:alert(1)' }, 'redirect-unknown', false],
    ['another path of this computer', { redirect_uri: 'http://127.0.0.1/evil' }, 'redirect-unknown', false],
    ['a token at once', { response_type: 'token' }, 'response-type', true],
    ['an answer in a form', { response_mode: 'form_post' }, 'response-type', true],
    ['no challenge', { code_challenge: undefined }, 'challenge-missing', true],
    ['no method of the challenge', { code_challenge_method: undefined }, 'challenge-missing', true],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'challenge-missing', true],
    ['a short challenge', { code_challenge: 'abc' }, 'challenge-missing', true],
    ['another resource', { resource: 'https://other.example/mcp' }, 'resource-foreign', true],
    ['a resource beside ours', { resource: `${publicUrl}/mcp/other` }, 'resource-foreign', true],
    ['our resource with a fragment', { resource: `${publicUrl}/mcp#x` }, 'resource-foreign', true],
  ])('%s is refused before and at consent', async (_name, changes, reason, isReturned) => {
    const ctx = await people(kind);
    const request = requestOf(await register(ctx), changes);
    const described = await describeConsent(ctx, { request }, parts);
    expect(described).toMatchObject({ outcome: 'refused', reason });
    // No response goes to an address that the application has not registered.
    const url = described.outcome === 'refused' ? described.returnTo?.url : undefined;
    expect(url?.startsWith(`${redirectUri}?error=`) === true).toBe(isReturned);
    await expect(allow(ctx, request)).rejects.toMatchObject({ code: 'consent-refused' });
    expect(await ctx.db.query.selectFrom('connections').select('id').execute()).toEqual([]);
  });

  test('a duplicate parameter is refused', async () => {
    const ctx = await people(kind);
    const request = `${requestOf(await register(ctx))}&redirect_uri=https%3A%2F%2Fevil.example`;
    expect(await describeConsent(ctx, { request }, parts)).toMatchObject({
      reason: 'request-unreadable',
      returnTo: null,
    });
  });

  test('the resource defaults to this server; a repeated one is accepted, two different ones are refused', async () => {
    const ctx = await people(kind);
    const clientId = await register(ctx);
    const ask = (request: string) => describeConsent(ctx, { request }, parts);
    const twice = `${requestOf(clientId)}&resource=${encodeURIComponent(`${publicUrl}/mcp`)}`;
    expect(await ask(requestOf(clientId, { resource: undefined }))).toMatchObject({ outcome: 'ask' });
    expect(await ask(requestOf(clientId, { resource: `${publicUrl}/mcp/` }))).toMatchObject({ outcome: 'ask' });
    expect(await ask(twice)).toMatchObject({ outcome: 'ask' });
    expect(await ask(`${twice}&resource=https%3A%2F%2Fother.example%2Fmcp`)).toMatchObject({
      reason: 'resource-foreign',
    });
  });

  test('without a redirect address the only registered one is used', async () => {
    const ctx = await people(kind);
    const one = await register(ctx);
    const two = await register(ctx, { redirect_uris: [redirectUri, 'https://app.example/cb'] });
    const ask = (clientId: string) =>
      describeConsent(ctx, { request: requestOf(clientId, { redirect_uri: undefined }) }, parts);
    expect(await ask(one)).toMatchObject({ outcome: 'ask' });
    expect(await ask(two)).toMatchObject({ reason: 'redirect-unknown' });
  });

  test('users cannot approve an application with an unverified address or into a workspace they cannot access', async () => {
    const ctx = await people(kind);
    const request = requestOf(await register(ctx));
    const carl = as(ctx, 'carl');
    expect(await describeConsent(carl, { request }, parts)).toEqual({ outcome: 'unverified' });
    await expect(allow(carl, request)).rejects.toMatchObject({ code: 'email-not-verified' });
    for (const workspaceId of ['', 'team:1', 'user:bert']) {
      const input = { request, isAllowed: true, workspaceId };
      await expect(answerConsent(ctx, input, parts)).rejects.toMatchObject({ code: 'consent-refused' });
    }
  });
});

test('a loopback installation is recognized by each of its names', () => {
  const local = createOwnAddresses('http://127.0.0.1:7331');
  expect(local.at('localhost:7331')).toEqual({
    issuer: 'http://localhost:7331',
    resource: 'http://localhost:7331/mcp',
  });
  expect(local.ofResource('http://[::1]:7331/mcp')?.issuer).toBe('http://[::1]:7331');
  expect(local.at('evil.example:7331').issuer).toBe('http://127.0.0.1:7331');
  expect(local.ofResource('http://localhost:7332/mcp')).toBeUndefined();
  expect(addresses.at('localhost').issuer).toBe(publicUrl);
  expect(addresses.ofResource('http://localhost/mcp')).toBeUndefined();
});
