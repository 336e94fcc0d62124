import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { toRequest } from '#contract/endpoint.ts';
import { indexRequestEndpoints } from '#contract/index-requests.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { profileEndpoints } from '#contract/profile.ts';
import { searchEndpoints } from '#contract/search.ts';
import { signOnEndpoints } from '#contract/sign-on.ts';
import { teamAdministration } from '#contract/teams.ts';
import type { Context } from '#server/context.ts';
import { listJobs } from '#server/features/indexing/index.ts';
import { listRepositories } from '#server/features/repositories/list-repositories.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { cli } from '../cli/run-cli.ts';
import { type HttpRig, openHttpRig, type Sender } from '../http/http-rig.ts';
import { openRepositoryRig } from '../library/repository-rig.ts';
import { attacksOf } from '../services/attacks.ts';
import { type LoopbackServer, startLoopbackSocket, startWithCanaries } from '../services/loopback-server.ts';
import { until } from '../services/until.ts';

interface Address {
  id: string;
  url: string;
  expect: string;
  /** For metadata addresses: host names that resolve to them are tested at the guard. */
  resolvesTo?: string[] | string;
}

const literals = attacksOf<Address>('ssrf-literal.jsonl').filter(({ expect: wanted }) =>
  ['block', 'reject', 'policy'].includes(wanted),
);
const metadata = attacksOf<Address>('ssrf-metadata-urls.jsonl').filter(
  ({ url, resolvesTo }) => resolvesTo === undefined && URL.canParse(url),
);
const forbidden = [...literals, ...metadata];

// Only this loopback address counts as public here; the canaries on the others must never be reached.
const publicHost = '127.0.0.2';

interface Rig {
  rig: HttpRig;
  sender: Sender;
  origin: LoopbackServer;
  /** The origin's pages by path; a status with a location redirects there. */
  pages: Map<string, string | { status: number; location: string }>;
  /** `address:port` of every attempted connection. */
  reached: Set<string>;
  expectNothingReached(): void;
}

async function openRig(): Promise<Rig> {
  const pages: Rig['pages'] = new Map();
  const { server: origin, canaries } = await startWithCanaries(
    (request, response) => {
      const page = pages.get(request.url ?? '/');
      if (page === undefined) return response.writeHead(404).end('none');
      if (typeof page !== 'string') return response.writeHead(page.status, { location: latin(page.location) }).end();
      const isXml = page.startsWith('<?xml');
      const type = isXml ? 'application/xml' : request.url === '/robots.txt' ? 'text/plain' : 'text/html';
      return response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(page);
    },
    publicHost,
    ['127.0.0.1', '127.0.0.3', '::1'],
  );
  const reached = new Set<string>();
  const listen = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on('connectionAttempt', (address: string, port: number) => reached.add(`${address}:${port}`));
  };
  subscribe('net.client.socket', listen);
  onTestFinished(async () => {
    unsubscribe('net.client.socket', listen);
    await Promise.all([origin, ...canaries].map((one) => one.close()));
  });
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: `${publicHost}:${origin.port}` });
  const sender = await rig.signIn();
  await rig.running.installation.base.db.query.updateTable('users').set({ emailVerifiedAt: 1 }).execute();
  return {
    ...{ rig, sender, origin, pages, reached },
    expectNothingReached() {
      const allowed = new Set([`${publicHost}:${origin.port}`, `127.0.0.1:${rig.port}`, `::1:${rig.port}`]);
      expect([...reached].filter((one) => !allowed.has(one))).toEqual([]);
      expect(canaries.map(({ connectionCount }) => connectionCount)).toEqual([0, 0, 0]);
    },
  };
}

/** Returns the list's addresses, and the same hosts at the canaries' port, where servers listen. */
function addressesOf({ origin }: Rig): string[] {
  const own = forbidden.map(({ url }) => url);
  const atCanary = ['127.0.0.1', '127.0.0.3', '[::1]', 'localhost', '0', '127.1', '2130706433', '[::ffff:7f00:1]'].map(
    (host) => `http://${host}:${origin.port}/latest/meta-data/`,
  );
  return [...own, ...atCanary];
}

