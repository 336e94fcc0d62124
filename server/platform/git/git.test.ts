import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { deflateSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openTestGit, type TestGit } from '#test/services/git-client.ts';
import { type GitServer, startGitServer } from '#test/services/git-server.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { until } from '#test/services/until.ts';
import { diagnose } from './diagnose.ts';
import { type FetchedTree, parseRemote } from './index.ts';
import type { GitLimits } from './session.ts';

async function openParts(limits?: Partial<GitLimits>): Promise<{ server: GitServer } & TestGit> {
  const server = await startGitServer(temporaryFolder());
  onTestFinished(() => server.stop());
  const parts = openTestGit({ allowHosts: [server.host], limits });
  onTestFinished(() => parts.exit.close());
  return { server, ...parts };
}

async function contentsOf(tree: FetchedTree): Promise<Record<string, string>> {
  const files = tree.entries.filter(({ kind }) => kind === 'file');
  await tree.fetchBlobs(files.map(({ id }) => id));
  const blobs = tree.openBlobs();
  const contents: Record<string, string> = {};
  for (const { path = '?', id } of files) {
    const blob = await blobs.read(id, 100_000);
    contents[path] = 'bytes' in blob ? blob.bytes.toString() : JSON.stringify({ ...blob, id: '' });
  }
  return contents;
}

/** Returns the programs whose environment or arguments mention the folder. */
function programsIn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return ['environ', 'cmdline'].some((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8').includes(folder));
      } catch {
        // The process is gone or not readable.
        return false;
      }
    });
}

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => ({ code: 'none', message: '' }),
    (error: Error & { code: string }) => ({ code: error.code, message: error.message }),
  );

test('revisions and names of branches and tags match the repository, tags by the commit they point to', async () => {
  const { server, git, workFolder } = await openParts();
  const repository = await server.add('team/handbook');
  const first = await repository.commit({ 'README.md': 'one' });
  await repository.tag('v1');
  const second = await repository.commit({ 'README.md': 'two' });
  const next = await repository.commit({ 'README.md': 'next' }, { branch: 'next/2' });
  const remote = { url: repository.url };
  expect(await git.findRef(remote)).toEqual({ kind: 'branch', name: 'main', revision: second });
  expect(await git.findRef(remote, { kind: 'branch', name: 'next/2' })).toMatchObject({ revision: next });
  expect(await git.findRef(remote, { kind: 'tag', name: 'v1' })).toEqual({ kind: 'tag', name: 'v1', revision: first });
  expect(await git.listRefs(remote)).toEqual({
    defaultBranch: 'main',
    branches: [
      { name: 'main', revision: second },
      { name: 'next/2', revision: next },
    ],
    tags: [{ name: 'v1', revision: first }],
  });
  expect(readdirSync(workFolder)).toEqual([]);
});

test('the files of a revision are read without unrequested ones, and nothing stays behind', async () => {
  const { server, git, workFolder } = await openParts();
  const repository = await server.add('team/handbook');
  const revision = await repository.commit({
    'README.md': '# Handbook',
    'docs/größe\n"x".md': 'odd name',
    'docs/empty.md': '',
    'docs/large.md': 'x'.repeat(200_000),
    'docs/link.md': { linkTo: '../README.md' },
    'docs/part': { submoduleAt: 'c'.repeat(40) },
    'big.bin': Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * index) % 251)),
  });
  const tree = await git.fetchTree({ url: repository.url }, {});
  expect(tree.ref).toEqual({ kind: 'branch', name: 'main', revision });
  expect(tree.entries.map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual([
    'file README.md',
    'file big.bin',
    'file docs/empty.md',
    'file docs/größe\n"x".md',
    'file docs/large.md',
    'link docs/link.md',
    'submodule docs/part',
  ]);
  const wanted = tree.entries.filter(({ path }) => path === 'README.md');
  await tree.fetchBlobs(wanted.map(({ id }) => id));
  const unread = tree.openBlobs();
  const ids = new Map(tree.entries.map(({ path, id }) => [path, id]));
  expect(await unread.read(ids.get('README.md') ?? '', 100)).toMatchObject({ bytes: Buffer.from('# Handbook') });
  expect(await unread.read(ids.get('big.bin') ?? '', 100)).toMatchObject({ isMissing: true });
  expect(await contentsOf(tree)).toMatchObject({
    'docs/größe\n"x".md': 'odd name',
    'docs/empty.md': '',
    'docs/large.md': JSON.stringify({ id: '', isTooLarge: true }),
  });
  await tree.close();
  expect(readdirSync(workFolder)).toEqual([]);
  await until('no program of it runs', () => programsIn(workFolder).length === 0);
  const folder = await git.fetchTree({ url: repository.url }, { folder: 'docs' });
  expect(folder.entries.map(({ path }) => path)).toContain('empty.md');
  await folder.close();
});

