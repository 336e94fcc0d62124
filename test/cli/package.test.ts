import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

/** The package as npm puts it: below a node_modules, where Node strips no types, beside what it depends on. */
async function installed(): Promise<{ program: string; folder: string }> {
  const folder = temporaryFolder();
  const { stdout } = await run(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    join(root, 'scripts/package.mjs'),
    folder,
  ]);
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'lectern');
  mkdirSync(own, { recursive: true });
  await run('tar', ['xzf', stdout.trim(), '-C', own, '--strip-components=1']);
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  return { program: join(own, 'lectern'), folder };
}

test('the package runs on plain Node without a clone: it indexes, searches and serves the browser application', async () => {
  const { program, folder } = await installed();
  const own = dirname(program);
  expect(readdirSync(own).sort()).toEqual(
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'contract', 'dist', 'lectern', 'package.json', 'server'].sort(),
  );
  const files = readdirSync(own, { recursive: true }).map(String);
  expect(files.filter((name) => /\.(ts|tsx)$|\.test\./.test(name))).toEqual([]);
  const guide = join(folder, 'guide');
  mkdirSync(guide);
  writeFileSync(join(guide, 'looms.md'), '# Looms\n\nThread the heddles before winding the warp.\n');
  const data = ['--data', join(folder, 'data')];
  // As a shell would, so that the first line of the program counts.
  await run(program, ['index', guide, ...data]);
  expect((await run(program, ['search', 'heddles', ...data])).stdout).toContain('Thread the heddles');
  const server: ChildProcess = spawn(program, ['start', '--port', '0', ...data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  let output = '';
  server.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const url = await until('the server is ready', () => / is ready: (\S+)/.exec(output)?.[1], 60_000);
  if (process.platform === 'linux') {
    expect(readFileSync(`/proc/${server.pid}/environ`, 'utf8')).toContain('MALLOC_MMAP_THRESHOLD_=1048576');
  }
  const page = await fetch(url, { headers: { 'accept-encoding': 'br' } });
  expect([page.status, page.headers.get('content-encoding')]).toEqual([200, 'br']);
  expect(await page.text()).toContain('Context for your agent');
}, 240_000);