async function crawl({ rig, sender }: Rig, source: string, more: object = {}) {
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, { source, ...more }, sender);
  return until(
    'the run has ended',
    async () => {
      const answer = await rig.ask(libraryEndpoints.getJob, { jobId: job.id }, sender);
      return answer.job.endTime === null ? undefined : answer.job;
    },
    60_000,
  );
}

const latin = (text: string) => Buffer.from(text.replace(/[\r\n]/g, ''), 'utf8').toString('latin1');
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const page = (title: string, body: string) =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>Words about ${title}.</p>${body}</main>`;

describe.skipIf(forbidden.length === 0)('no input makes the server contact a non-public address', () => {
  beforeAll(() => expect(forbidden.length).toBeGreaterThan(300));

  test('by reading an address, or indexing it as a site or a repository', async () => {
    const opened = await openRig();
    const { rig, sender } = opened;
    const ask = async (
      endpoint: (typeof libraryEndpoints)['startIndexJob'] | (typeof searchEndpoints)['read'],
      input: object,
    ) => {
      const { path, body } = toRequest(endpoint, { ...input });
      const response = await rig.send(path, { method: endpoint.method, headers: sender, body: body ?? null });
      await response.arrayBuffer();
      return response.status;
    };
    // Every address is checked at each read; every third is also indexed, alternating between site and repository.
    for (const [at, url] of addressesOf(opened).entries()) {
      const read = await ask(searchEndpoints.read, { url });
      expect([url, read === 200 || read === 500]).toEqual([url, false]);
      if (at % 3 !== 0) continue;
      const source = [url, `${url.replace(/[/?#]*$/, '')}/owner/name.git`, `git+${url}`][(at / 3) % 3];
      const started = await ask(libraryEndpoints.startIndexJob, { source });
      expect([source, started === 500]).toEqual([source, false]);
    }
    for (const source of ['ext::sh -c touch% /tmp/pwn', '--upload-pack=touch /tmp/pwn', 'file:///etc/passwd']) {
      await ask(libraryEndpoints.startIndexJob, { source });
    }
    const isIdle = async () => {
      const { jobs } = await rig.ask(libraryEndpoints.listJobs, {}, sender);
      return jobs.every(({ endTime }) => endTime !== null);
    };
    await until('every run has ended', isIdle, 120_000);
    const { jobs } = await rig.ask(libraryEndpoints.listJobs, {}, sender);
    expect(jobs.filter(({ status }) => status === 'COMPLETE')).toEqual([]);
    opened.expectNothingReached();
  }, 240_000);

  test('by links, references, redirects, the sitemap or robots.txt of an indexed site', async () => {
    const opened = await openRig();
    const { origin, pages } = opened;
    const addresses = addressesOf(opened);
    const hops = addresses.map((location, at) => [`/docs/hop${at}`, location] as const);
    for (const [path, location] of hops) pages.set(path, { status: 302, location });
    const attributes = addresses.map((url) => {
      const to = escaped(url);
      return `<a href="${to}">x</a><img src="${to}"><iframe src="${to}"></iframe><link rel="next" href="${to}">`;
    });
    const links = hops.map(([path]) => `<a href="${path}">about ${path}</a>`);
    const refresh = `<meta http-equiv="refresh" content="0;url=http://127.0.0.1:${origin.port}/">`;
    pages.set('/docs/', page('home', `${refresh}${links.join('')}${attributes.join('')}`));
    const entries = addresses.map((url) => `<url><loc>${escaped(url)}</loc></url>`).join('');
    pages.set('/sitemap.xml', `<?xml version="1.0"?><urlset>${entries}</urlset>`);
    const sitemaps = addresses.map((url) => `Sitemap: ${url.replace(/[\r\n]/g, '')}`).join('\n');
    pages.set('/robots.txt', `User-agent: *\nAllow: /\nSitemap: ${origin.origin}/sitemap.xml\n${sitemaps}\n`);
    const job = await crawl(opened, `${origin.origin}/docs/`, { maxPages: 2_000 });
    expect(job).toMatchObject({ status: 'COMPLETE' });
    expect(opened.reached).toContain(`${publicHost}:${origin.port}`);
    // The redirects were requested, and each was stopped.
    const visited = new Set(origin.requests.map((line) => line.split(' ')[1]));
    expect(hops.filter(([path]) => !visited.has(path)).length).toBeLessThan(hops.length / 10);
    opened.expectNothingReached();
  }, 240_000);

  test('by redirects of robots.txt and the start page', async () => {
    const opened = await openRig();
    const { origin, pages } = opened;
    const location = `http://127.0.0.1:${origin.port}/robots.txt`;
    pages.set('/robots.txt', { status: 302, location });
    pages.set('/docs/', { status: 307, location });
    expect((await crawl(opened, `${origin.origin}/docs/`)).status).toBe('FAILED');
    opened.expectNothingReached();
  });

  test('by a team’s provider, or an application’s published metadata document', async () => {
    const opened = await openRig();
    const { rig, sender } = opened;
    const { teamId } = await rig.ask(teamAdministration.createTeam, { teamName: 'Docs' }, sender);
    const settings = { domain: 'docs.example', clientId: 'a', clientSecret: 'b', defaultRole: 'reader' };
    for (const [at, address] of addressesOf(opened).entries()) {
      const url = address.replace(/^http:/i, 'https:');
      if (at % 2 === 0) {
        const { path, body } = toRequest(signOnEndpoints.setSignOn, { teamId, issuer: url, ...settings });
        if (at % 50 === 0) await rig.running.installation.base.db.query.deleteFrom('rateCounts').execute();
        const set = await rig.send(path, { method: 'PUT', headers: sender, body: body ?? null });
        expect([url, set.status === 200 || set.status === 500]).toEqual([url, false]);
        await set.arrayBuffer();
        continue;
      }
      const query = new URLSearchParams({
        ...{ client_id: url, redirect_uri: 'http://127.0.0.1:9/cb', response_type: 'code', state: 'x' },
        ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
      });
      const asked = await rig.send(`/oauth/authorize?${query.toString()}`, {
        headers: { cookie: sender['cookie'] ?? '' },
      });
      expect([url, asked.status === 500]).toEqual([url, false]);
      await asked.arrayBuffer();
    }
    opened.expectNothingReached();
  }, 120_000);

  test('by pictures that sign-in providers name, which are never fetched', async () => {
    const opened = await openRig();
    const { rig, sender, origin } = opened;
    const photoUrl = `http://127.0.0.1:${origin.port}/a.png`;
    await rig.running.installation.base.db.query.updateTable('users').set({ photoUrl }).execute();
    for (const path of ['/api/session', '/api/identity/details', '/dashboard', '/account', '/api/teams']) {
      await (await rig.send(path, { headers: sender })).arrayBuffer();
    }
    opened.expectNothingReached();
  });

  test('by a repository’s contents: external links, a large file’s address, another repository', async () => {
    const canary = await startLoopbackSocket((socket) => socket.destroy());
    onTestFinished(() => canary.close());
    const rig = await openRepositoryRig();
    const repository = await rig.server.add('team/handbook');
    const away = canary.origin;
    await repository.commit({
      'README.md': { linkTo: '/etc/passwd' },
      'docs/up.md': { linkTo: '../../../../../../../../etc/passwd' },
      'docs/a.md': '# Guide\n\nThe lantern is brass.\n',
      'docs/large.md': `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12\n`,
      '.lfsconfig': `[lfs]\n url=${away}/lfs\n`,
      '.gitmodules': `[submodule "x"]\n path = x\n url = ${away}/x.git\n`,
      '.gitattributes': '*.md filter=lfs diff=lfs merge=lfs\n',
    });
    expect(await rig.index(repository.url)).toMatchObject({ status: 'COMPLETE' });
    const base = `${rig.server.origin}/team/handbook.git/main`;
    expect(await rig.read(`${base}/docs/a.md`)).toContain('brass');
    for (const path of ['README.md', 'docs/up.md']) {
      expect((await rig.read(`${base}/${path}`)) ?? '').not.toContain('root:');
    }
    expect(canary.connectionCount).toBe(0);
  }, 60_000);
});

