import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../services/temporary-folder.ts';

const run = promisify(execFile);
const installModule = new URL('../../scripts/install.mjs', import.meta.url).href;
const checkDocsModule = fileURLToPath(new URL('../../scripts/check-docs.mjs', import.meta.url));

/** Creates a project with a lockfile and a fake `npm` that records each call, takes a moment and leaves npm's files. */
function projectWithNpm(installs = 'mkdir -p node_modules && touch node_modules/.package-lock.json') {
  const root = temporaryFolder();
  const bin = join(root, 'bin');
  mkdirSync(bin);
  writeFileSync(join(root, 'package-lock.json'), '{"packages":{}}');
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho "$@" >> "${root}/calls"\nsleep 0.3\n${installs}\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  const install = () =>
    run(process.execPath, ['-e', `import('${installModule}').then((m) => m.ensureInstalled('${root}'))`], {
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    });
  const calls = () =>
    existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : [];
  return { root, install, calls };
}

test('three simultaneous commands install once, without install scripts', async () => {
  const { install, calls } = projectWithNpm();
  await Promise.all([install(), install(), install()]);
  expect(calls()).toHaveLength(1);
  expect(calls()[0]).toContain('ci --ignore-scripts');
});

test('nothing is installed while the lockfile content is unchanged, even if its date changes', async () => {
  const { root, install, calls } = projectWithNpm();
  await install();
  const later = new Date(Date.now() + 60_000);
  utimesSync(join(root, 'package-lock.json'), later, later);
  await install();
  expect(calls()).toHaveLength(1);
  const stillLater = new Date(Date.now() + 120_000);
  writeFileSync(join(root, 'package-lock.json'), '{"packages":{"x":{}}}');
  utimesSync(join(root, 'package-lock.json'), stillLater, stillLater);
  await install();
  expect(calls()).toHaveLength(2);
});

test('an interrupted installation is repeated', async () => {
  const { root, install, calls } = projectWithNpm();
  await install();
  writeFileSync(join(root, '.cache', 'installing'), '');
  await install();
  expect(calls()).toHaveLength(2);
  expect(existsSync(join(root, '.cache', 'installing'))).toBe(false);
});

test('the lock of a dead process does not block the next one', async () => {
  const { root, install, calls } = projectWithNpm();
  const dead = await run(process.execPath, ['-e', 'console.log(process.pid)']);
  mkdirSync(join(root, '.cache', 'install.lock'), { recursive: true });
  writeFileSync(join(root, '.cache', 'install.lock', 'pid'), dead.stdout.trim());
  await install();
  expect(calls()).toHaveLength(1);
});

test('a failed installation is reported and retried by the next command', async () => {
  const { install, calls } = projectWithNpm('exit 1');
  await expect(install()).rejects.toThrow('packages could not be installed');
  await expect(install()).rejects.toThrow('packages could not be installed');
  expect(calls()).toHaveLength(2);
});

test('the docs check finds missing paths and folders of a single machine', async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'docs'));
  mkdirSync(join(root, 'server'));
  writeFileSync(join(root, 'docs/here.md'), 'fine');
  const home = ['', 'home', 'somebody', 'lectern'].join('/');
  writeFileSync(join(root, 'README.md'), `[a](docs/here.md) [b](docs/gone.md)\n\`server/gone.ts\`\n${home}\n`);
  const script = `import('${checkDocsModule}').then((m) => console.log(JSON.stringify(m.checkDocs('${root}'))))`;
  const { stdout } = await run(process.execPath, ['-e', script]);
  expect(JSON.parse(stdout)).toEqual([
    'README.md:1 names docs/gone.md, which does not exist',
    'README.md:2 names server/gone.ts, which does not exist',
    expect.stringContaining('README.md:3 names a folder of one machine'),
  ]);
});
