import { expect, onTestFinished, test } from 'vitest';
import { openTestGit } from '#test/services/git-client.ts';
import { type GitServer, startGitServer } from '#test/services/git-server.ts';
import { type LoopbackServer, startLoopbackSocket } from '#test/services/loopback-server.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';

// Of all loopback addresses only 127.0.0.2 counts as public here; the canaries on the others must never be reached.
const publicAddress = '127.0.0.2';
const canaryAddresses = ['127.0.0.1', '127.0.0.3', '::1'];

interface Rig {
  server: GitServer;
  port: number;
  canaryCount(): number;
  git: ReturnType<typeof openTestGit>['git'];
}

async function openRig(lookups: Record<string, string[][]> = {}): Promise<Rig> {
  const server = await startGitServer(temporaryFolder(), publicAddress);
  onTestFinished(() => server.stop());
  const port = Number(new URL(server.origin).port);
  const canaries: LoopbackServer[] = [];
  for (const address of canaryAddresses) {
    const canary = await startLoopbackSocket((socket) => socket.destroy(), address, port);
    canaries.push(canary);
    onTestFinished(() => canary.close());
  }
  const asked: Record<string, number> = {};
  const { git, exit } = openTestGit({
    policy: { publicRanges: [`${publicAddress}/32`] },
    resolve: async (hostname) => {
      const answers = lookups[hostname] ?? [[publicAddress]];
      const index = asked[hostname] ?? 0;
      asked[hostname] = index + 1;
      const found = answers[Math.min(index, answers.length - 1)] ?? [];
      return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  });
  onTestFinished(() => exit.close());
  return {
    server,
    port,
    git,
    canaryCount: () => canaries.reduce((sum, { connectionCount }) => sum + connectionCount, 0),
  };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'read',
    (error: Error & { code: string }) => error.code,
  );

test('a repository at a public address is read, by name or by address', async () => {
  const { server, port, git, canaryCount } = await openRig();
  const repository = await server.add('o/r');
  await repository.commit({ 'README.md': 'x' });
  expect(await codeOf(git.findRef({ url: repository.url }))).toBe('read');
  expect(await codeOf(git.findRef({ url: `http://git.example.com:${port}/o/r.git` }))).toBe('read');
  expect(canaryCount()).toBe(0);
});

test.each([
  '127.0.0.1',
  '127.0.0.3',
  '[::1]',
  'localhost',
  '2130706433',
  '0x7f.1',
  '127.1',
  '[::ffff:127.0.0.1]',
  '0.0.0.0',
  'git.internal',
  'printer',
])('a repository on %s is not contacted, over HTTP or SSH', async (hostname) => {
  const { port, git, canaryCount } = await openRig({ '0x7f.1': [['127.0.0.1']] });
  expect(await codeOf(git.findRef({ url: `http://${hostname}:${port}/o/r.git` }))).toBe('address-refused');
  const credential = { kind: 'ssh-key' as const, privateKey: 'x' };
  const shell = await codeOf(git.findRef({ url: `ssh://git@${hostname}:${port}/o/r.git`, credential }));
  expect(['address-refused', 'bad-repository-address']).toContain(shell);
  expect(canaryCount()).toBe(0);
});

test('a name that resolves to a private address, immediately or later, is not contacted', async () => {
  const { server, port, git, canaryCount } = await openRig({
    'inside.example.com': [['127.0.0.3']],
    'mixed.example.com': [[publicAddress, '127.0.0.1']],
    'rebinding.example.com': [[publicAddress], ['127.0.0.3']],
  });
  const repository = await server.add('o/r');
  await repository.commit({ 'README.md': 'x' });
  const url = (name: string) => `http://${name}.example.com:${port}/o/r.git`;
  expect(await codeOf(git.findRef({ url: url('inside') }))).toBe('address-refused');
  expect(await codeOf(git.findRef({ url: url('mixed') }))).toBe('address-refused');
  expect(await codeOf(git.fetchTree({ url: url('rebinding') }, {}))).toBe('address-refused');
  const credential = { kind: 'ssh-key' as const, privateKey: 'x' };
  const shell = `ssh://git@inside.example.com:${port}/o/r.git`;
  expect(await codeOf(git.findRef({ url: shell, credential }))).toBe('address-refused');
  expect(canaryCount()).toBe(0);
});

test.each([
  (port: number) => `http://127.0.0.3:${port}/o/r.git/info/refs?service=git-upload-pack`,
  (port: number) => `http://localhost:${port}/o/r.git/info/refs?service=git-upload-pack`,
  (port: number) => `https://127.0.0.1:${port}/o/r.git/info/refs?service=git-upload-pack`,
  (port: number) => `http://second.example.com:${port}/o/r.git/info/refs?service=git-upload-pack`,
  () => 'file:///etc/passwd',
  () => 'gopher://127.0.0.1/x',
])('a redirect to another host is not followed (%#)', async (location) => {
  const { server, port, git, canaryCount } = await openRig();
  const repository = await server.add('o/r');
  await repository.commit({ 'README.md': 'x' });
  const before = server.requests.length;
  server.onRequest = (request, response) => {
    if (request.headers.host?.startsWith('second')) return false;
    response.writeHead(302, { location: location(port) }).end();
    return true;
  };
  const credential = { kind: 'basic' as const, username: 'robot', password: 's3cret' };
  const code = await codeOf(git.findRef({ url: `http://first.example.com:${port}/o/r.git`, credential }));
  expect(code).not.toBe('read');
  expect(server.requests.length - before).toBe(1);
  expect(canaryCount()).toBe(0);
});

test('a redirect within the host, as for a renamed repository, is followed', async () => {
  const { server, port, git } = await openRig();
  const repository = await server.add('new/name');
  await repository.commit({ 'README.md': 'x' });
  server.onRequest = (request, response) => {
    if (!request.url?.startsWith('/old/name')) return false;
    response.writeHead(301, { location: request.url.replace('/old/name', '/new/name') }).end();
    return true;
  };
  expect(await codeOf(git.fetchTree({ url: `http://first.example.com:${port}/old/name.git` }, {}))).toBe('read');
});

test('the proxy requires its secret and allows only one destination', async () => {
  const { server, port, canaryCount } = await openRig();
  const { exit } = openTestGit({ policy: { publicRanges: [`${publicAddress}/32`] } });
  onTestFinished(() => exit.close());
  const pass = await exit.openProxy(new URL(server.origin));
  const { username, password, origin } = new URL(pass.url);
  const ask = (target: string, secret: string) =>
    fetchThrough(origin, target, `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`);
  expect(await ask(`${server.origin}/`, 'wrong')).toBe(407);
  expect(await ask(`${server.origin}/`, password)).toBe(404);
  for (const other of ['127.0.0.1', '127.0.0.3', '[::1]'])
    expect(await ask(`http://${other}:${port}/`, password)).toBe(502);
  pass.close();
  expect(await ask(`${server.origin}/`, password)).toBe(407);
  expect(canaryCount()).toBe(0);
});

async function fetchThrough(proxy: string, target: string, authorization: string): Promise<number> {
  const { request } = await import('node:http');
  const { hostname, port } = new URL(proxy);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path: target, headers: { 'proxy-authorization': authorization } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}
