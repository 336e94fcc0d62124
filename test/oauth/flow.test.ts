import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { connectionEndpoints } from '#contract/connections.ts';
import { type HttpRig, openHttpRig, type Sender } from '../http/http-rig.ts';
import { freePort } from '../services/free-port.ts';
import { createSelfSignedCertificate } from '../services/self-signed-certificate.ts';
import { until } from '../services/until.ts';
import { agent, agentKinds, callback } from './agent.ts';

/** Authorizes the request at the address that an agent opens, like the consent screen. */
async function allow(rig: HttpRig, toOpen: URL | undefined, person: Sender): Promise<URL> {
  expect(toOpen?.pathname).toBe('/oauth/authorize');
  const redirected = await rig.send(`${toOpen?.pathname}${toOpen?.search}`);
  expect(redirected.status).toBe(303);
  const screen = new URL(redirected.headers.get('location') ?? '', rig.url);
  expect(screen.pathname).toBe('/oauth/consent');
  const request = screen.search.slice(1);
  const question = await rig.ask(connectionEndpoints.describeConsent, { request }, person);
  expect(question.outcome).toBe('ask');
  const input = { request, isAllowed: true, workspaceId: 'individual' };
  return new URL((await rig.ask(connectionEndpoints.answerConsent, input, person)).url);
}

test.each(agentKinds)(
  'a %s client without a key gets access through the browser, refreshes it, and loses it',
  async (kind) => {
    const rig = await openHttpRig();
    const person = await rig.signIn();
    const client = agent(kind, `${rig.url}/mcp`);
    const answer = await allow(rig, await client.connect(), person);
    expect(answer.href.startsWith(`${callback}?`)).toBe(true);
    expect(answer.searchParams.get('state')).toBe('state-of-the-agent');
    expect(answer.searchParams.get('iss')).toBe(rig.url);
    await client.finish(answer);
    expect(await client.connect()).toBeUndefined();
    expect(await client.toolNames()).toContain('lectern_search_documentation');

    const first = { ...client.kept.tokens };
    expect(first).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'docs' });
    client.kept.tokens = { ...client.kept.tokens, token_type: 'Bearer', access_token: 'lca_expired' };
    expect(await client.connect()).toBeUndefined();
    expect(client.kept.tokens?.refresh_token).not.toBe(first.refresh_token);
    expect(await client.toolNames()).toContain('lectern_read_url');

    const { connections } = await rig.ask(connectionEndpoints.listConnections, {}, person);
    expect(connections).toMatchObject([{ clientName: 'Test editor', workspaceName: 'Individual' }]);
    await rig.ask(connectionEndpoints.revokeConnection, { connectionId: connections[0]?.id ?? '' }, person);
    expect((await client.connect())?.pathname).toBe('/oauth/authorize');
  },
);

test('a client configured with another name of this computer gets access under that name', async () => {
  const rig = await openHttpRig();
  const person = await rig.signIn();
  const url = rig.url.replace('127.0.0.1', 'localhost');
  const client = agent('session-less', `${url}/mcp`);
  const answer = await allow(rig, await client.connect(), person);
  expect(answer.searchParams.get('iss')).toBe(url);
  await client.finish(answer);
  expect(await client.connect()).toBeUndefined();
});

test('a client that receives another server’s response sends no code', async () => {
  const rig = await openHttpRig();
  const client = agent('session-less', `${rig.url}/mcp`);
  const answer = await allow(rig, await client.connect(), await rig.signIn());
  answer.searchParams.set('iss', 'https://evil.example');
  await expect(client.finish(answer)).rejects.toThrow(/issuer/i);
});

test('a client with a published metadata document needs no registration and is identified by its site', async () => {
  const certificate = createSelfSignedCertificate('localhost', new Date(Date.now() - 1e8), new Date(Date.now() + 1e8));
  const known = getCACertificates('default');
  setDefaultCACertificates([...known, certificate.cert]);
  const site = createServer(certificate, (_request, response) => {
    const body = { client_id: metadataUrl, client_name: 'Known editor', redirect_uris: ['http://127.0.0.1/callback'] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await once(site.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    setDefaultCACertificates(known);
    site.closeAllConnections();
    site.close();
  });
  const host = `localhost:${(site.address() as AddressInfo).port}`;
  const metadataUrl = `https://${host}/editor.json`;
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: host });
  const person = await rig.signIn();
  const client = agent('session-less', `${rig.url}/mcp`, { metadataUrl });
  await client.finish(await allow(rig, await client.connect(), person));
  expect(await client.connect()).toBeUndefined();
  expect(client.kept.client?.client_id).toBe(metadataUrl);
  const { connections } = await rig.ask(connectionEndpoints.listConnections, {}, person);
  expect(connections).toMatchObject([{ clientName: 'Known editor', vouchedBy: host }]);
});

/** Opens the redirect address; the program may print it a moment before it listens there. */
async function followBack(answer: URL): Promise<void> {
  await until('the program takes its answer', () =>
    fetch(answer).then(
      () => true,
      () => false,
    ),
  );
}

const conformance = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

test.each(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
  'the conformance scenarios for authorization servers of %s pass',
  async (version) => {
    const rig = await openHttpRig();
    const person = await rig.signIn();
    const port = await freePort();
    const registered = await rig.send('/oauth/register', {
      method: 'POST',
      body: JSON.stringify({ redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
    });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const args = ['authorization', '--url', rig.url, '--client-id', clientId, '--port', String(port)];
    const program = spawn(process.execPath, [
      ...[conformance, ...args, '--resource', `${rig.url}/mcp`, '--spec-version', version],
    ]);
    onTestFinished(() => void program.kill());
    let output = '';
    let opened: Promise<unknown> | undefined;
    const read = (piece: Buffer) => {
      output += piece.toString();
      const address = /(http:\S+\/oauth\/authorize\?\S+)\s/.exec(output)?.[1];
      if (address === undefined || opened) return;
      opened = allow(rig, new URL(address), person).then(followBack);
      // Without a response the program would wait forever; once killed, it shows its output so far.
      opened.catch(() => program.kill());
    };
    program.stdout.on('data', read);
    program.stderr.on('data', read);
    const [code] = (await once(program, 'close')) as [number];
    expect(code, output).toBe(0);
    await opened;
    expect(output).toMatch(/authorization-server-metadata-endpoint: [1-9]\d* passed, 0 failed/);
    expect(output).toMatch(/authorization-code-grant: [1-9]\d* passed, 0 failed/);
  },
  180_000,
);