test('a host that cannot send single files sends them all', async () => {
  const { server, git } = await openParts();
  const repository = await server.add('team/old');
  execFileSync('git', ['-C', repository.folder, 'config', 'uploadpack.allowAnySHA1InWant', 'false']);
  execFileSync('git', ['-C', repository.folder, 'config', 'uploadpack.advertiseRefInWant', 'false']);
  await repository.commit({ 'README.md': '# Old', 'docs/a.md': 'a' });
  server.onRequest = (request) => {
    // As servers without protocol version 2 do.
    delete request.headers['git-protocol'];
  };
  const tree = await git.fetchTree({ url: repository.url }, {});
  expect(await contentsOf(tree)).toEqual({ 'README.md': '# Old', 'docs/a.md': 'a' });
  await tree.close();
});

test('a host message is shown on one line, without characters that hide or reverse text', () => {
  const remote = parseRemote('https://docs.example/a.git');
  const complaint = 'remote error: broken\u202e\u200b again';
  expect(diagnose({ remote, hasCredential: false, complaint, secrets: [] }).message).toContain(
    ': remote error: broken again.',
  );
});

test('missing repositories and branches are reported with the next step', async () => {
  const { server, git } = await openParts();
  const repository = await server.add('team/handbook');
  const remote = { url: repository.url };
  expect(await refusalOf(git.findRef(remote))).toMatchObject({ code: 'repository-empty' });
  expect(await refusalOf(git.fetchTree(remote, {}))).toMatchObject({ code: 'repository-empty' });
  await repository.commit({ 'README.md': 'one' });
  const missing = await refusalOf(git.findRef(remote, { kind: 'branch', name: 'gone' }));
  expect(missing).toEqual({
    code: 'ref-not-found',
    message: 'There is no branch "gone" in the repository. Choose one of: main.',
  });
  expect(await refusalOf(git.fetchTree(remote, { folder: 'nowhere' }))).toMatchObject({ code: 'folder-not-found' });
  await repository.renameBranch('main', 'trunk');
  await repository.setDefaultBranch('main');
  expect((await refusalOf(git.findRef(remote))).message).toContain('Choose one of: trunk');
  await repository.remove();
  expect(await refusalOf(git.findRef(remote))).toMatchObject({ code: 'repository-not-found' });
  await server.stop();
  server.stop = async () => undefined;
  expect(await refusalOf(git.findRef(remote))).toMatchObject({ code: 'unreachable' });
});