test('a scheduled check contacts no address that a run would not contact, and queues no such run', async () => {
  const canary = await startLoopbackSocket((socket) => socket.destroy());
  onTestFinished(() => canary.close());
  const clock = createSettableClock();
  const rig = await openRepositoryRig({ clock });
  const repository = await rig.server.add('team/handbook');
  await repository.commit({ 'README.md': '# One' });
  await rig.index(repository.url);
  const modules = rig.ctx.db.query.updateTable('modules');
  const { source } = await rig.ctx.db.query.selectFrom('modules').select('source').executeTakeFirstOrThrow();
  await modules.set({ source: source.replaceAll(rig.server.origin, canary.origin) }).execute();
  clock.advance(5 * 60_000);
  // The first check takes over the changed source.
  for (let check = 0; check < 2; check += 1) {
    await rig.check();
    clock.advance(5 * 60_000);
  }
  expect(await listRepositories(rig.ctx)).toMatchObject([
    { url: expect.stringContaining(canary.origin), checkError: expect.stringContaining('is not a public address') },
  ]);
  expect([canary.connectionCount, (await listJobs(rig.ctx)).length]).toEqual([0, 1]);
});

test('every way to start an index run refuses a blocked address before the run starts', async () => {
  const rig = await openHttpRig();
  const { base, operatorContext, features } = rig.running.installation;
  const { checkHost: _, ...unchecked } = operatorContext();
  const source = `http://127.0.0.1:${rig.port}/docs/`;
  const input = { source, visibility: 'public' as const, seeds: [], maxPages: 5, moduleId: 'earlier' };
  const earlier = await features.indexing.startIndexJob(unchecked, input);
  await until('the earlier run has ended', async () => {
    const { job } = await rig.ask(libraryEndpoints.getJob, { jobId: earlier.id });
    return job.endTime === null ? undefined : job;
  });
  const files = [{ path: 'requirements.txt', text: 'flask==3.0.0\n' }];
  const { profile } = await rig.ask(profileEndpoints.setProfile, { name: 'app', files });
  const agent = { kind: 'key', userId: features.accounts.ownerId, keyId: 'k', clientKind: null, mayAskToIndex: true };
  const asking = { ...operatorContext(), actor: agent as Context['actor'] };
  await features.indexRequests.ask(asking, { address: 'https://docs.example/' });
  await base.db.query.updateTable('indexRequests').set({ source }).execute();
  const [request] = (await rig.ask(indexRequestEndpoints.listIndexRequests, {})).requests;
  const ways: [way: string, path: string, body: object][] = [
    ['the endpoint', '/api/jobs', { source }],
    ['the endpoint, for everybody', '/api/jobs', { source, visibility: 'public' }],
    ['a repository', '/api/jobs', { source: `git+${source}name.git` }],
    ['a branch', '/api/jobs', { source, ref: { kind: 'branch', name: 'main' } }],
    ['a further start page', '/api/jobs', { source: 'https://docs.example/', seeds: [source] }],
    ['the callable', '/callable/startIndexJobCallable', { data: { source } }],
    ['a refresh', '/api/modules/earlier/refresh', { visibility: 'public' }],
    ['a retry', `/api/jobs/${earlier.id}/retry`, {}],
    ['an approved request', `/api/index-requests/${request?.id}/approve`, {}],
    [
      "a project's libraries",
      `/api/profiles/${profile.profileId}/index`,
      { libraries: [{ ecosystem: 'pypi', name: 'flask', version: '3.0.0', address: source }] },
    ],
  ];
  const refusal = /private network|this computer|not public|is not an https address|LECTERN_ALLOW_HOSTS/;
  const outcomes = [];
  for (const [way, path, body] of ways) {
    const response = await rig.send(path, { method: 'POST', headers: rig.operator, body: JSON.stringify(body) });
    outcomes.push([way, refusal.test(await response.text())]);
  }
  const command = await cli(['index', source, '--data', rig.dataFolder]);
  outcomes.push(['the command line', refusal.test(command.errors)]);
  expect(outcomes).toEqual([...ways.map(([way]) => [way, true]), ['the command line', true]]);
  expect((await rig.ask(libraryEndpoints.listJobs, {})).jobs.map(({ id }) => id)).toEqual([earlier.id]);
});
