import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { serveSite } from '../cli/run-cli.ts';
import { freePort } from '../services/free-port.ts';
import { ordinaryUser } from '../services/postgres.ts';
import { until } from '../services/until.ts';

const runFile = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const nodePath = `${dirname(process.execPath)}:${process.env['PATH']}`;
// On the disk of the clone in most places, so that its packages can be linked.
const image = mkdtempSync('/var/tmp/lectern-image-');
afterAll(() => rmSync(image, { recursive: true, force: true }));

const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n');
const isIgnored = (path: string) => ignored.some((glob) => matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`));

/** The instructions of the last stage, which is the image. */
function stepsOfImage(): [word: string, rest: string][] {
  const lines = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').split('\n');
  const last = lines.findLastIndex((line) => line.startsWith('FROM '));
  const steps = lines.slice(last + 1).filter((line) => line !== '' && !line.startsWith('#'));
  return steps.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]);
}

/** The folder of the build stage. Packages and built files are those of the clone instead of new ones. */
function buildStage(): string {
  const folder = join(image, 'build/app');
  mkdirSync(folder, { recursive: true });
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const path of listed.trim().split('\n')) {
    if (!isIgnored(path)) cpSync(join(root, path), join(folder, path));
  }
  const copy = 'cp -al node_modules dist "$0" 2>/dev/null || cp -a node_modules dist "$0"';
  execFileSync('sh', ['-c', copy, folder], { cwd: root });
  // npm writes to this file, which must not be the clone's.
  const list = 'node_modules/.package-lock.json';
  rmSync(join(folder, list));
  cpSync(join(root, list), join(folder, list));
  const prune = ['prune', '--omit=dev', '--ignore-scripts', '--offline', '--no-audit', '--no-fund'];
  execFileSync('npm', prune, { cwd: folder, env: { ...process.env, PATH: nodePath }, stdio: 'pipe' });
  return folder;
}

/** Carries out the image's steps below a folder. Returns its environment, command and health check. */
function makeImage(user: { uid: number; gid: number }) {
  const stage = buildStage();
  const inImage = (text: string) => text.replace(/(?<![\w.])\/(app|data|usr\/local\/bin)\b/g, `${image}/$1`);
  const env: Record<string, string> = { PATH: `${image}/usr/local/bin:${nodePath}`, HOME: `${image}/data` };
  const made = { env, command: [] as string[], health: [] as string[] };
  const run = (text: string) => {
    if (!text.startsWith('apt-get '))
      execFileSync('sh', ['-c', inImage(text).replace('node:node', `${user.uid}:${user.gid}`)]);
  };
  const copy = (text: string) => {
    const [from, path, to] = text.split(' ') as [string, string, string];
    expect(from).toBe('--from=build');
    const target = join(image, 'app', to, to.endsWith('/') ? path.slice(path.lastIndexOf('/')) : '');
    execFileSync('cp', ['-a', '--link', path.replace(/^\/app/, stage), target]);
  };
  const steps: Record<string, (text: string) => unknown> = {
    ENV: (text) => {
      for (const pair of text.split(' '))
        env[pair.slice(0, pair.indexOf('='))] = inImage(pair.slice(pair.indexOf('=') + 1));
    },
    WORKDIR: (text) => mkdirSync(inImage(text), { recursive: true }),
    RUN: run,
    COPY: copy,
    USER: (text) => expect(text).toBe('node'),
    VOLUME: (text) => expect(inImage(text)).toBe(env['LECTERN_DATA']),
    EXPOSE: (text) => expect(text).toBe('7331'),
    HEALTHCHECK: (text) => made.health.push(...(JSON.parse(text.replace(/^.* CMD /, '')) as string[])),
    CMD: (text) => made.command.push(...(JSON.parse(text) as string[])),
  };
  mkdirSync(join(image, 'usr/local/bin'), { recursive: true });
  for (const [word, rest] of stepsOfImage()) {
    const step = steps[word];
    if (step === undefined) throw new Error(`this test does not know the instruction ${word}`);
    step(rest);
  }
  return made;
}

test('.dockerignore leaves out secrets and data, and nothing that the build needs', () => {
  for (const path of ['.env', 'deploy/.env', '.data/secret', '.git/config']) expect(isIgnored(path), path).toBe(true);
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  expect(tracked.filter(isIgnored)).toEqual([]);
});

test('a server of the image starts as its user, creates a key, indexes and finds', async () => {
  const user = (await ordinaryUser()) ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  chmodSync(image, 0o755);
  const { env, command, health } = makeImage(user);
  rmSync(join(image, 'build'), { recursive: true });
  const site = await serveSite((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<title>Warp</title><h1>Warp</h1><p>The shuttle carries the weft through the warp.</p>');
  });
  const port = String(await freePort());
  const own = {
    LECTERN_PORT: port,
    LECTERN_HOST: '127.0.0.1',
    LECTERN_ALLOW_HOSTS: site.host,
    LECTERN_OWN_DOCS: 'off',
  };
  const surroundings = { cwd: join(image, 'app'), env: { ...env, ...own }, ...user };
  const [program = '', ...args] = command;
  const server = spawn(program, args, { ...surroundings, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  server.stderr.on('data', (part: Buffer) => (errors += part));
  try {
    const isReady = async () => {
      if (server.exitCode !== null) throw new Error(errors);
      return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok;
    };
    await until('the server is ready', isReady, 120_000);
    const run = async (name: string, ...words: string[]) => (await runFile(name, words, surroundings)).stdout;
    const [node = '', ...check] = health.map((word) => word.replace('7331', port));
    await run(node, ...check);
    expect(await run('lectern', 'key', 'create', 'laptop')).toMatch(/^lec_\S+\n$/);
    await run('lectern', 'index', site.origin, '--wait');
    expect(await run('lectern', 'search', 'what carries the weft')).toContain('The shuttle carries the weft');
    for (const path of ['/', '/docs', '/install', '/api/openapi.json'])
      expect([path, (await fetch(`http://127.0.0.1:${port}${path}`)).status]).toEqual([path, 200]);
  } finally {
    server.kill('SIGTERM');
  }
  await until('it has ended', () => server.exitCode !== null, 60_000);
  expect(server.exitCode).toBe(0);
}, 300_000);