test('a credential is sent only to its host and appears in no argument, address or error', async () => {
  const { server, git, workFolder } = await openParts();
  const repository = await server.add('team/secret');
  await repository.commit({ 'README.md': 'secret' });
  repository.restrictTo('robot:s3cret-pass');
  const { url } = repository;
  const none = await refusalOf(git.findRef({ url }));
  expect(none).toMatchObject({ code: 'credential-needed' });
  const wrong = { kind: 'basic' as const, username: 'robot', password: 'wr0ng-pass' };
  const refused = await refusalOf(git.findRef({ url, credential: wrong }));
  expect(refused).toMatchObject({ code: 'credential-refused' });
  expect(JSON.stringify(refused)).not.toContain('wr0ng-pass');
  const seen: string[] = [];
  server.onRequest = () => {
    for (const pid of programsIn(workFolder)) seen.push(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  };
  const credential = { kind: 'basic' as const, username: 'robot', password: 's3cret-pass' };
  const tree = await git.fetchTree({ url, credential }, {});
  expect(await contentsOf(tree)).toEqual({ 'README.md': 'secret' });
  await tree.close();
  expect(seen.length).toBeGreaterThan(0);
  for (const text of seen) {
    expect(text).not.toContain('s3cret-pass');
    expect(text).not.toContain(Buffer.from('robot:s3cret-pass').toString('base64'));
  }
});

test.each([
  '--upload-pack=touch /tmp/x',
  'ext::sh -c true',
  'file:///etc',
  '/etc',
  'git://host/x',
  'https://a:b@host/x',
  'https://host/x\n--upload-pack=x',
  '-oProxyCommand=true@host:x',
  'git@-oProxyCommand=x:y',
  'git@host:x;touch y',
  'ssh://-oProxyCommand=x/y',
  'ssh://git@host/x$(id)',
  'fd::17/x',
  'ssh://git:pw@host/x',
  'git@host:-x',
  '',
])('%j is not a repository address', async (url) => {
  const { git, workFolder } = openTestGit({ searchPath: '/nonexistent' });
  // Refused before searching for git.
  expect(await refusalOf(git.findRef({ url }))).toMatchObject({ code: 'bad-repository-address' });
  expect(readdirSync(workFolder)).toEqual([]);
});

test.each(['--all', '', 'a b', 'x..y', 'a\nb', 'HEAD^', '@{1}', 'a:b', '/x', 'x.lock', '@', '*'])(
  '%j is not a branch name',
  async (name) => {
    const { git } = openTestGit({ searchPath: '/nonexistent' });
    const ref = { kind: 'branch' as const, name };
    expect(await refusalOf(git.fetchTree({ url: 'https://h.example/x' }, { ref }))).toMatchObject({
      code: 'bad-ref-name',
    });
  },
);

test('a missing or outdated git is reported with advice to install it', async () => {
  const missing = openTestGit({ searchPath: '/nonexistent' });
  const refusal = await refusalOf(missing.git.findRef({ url: 'https://h.example/x' }));
  expect(refusal).toMatchObject({ code: 'git-missing' });
  expect(refusal.message).toContain('Install git 2.31 or newer');
  const folder = temporaryFolder();
  execFileSync('sh', [
    '-c',
    `printf '#!/bin/sh\\necho git version 2.20.1\\n' > ${folder}/git && chmod +x ${folder}/git`,
  ]);
  const old = openTestGit({ searchPath: `${folder}:/usr/bin:/bin` });
  expect(await refusalOf(old.git.findRef({ url: 'https://h.example/x' }))).toMatchObject({ code: 'git-too-old' });
});

test('a fetch that is canceled, too slow or too large ends with everything it started', async () => {
  const { server, git, workFolder, exit } = await openParts();
  const repository = await server.add('team/slow');
  await repository.commit({ 'README.md': 'x' });
  let isHeld = false;
  server.onRequest = (request) => {
    if (!request.url?.endsWith('git-upload-pack')) return false;
    isHeld = true;
    return new Promise(() => {});
  };
  const cancel = new AbortController();
  const cancelled = refusalOf(git.fetchTree({ url: repository.url }, { signal: cancel.signal }));
  await until('the fetch is in progress', () => isHeld && programsIn(workFolder).length > 0);
  cancel.abort(Object.assign(new Error('stop'), { code: 'stopped' }));
  expect(await cancelled).toMatchObject({ code: 'stopped' });
  const common = { exit, workFolder, limits: { listTimeoutMs: 300, fetchTimeoutMs: 300 } };
  const impatient = openTestGit({ allowHosts: [server.host], limits: common.limits });
  onTestFinished(() => impatient.exit.close());
  expect(await refusalOf(impatient.git.fetchTree({ url: repository.url }, {}))).toMatchObject({ code: 'timeout' });
  for (const folder of [workFolder, impatient.workFolder]) {
    expect(readdirSync(folder)).toEqual([]);
    await until('no program of it runs', () => programsIn(folder).length === 0);
  }
});

test('a fetch ends if it exceeds the disk limit', async () => {
  const { server, git, workFolder } = await openParts({ fetchBytesMax: 50_000 });
  const repository = await server.add('team/large');
  const noise = () => Buffer.from(Array.from({ length: 2_000_000 }, () => Math.floor(Math.random() * 256)));
  await repository.commit({ 'a.md': noise(), 'b.md': noise() });
  const tree = await git.fetchTree({ url: repository.url }, {});
  // Git's output stays there until the connection is closed.
  const outcome = refusalOf(tree.fetchBlobs(tree.entries.map(({ id }) => id)));
  expect(await outcome).toMatchObject({ code: 'repository-too-large' });
  await tree.close();
  expect(readdirSync(workFolder)).toEqual([]);
});

/**
 * Returns the responses of a host whose pack of a few kilobytes has a file of 16 MB, and a difference to it that repeats
 * it `times`.
 */
function swellingHost(times: number): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  const sizeOf = (size: number): Buffer =>
    size < 128 ? Buffer.of(size) : Buffer.concat([Buffer.of((size % 128) | 128), sizeOf(Math.floor(size / 128))]);
  const object = (type: number, body: Buffer, size = body.length) => [
    size < 16 ? Buffer.of((type << 4) | size) : Buffer.of((type << 4) | (size % 16) | 128),
    ...(size < 16 ? [] : [sizeOf(Math.floor(size / 16))]),
  ];
  const idOf = (type: string, body: Buffer) =>
    hash('sha1', Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]), 'buffer');
  const file = Buffer.alloc(0xffffff, 'a');
  const tree = Buffer.concat([Buffer.from('100644 a.md\0'), idOf('blob', file)]);
  const who = 'A <a@a.example> 1 +0000';
  const commit = Buffer.from(`tree ${idOf('tree', tree).toString('hex')}\nauthor ${who}\ncommitter ${who}\n\nx\n`);
  const repeat = Buffer.of(0xf0, 0xff, 0xff, 0xff);
  const delta = Buffer.concat([sizeOf(file.length), sizeOf(file.length * times), ...Array<Buffer>(times).fill(repeat)]);
  const pack = Buffer.concat([
    Buffer.from('PACK\0\0\0\x02\0\0\0\x04', 'latin1'),
    ...[commit, tree, file].flatMap((body, at) => [...object(at + 1, body), deflateSync(body)]),
    ...[...object(7, delta), idOf('blob', file), deflateSync(delta)],
  ]);
  const line = (text: string | Buffer) =>
    `${(text.length + 4).toString(16).padStart(4, '0')}${text.toString('latin1')}`;
  const packed = Buffer.concat([pack, hash('sha1', pack, 'buffer')]);
  const name = idOf('commit', commit).toString('hex');
  const answers = {
    'info/refs': ['# service=git-upload-pack\n', '', 'version 2\n', 'ls-refs\n', 'fetch=shallow filter\n', ''],
    'ls-refs': [`${name} HEAD symref-target:refs/heads/main\n`, `${name} refs/heads/main\n`, ''],
    fetch: ['packfile\n', Buffer.concat([Buffer.of(1), packed]), ''],
  };
  return async (request, response) => {
    const asked = `${request.url} ${await text(request)}`;
    const kind = (['info/refs', 'ls-refs', 'fetch'] as const).find((one) => asked.includes(one)) ?? 'fetch';
    response.setHeader(
      'content-type',
      `application/x-git-upload-pack-${kind === 'info/refs' ? 'advertisement' : 'result'}`,
    );
    const lines = answers[kind].map((one) => (one.length === 0 ? '0000' : line(one)));
    response.end(Buffer.from(lines.join(''), 'latin1'));
    return true;
  };
}

test('a host whose files unpack to more memory than allowed is refused', async () => {
  const { server, git, workFolder } = await openParts();
  const { url } = await server.add('team/swelling');
  server.onRequest = swellingHost(2);
  const fits = await git.fetchTree({ url }, {});
  expect(fits.entries).toMatchObject([{ path: 'a.md' }]);
  await fits.close();
  server.onRequest = swellingHost(70);
  expect(await refusalOf(git.fetchTree({ url }, {}))).toMatchObject({ code: 'repository-too-large' });
  expect(readdirSync(workFolder)).toEqual([]);
});
