import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { startLoopbackServer } from '#test/services/loopback-server.ts';
import {
  as,
  partsWith,
  people,
  redirectUri,
  register,
  requestOf,
  type Sample,
} from '#test/services/sample-application.ts';
import { createSelfSignedCertificate } from '#test/services/self-signed-certificate.ts';
import { describeConsent } from './consent.ts';
import { registerClient } from './index.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const minuteMs = 60_000;

onEachDatabase('registering applications', (kind) => {
  test('a registered application gets an id and no access', async () => {
    const ctx = await people(kind);
    const input = { client_name: 'Editor', redirect_uris: [redirectUri, redirectUri], software_id: 'x' };
    const client = await registerClient(ctx, input, '192.0.2.1');
    expect(client).toMatchObject({ name: 'Editor', redirectUris: [redirectUri], usesRefresh: true });
    expect(client.clientId).toMatch(/^app_[\w-]{22}$/);
  });

  test.each([
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://app.example/cb' }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [redirectUri, 'http://app.example/cb'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: Array.from({ length: 11 }, (_, i) => `https://app.example/${i}`) }, 'invalid_redirect_uri'],
    [{ redirect_uris: [redirectUri], grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    [{ redirect_uris: [redirectUri], response_types: ['token'] }, 'invalid_client_metadata'],
    [{ redirect_uris: [redirectUri], client_name: 7 }, 'invalid_client_metadata'],
    [null, 'invalid_client_metadata'],
    [[], 'invalid_client_metadata'],
  ])('%j is refused', async (input, code) => {
    const ctx = await people(kind);
    await expect(registerClient(ctx, input, '192.0.2.1')).rejects.toMatchObject({ code });
  });

  test('control and invisible characters are removed from a name, and double quotes replaced', async () => {
    const ctx = await people(kind);
    const nameOf = async (name: string) =>
      (await registerClient(ctx, { client_name: name, redirect_uris: [redirectUri] }, '192.0.2.1')).name;
    expect(await nameOf('  Edi\u0000tor\n\n 2 ')).toBe('Edi tor 2');
    expect(await nameOf('Editor\u202eevil\u2066\u200b')).toBe('Editor evil');
    for (const blank of ['\u3164\u200b', '\u2800\u2800', '\u034f\ufe0f', '\u17b4'])
      expect(await nameOf(blank)).toBe('127.0.0.1');
    expect(await nameOf('Claude” is allowed. “\uff02')).toBe("Claude' is allowed. ''");
    expect((await nameOf('x'.repeat(500))).length).toBe(limits.clientNameCharactersMax);
    expect((await nameOf(`a${'\u0301'.repeat(500)}`)).length).toBeLessThan(5);
    // Removed before sorting, which takes quadratic time.
    expect(await nameOf(`a${'\u064c\u064b'.repeat(80_000)}`)).toBe('a\u064b\u064c');
  });

  test('too many registrations from one address are refused, without affecting others', async () => {
    const ctx = await people(kind);
    const flood = () => registerClient(ctx, { redirect_uris: [redirectUri] }, '192.0.2.66');
    for (let i = 0; i < 60; i += 1) await flood();
    await expect(flood()).rejects.toMatchObject({ code: 'temporarily_unavailable', retryAfterSeconds: 3600 });
    await register(ctx);
    ctx.clock.advance(hourMs + 1);
    await flood();
  });

  test('too many registrations overall are refused', async () => {
    const ctx = await people(kind);
    const from = (i: number) => registerClient(ctx, { redirect_uris: [redirectUri] }, `198.51.${i >> 8}.${i & 255}`);
    await Promise.all(Array.from({ length: 10 }, (_, i) => from(i)));
    await ctx.db.query
      .updateTable('rateCounts')
      .set({ count: 1_000 })
      .where('bucket', '=', 'application-all')
      .execute();
    await expect(from(2_000)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  });

  test('an application without connections is deleted', async () => {
    const ctx = await people(kind);
    const clientId = await register(ctx);
    ctx.clock.advance(limits.clientUnusedDays * dayMs + 1);
    const ask = () => describeConsent(ctx, { request: requestOf(clientId) }, partsWith());
    expect(await ask()).toMatchObject({ outcome: 'ask' });
    await register(ctx);
    expect(await ask()).toMatchObject({ reason: 'client-unknown' });
  });
});

onEachDatabase('client metadata documents', (kind) => {
  let answer: { status?: number; headers?: Record<string, string>; body: string };
  let requests: string[] = [];
  let clientId: string;
  let host: string;
  const known = getCACertificates('default');
  const certificate = createSelfSignedCertificate(
    'localhost',
    new Date(Date.now() - dayMs),
    new Date(Date.now() + dayMs),
  );
  const site = createServer(certificate, (request, response) => {
    requests.push(request.url ?? '');
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body);
  });

  beforeAll(async () => {
    setDefaultCACertificates([...known, certificate.cert]);
    await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve));
    host = `localhost:${(site.address() as AddressInfo).port}`;
    clientId = `https://${host}/app.json`;
  });
  afterAll(() => {
    setDefaultCACertificates(known);
    site.closeAllConnections();
    site.close();
  });
  beforeEach(() => {
    requests = [];
    answer = { body: JSON.stringify({ client_id: clientId, client_name: 'Editor', redirect_uris: [redirectUri] }) };
  });

  const ask = (ctx: Sample, id = clientId, allowHosts = [host]) =>
    describeConsent(
      ctx,
      { request: requestOf(id) },
      partsWith(
        createOutbound({ allowHosts, userAgent: 'test', resolve: async () => [{ address: '127.0.0.1', family: 4 }] }),
      ),
    );

  test('an application is identified by its metadata document, refetched when expired or when its row is damaged', async () => {
    const ctx = await people(kind);
    answer.headers = { 'cache-control': 'public, max-age=600' };
    expect(await ask(ctx)).toMatchObject({ outcome: 'ask', clientName: 'Editor', vouchedBy: host });
    ctx.clock.advance(9 * minuteMs);
    expect(await ask(ctx)).toMatchObject({ outcome: 'ask' });
    expect(requests.length).toBe(1);
    await ctx.db.query.updateTable('oauthClients').set({ redirectUris: '["htt' }).execute();
    expect(await ask(ctx)).toMatchObject({ outcome: 'ask' });
    expect(requests.length).toBe(2);
    ctx.clock.advance(10 * minuteMs);
    answer.body = JSON.stringify({ client_id: clientId, client_name: 'Editor 2', redirect_uris: [redirectUri] });
    expect(await ask(ctx)).toMatchObject({ clientName: 'Editor 2' });
    answer.status = 500;
    ctx.clock.advance(29 * dayMs);
    expect(await ask(ctx)).toMatchObject({ clientName: 'Editor 2' });
    answer.status = 404;
    expect(await ask(ctx)).toMatchObject({ reason: 'client-unreadable' });
    answer.status = 403;
    ctx.clock.advance(2 * dayMs);
    expect(await ask(ctx)).toMatchObject({ reason: 'client-unreachable' });
  });

  test.each([
    ['https://claude.ai/oauth/claude-code-client-metadata', 'Claude Code', 'http://localhost:3118/callback'],
    ['https://chatgpt.com/oauth/codex/client.json', 'Codex', 'http://127.0.0.1:41234/callback'],
    ['https://chatgpt.com/oauth/codex/4-bzS8rt42zJ/client.json', 'Codex', 'http://127.0.0.1:4/callback/4-bzS8rt42zJ'],
    ['https://vscode.dev/oauth/client-metadata.json', 'Visual Studio Code', 'https://vscode.dev/redirect'],
  ])('a built-in copy is used for %s if its site is unreachable', async (id, clientName, redirect) => {
    const ctx = await people(kind);
    const away = createOutbound({
      allowHosts: [],
      userAgent: 'test',
      resolve: () => Promise.reject(new Error('away')),
    });
    const question = (changes: Record<string, string>, reads = true) =>
      describeConsent(ctx, { request: requestOf(id, changes) }, { ...partsWith(away), readsClientDocuments: reads });
    const vouchedBy = new URL(id).host;
    expect(await question({ redirect_uri: redirect })).toMatchObject({ outcome: 'ask', clientName, vouchedBy });
    const foreign = await question({ redirect_uri: 'https://evil.example/callback' });
    expect(foreign).toMatchObject({ outcome: 'refused', reason: 'redirect-unknown' });
    expect(await question({ redirect_uri: redirect }, false)).toMatchObject({ reason: 'client-documents-off' });
  });

  test('no built-in copy is used for a similar address', async () => {
    const ctx = await people(kind);
    const away = createOutbound({
      allowHosts: [],
      userAgent: 'test',
      resolve: () => Promise.reject(new Error('away')),
    });
    for (const id of ['https://claude.ai/oauth/other', 'https://chatgpt.com/oauth/codex/a/b/client.json']) {
      const answered = await describeConsent(ctx, { request: requestOf(id) }, partsWith(away));
      expect(answered).toMatchObject({ reason: 'client-unreachable' });
    }
  });

  test('no document is cached longer than a day', async () => {
    const ctx = await people(kind);
    answer.headers = { 'cache-control': 'max-age=999999999' };
    await ask(ctx);
    ctx.clock.advance(dayMs);
    await ask(ctx);
    expect(requests.length).toBe(2);
    // The document was read while the clock was ahead.
    ctx.clock.set(ctx.clock.now() - 30 * dayMs);
    await ask(ctx);
    expect(requests.length).toBe(3);
  });

  test.each<[string, () => typeof answer]>([
    ['of another id', () => ({ body: JSON.stringify({ client_id: `${clientId}?`, redirect_uris: [redirectUri] }) })],
    ['without an id', () => ({ body: JSON.stringify({ redirect_uris: [redirectUri] }) })],
    ['with a secret', () => ({ body: answer.body.replace('{', '{"client_secret":"x",') })],
    ['with an address that runs code', () => ({ body: answer.body.replace('http:', 'javascript:') })],
    ['that is a page', () => ({ ...answer, headers: { 'content-type': 'text/html' } })],
    ['that is no JSON', () => ({ body: '{' })],
    ['that is a list', () => ({ body: '[]' })],
    ['that is not found', () => ({ ...answer, status: 404 })],
    ['that is elsewhere', () => ({ ...answer, status: 302, headers: { location: `https://${host}/other.json` } })],
    ['that is huge', () => ({ body: answer.body.padEnd(limits.clientDocumentBytesMax + 1) })],
  ])('a metadata document %s is refused', async (_name, change) => {
    const ctx = await people(kind);
    answer = change();
    expect(await ask(ctx)).toEqual({ outcome: 'refused', reason: 'client-unreadable', returnTo: null });
    expect(requests).toEqual(['/app.json']);
  });

  test('one user can have a limited number of sites fetched an hour, and unused documents are deleted', async () => {
    const ctx = await people(kind);
    const other = (number: number) => `https://${host}/${number}.json`;
    const read = (number: number, by = ctx) => {
      answer.body = JSON.stringify({ client_id: other(number), redirect_uris: [redirectUri] });
      return ask(by, other(number));
    };
    for (let number = 0; number < 60; number += 1) expect(await read(number)).toMatchObject({ outcome: 'ask' });
    await expect(read(60)).rejects.toMatchObject({ code: 'rate-limited', retryAfterSeconds: 3600 });
    expect(requests.length).toBe(60);
    expect(await ask(ctx, other(0))).toMatchObject({ outcome: 'ask' });
    expect(await read(60, as(ctx, 'bert'))).toMatchObject({ outcome: 'ask' });
    ctx.clock.advance(limits.clientUnusedDays * dayMs + 1);
    expect(await read(61)).toMatchObject({ outcome: 'ask' });
    const kept = await ctx.db.query.selectFrom('oauthClients').select('id').execute();
    expect(kept).toEqual([{ id: other(61) }]);
  });

  test.each([
    () => `http://${host}/app.json`,
    () => `https://${host}`,
    () => `https://${host}/`,
    () => `https://user@${host}/app.json`,
    () => `https://${host}/app.json#part`,
    () => `https://${host}/a/../app.json`,
    () => `HTTPS://${host}/app.json`,
    () => 'urn:app',
    () => 'file:///etc/passwd',
  ])('an invalid address is not fetched (%#)', async (id) => {
    const ctx = await people(kind);
    expect(await ask(ctx, id())).toMatchObject({ reason: 'client-unreadable' });
    expect(requests).toEqual([]);
  });

  test('an unencrypted document is not fetched', async () => {
    const ctx = await people(kind);
    const plain = await startLoopbackServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer.body);
    });
    onTestFinished(() => plain.close());
    const id = `${plain.origin}/app.json`;
    answer = { body: JSON.stringify({ client_id: id, redirect_uris: [redirectUri] }) };
    expect(await ask(ctx, id, [new URL(id).host])).toMatchObject({ reason: 'client-unreadable' });
    expect(plain.requests).toEqual([]);
  });

  test.each([
    () => clientId,
    () => 'https://169.254.169.254/latest/meta-data',
    () => 'https://[::ffff:169.254.169.254]/latest',
    () => 'https://2852039166/latest',
    () => 'https://localhost/app.json',
    () => 'https://metadata.google.internal/computeMetadata',
    () => `https://app.example:${host.split(':')[1]}/app.json`,
  ])('a private address is not contacted unless the operator allows it (%#)', async (id) => {
    const ctx = await people(kind);
    // An address that is not in normalized form is refused unread.
    const reason = URL.parse(id())?.href === id() ? 'client-unreachable' : 'client-unreadable';
    expect(await ask(ctx, id(), [])).toMatchObject({ reason });
    expect(requests).toEqual([]);
  });
});
