import type { IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { SourceSecret } from '#contract/source-credentials.ts';
import { listModules } from '#server/features/catalog/index.ts';
import { refreshModule } from '#server/features/indexing/start-again.ts';
import {
  createSourceCredential,
  removeSourceCredential,
} from '#server/features/source-credentials/source-credentials.ts';
import { type LoopbackServer, startLoopbackServer } from '../services/loopback-server.ts';
import { openRig, type Rig } from './rig.ts';

interface PrivateSite extends LoopbackServer {
  host: string;
  /** The headers of each request, by path. */
  shown: { path: string; headers: IncomingMessage['headers'] }[];
}

async function serving(answer: (path: string, headers: IncomingMessage['headers']) => Answer): Promise<PrivateSite> {
  const shown: PrivateSite['shown'] = [];
  const server = await startLoopbackServer((request, response) => {
    const path = request.url ?? '';
    shown.push({ path, headers: request.headers });
    const { status = 200, headers = {}, body = '' } = answer(path, request.headers);
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
  });
  onTestFinished(() => server.close());
  return Object.assign(server, { host: `127.0.0.1:${server.port}`, shown });
}

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

const page = (text: string, links = '') =>
  `<!doctype html><title>Handbook</title><main><h1>Handbook</h1><p>${text}</p>${links}</main>`;

/** Opens a site that requires `header: value`, and another that must never receive it. */
async function behind(header: string, value: string): Promise<{ site: PrivateSite; other: PrivateSite; rig: Rig }> {
  const other = await serving(() => ({ body: page('Public words of somebody else') }));
  const site = await serving((path, headers): Answer => {
    if (path === '/robots.txt') return { status: 404 };
    if (headers[header] !== value) return { status: 401, headers: { 'www-authenticate': 'Basic' } };
    if (path === '/docs/') {
      const links = `<a href="/docs/inside.html">inside</a> <a href="/docs/away.html">away</a> <a href="${other.origin}/x">x</a>`;
      return { body: page('The door code is swordfish', links) };
    }
    if (path === '/docs/away.html') return { status: 302, headers: { location: `${other.origin}/landing` } };
    return path === '/docs/inside.html' ? { body: page('The vault holds marzipan') } : { status: 404 };
  });
  return { site, other, rig: await openRig({ allowHosts: [site.host, other.host] }) };
}

function store(rig: Rig, site: PrivateSite, secret: SourceSecret) {
  const deps = { sealingKeys: rig.deps.sealingKeys, allowHosts: [site.host] };
  return createSourceCredential(rig.ctx, { url: site.origin, secret }, deps);
}

test.each<[SourceSecret, string, string]>([
  [{ kind: 'header', name: 'X-Docs-Key', value: 'let me in' }, 'x-docs-key', 'let me in'],
  [{ kind: 'cookie', value: 'session=abc; more=d' }, 'cookie', 'session=abc; more=d'],
  [{ kind: 'basic', username: 'anna', password: 'pässword' }, 'authorization', 'Basic YW5uYTpww6Rzc3dvcmQ='],
])('a site behind a %o is read with it, and it is sent to no other host', async (secret, header, value) => {
  const { site, other, rig } = await behind(header, value);
  const { id: credentialId } = await store(rig, site, secret);
  const job = await rig.index(`${site.origin}/docs/`, { moduleId: 'handbook', visibility: undefined, credentialId });
  expect(job).toMatchObject({ status: 'COMPLETE', error: null, fetched: 2, visibility: 'private' });
  expect(await rig.read(`${site.origin}/docs/inside.html`)).toContain('marzipan');
  expect(site.shown.filter(({ path, headers }) => path.startsWith('/docs/') && headers[header] !== value)).toEqual([]);
  expect(other.shown.filter(({ headers }) => headers[header] !== undefined)).toEqual([]);
  expect((await listModules(rig.ctx))[0]).toMatchObject({ moduleId: 'handbook', hasCredential: true });
});

test('without its credential the run fails and says so; a credential is kept for refreshes until it is removed', async () => {
  const { site, rig } = await behind('x-docs-key', 'let me in');
  const url = `${site.origin}/docs/`;
  const shut = await rig.index(url, { moduleId: 'handbook', visibility: 'private' });
  expect(shut).toMatchObject({ status: 'FAILED', error: expect.stringContaining('401') });
  const { id } = await store(rig, site, { kind: 'header', name: 'x-docs-key', value: 'let me in' });
  await rig.index(url, { moduleId: 'handbook', visibility: 'private', credentialId: id });
  // Neither source names the credential.
  expect(await rig.index(url, { moduleId: 'handbook', visibility: 'private' })).toMatchObject({ status: 'COMPLETE' });
  await refreshModule(rig.ctx, { moduleId: 'handbook' }, rig.notices);
  expect(await rig.runNext()).toMatchObject({ status: 'COMPLETE' });
  await removeSourceCredential(rig.ctx, { credentialId: id });
  await refreshModule(rig.ctx, { moduleId: 'handbook' }, rig.notices);
  expect(await rig.runNext()).toMatchObject({
    status: 'FAILED',
    error: `The source needs a credential that was removed. Store one for ${site.origin} under Resources, and index it again with that.`,
  });
  expect(await rig.read(`${site.origin}/docs/inside.html`)).toContain('marzipan');
});

test('a credential is refused for the public index, a folder, another host and another workspace', async () => {
  const { site, rig } = await behind('x-docs-key', 'let me in');
  const { id: credentialId } = await store(rig, site, { kind: 'header', name: 'x-docs-key', value: 'let me in' });
  const url = `${site.origin}/docs/`;
  const refusal = (words: string) => ({ code: 'source-refused', message: expect.stringContaining(words) });
  await expect(rig.start(url, { visibility: 'public', credentialId })).rejects.toMatchObject(refusal('private'));
  await expect(rig.start('/tmp', { visibility: 'private', credentialId })).rejects.toMatchObject(refusal('Folders'));
  await expect(rig.start('https://docs.example/', { visibility: 'private', credentialId })).rejects.toMatchObject(
    refusal('sent nowhere else'),
  );
  const stranger = rig.as('stranger');
  await expect(rig.start(url, { visibility: 'private', credentialId }, stranger)).rejects.toMatchObject({
    code: 'source-credential-not-found',
  });
});
