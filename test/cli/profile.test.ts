import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newInstallation } from '../services/new-installation.ts';
import { startPackageRegistry } from '../services/package-registry.ts';
import { ordinaryUser } from '../services/postgres.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { cli } from './run-cli.ts';

async function shop(): Promise<string> {
  const folder = join(temporaryFolder(), 'shop');
  for (const part of ['web/node_modules/other', '.git', 'api']) await mkdir(join(folder, part), { recursive: true });
  const lock = (name: string) =>
    JSON.stringify({
      packages: { '': { dependencies: { [name]: '1' } }, [`node_modules/${name}`]: { version: '1.2.0' } },
    });
  await writeFile(join(folder, 'web/package-lock.json'), lock('kettle'));
  await writeFile(join(folder, 'web/node_modules/other/package-lock.json'), lock('not-ours'));
  await writeFile(join(folder, '.git/requirements.txt'), 'not-ours==1\n');
  await writeFile(join(folder, 'api/requirements.txt'), 'teapot==2.0\nnumpy>=1.26\n');
  await writeFile(join(folder, 'api/poetry.lock'), '[[package');
  return folder;
}

// The test starts the program six times in sequence.
const timeoutMs = 240_000;

test(
  'the lockfiles of a folder are pinned, shown, indexed on demand, listed and deleted',
  async () => {
    const registry = await startPackageRegistry();
    onTestFinished(() => registry.stop());
    const data = await newInstallation();
    const folder = await shop();
    const run = (...args: string[]) => cli(['profile', ...args, '--data', data], { env: registry.environment });

    const first = await run(folder);
    expect(first.code).toBe(0);
    expect(first.output).toMatch(/^kettle \(npm\) +1\.2\.0 +- +--index reads http\S+\/docs\/kettle\/1\.2\.0\/$/m);
    expect(first.output).toMatch(/^teapot \(PyPI\) +2\.0 +- /m);
    expect(first.output).not.toContain('not-ours');
    expect(first.errors).toContain('api/poetry.lock was left out');
    expect(first.errors).toContain('0 of 2 direct indexed.');
    expect(first.errors).toContain(
      '1 entry of api/requirements.txt left out:\n  numpy>=1.26 is not pinned to one version.',
    );

    const indexed = await run(folder, '--index', '--json');
    expect(indexed.code).toBe(0);
    const { libraries, isChanged } = JSON.parse(indexed.output) as { libraries: unknown; isChanged: boolean };
    expect(isChanged).toBe(false);
    expect(libraries).toMatchObject([
      { name: 'kettle', answer: { version: '1.2.0', fit: 'exact' } },
      { name: 'teapot', answer: { version: '2.0', fit: 'exact' } },
    ]);
    expect((await run('list')).output).toMatch(/^shop +2 +2 +2 /m);
    expect((await run('remove', 'shop')).output).toBe('shop is removed.\n');
    const again = await run('remove', 'shop');
    expect([again.code, again.errors]).toEqual([1, expect.stringContaining('Project not found')]);
  },
  timeoutMs,
);

test('an unreadable project folder does not hide the lockfile beside it', async () => {
  const folder = await shop();
  await mkdir(join(folder, 'database'), { mode: 0o000 });
  const data = join(temporaryFolder(), 'data');
  for (const open of [folder, join(folder, '..'), join(data, '..')]) await chmod(open, 0o777);
  const user = await ordinaryUser();
  await cli(['mcp', '--data', data], { user });
  const { code, errors } = await cli(['profile', folder, '--offline', '--data', data], { user });
  expect([code, errors]).toEqual([0, expect.stringContaining('shop: 2 libraries')]);
});

test('a missing folder and a folder without lockfiles are reported', async () => {
  const data = await newInstallation();
  const empty = await cli(['profile', temporaryFolder(), '--data', data]);
  expect([empty.code, empty.errors]).toEqual([1, expect.stringContaining('there is no lockfile in')]);
  const none = await cli(['profile', '/no/such/folder', '--data', data]);
  expect([none.code, none.errors]).toEqual([2, expect.stringContaining('there is no folder /no/such/folder')]);
  const file = join(await shop(), 'web/package-lock.json');
  const ofFile = await cli(['profile', file, '--data', data]);
  const told = `${file} is a file; name its folder: lectern profile ${dirname(file)}`;
  expect([ofFile.code, ofFile.errors]).toEqual([2, expect.stringContaining(told)]);
});
