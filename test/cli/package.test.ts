import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { npmPackage } from '../services/npm-package.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
/** Node of the oldest version that the package supports. */
const oldest = npmPackage(`node-${process.platform}-${process.arch}`, '22.16.0');
const nodes = [
  { name: 'this Node', bin: dirname(process.execPath) },
  { name: 'Node 22.16', bin: oldest === undefined ? '' : join(oldest, 'bin') },
];

/** A folder with the package installed from its tarball. Its path has a space, as users' paths often do. */
let folder: string;

beforeAll(async () => {
  const made = temporaryFolder();
  const make = ['--disable-warning=ExperimentalWarning', join(root, 'scripts/package.mjs'), made];
  const { stdout } = await run(process.execPath, make);
  folder = join(made, 'my tools');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
  const options = ['--prefer-offline', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...options, stdout.trim()], { cwd: folder, env });
}, 480_000);

const own = () => join(folder, 'node_modules/lectern-mcp');
const program = (name: string) => join(folder, 'node_modules/.bin', name);

test('the package contains the runtime files and the name that agents start, without types and tests', () => {
  expect(readdirSync(own()).sort()).toEqual(
    [
      ...[
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'contract',
        'disposable-stack.mjs',
        'dist',
        'lectern',
        'lectern-mcp',
        'lectern.mjs',
      ],
      ...['package.json', 'server'],
    ].sort(),
  );
  const files = readdirSync(own(), { recursive: true }).map(String);
  expect(files.filter((name) => /\.(ts|tsx)$|\.test\./.test(name))).toEqual([]);
});

test('npm pack is refused in a clone, because it would leave out the built files', async () => {
  await expect(run('npm', ['pack', '--dry-run'], { cwd: root })).rejects.toThrow('node scripts/package.mjs');
});

test.each([
  ['20.19.4', true],
  ['22.15.1', true],
  ['22.16.0', false],
  ['23.7.0', true],
  ['23.8.0', false],
  ['26.0.0', false],
])('Node %s is refused with the required versions: %s', async (version, isRefused) => {
  const other = temporaryFolder();
  const script = `#!/bin/sh\n[ "$1" = --version ] && echo v${version} || echo "$@"\n`;
  writeFileSync(join(other, 'node'), script, { mode: 0o755 });
  const env = { ...process.env, PATH: `${other}:${process.env['PATH']}` };
  const { stderr } = await run(program('lectern'), ['modules'], { env }).catch((error: { stderr: string }) => error);
  const refusal = `lectern: Node v${version} is too old; this package needs Node 22.16, 23.8 or newer.\n`;
  expect(stderr).toBe(isRefused ? refusal : '');
});

describe.each(nodes)('installed from its tarball, on $name', ({ bin }) => {
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: process.env['HOME'] ?? '' };

  test.skipIf(bin === '')(
    'indexes, searches, serves people and agents, and names its own commands',
    { timeout: 240_000 },
    async () => {
      const work = temporaryFolder();
      const guide = join(work, 'guide');
      mkdirSync(guide);
      writeFileSync(join(guide, 'looms.md'), '# Looms\n\nThread the heddles before winding the warp.\n');
      const data = ['--data', join(work, 'data')];
      await run(program('lectern'), ['index', guide, ...data], { env });
      expect((await run(program('lectern'), ['search', 'heddles', ...data], { env })).stdout).toContain('Thread the');
      const help = (await run(program('lectern'), ['--help'], { env })).stdout;
      expect(help).toContain('key create');
      expect(help).not.toContain('Runs the checks and every test');

      const server: ChildProcess = spawn(program('lectern'), ['start', '--port', '0', ...data], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env,
      });
      onTestFinished(() => void server.kill('SIGKILL'));
      let output = '';
      server.stdout?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      const url = await until('the server is ready', () => / is ready: (\S+)/.exec(output)?.[1], 60_000);
      expect(output).toContain('lectern key create my-agent');
      expect(output).not.toContain('./lectern');
      if (process.platform === 'linux') {
        expect(readFileSync(`/proc/${server.pid}/environ`, 'utf8')).toContain('MALLOC_MMAP_THRESHOLD_=1048576');
      }
      const page = await (await fetch(`${url}/mcp`, { headers: { accept: 'text/html' } })).text();
      expect(page).toContain(`${join(own(), 'lectern')}&apos; mcp`);

      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StdioClientTransport({ command: program('lectern-mcp'), args: data, env }));
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('lectern_search_documentation');
      await client.close();
    },
  );
});
