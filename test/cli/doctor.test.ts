import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { cli } from './run-cli.ts';

/** A data folder with one module of one page. */
async function dataWithModule(): Promise<string> {
  const data = temporaryFolder();
  const guide = join(temporaryFolder(), 'guide');
  mkdirSync(guide);
  writeFileSync(join(guide, 'looms.md'), `# Looms\n\nThread the heddles before winding the warp.\n`);
  expect((await cli(['index', guide, '--name', 'looms', '--data', data])).code).toBe(0);
  return data;
}

test('the doctor reads every module and changes nothing', async () => {
  const data = await dataWithModule();
  const { code, output } = await cli(['doctor', '--data', data]);
  expect(output).toMatch(/^ok\s+module looms: 1 pages; all \d+ snippets of 1 segments can be read$/m);
  expect(output).toMatch(/^ok\s+database: /m);
  expect(output).not.toMatch(/^fail/m);
  expect(code).toBe(0);
});

test('the doctor finds a damaged segment and says what to do', async () => {
  const data = await dataWithModule();
  const segments = readdirSync(join(data, 'blobs/segments'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(segments).toHaveLength(1);
  for (const entry of segments) {
    const file = join(entry.parentPath, entry.name);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0, Math.floor(bytes.length * 0.3)));
  }
  const { code, output } = await cli(['doctor', '--data', data]);
  expect(output).toMatch(/^fail\s+module looms: .*Index it again with "lectern index/m);
  expect(output).not.toMatch(/\n\s+at /);
  expect(code).toBe(1);
});

test('the doctor finds a database that is none', async () => {
  const data = temporaryFolder();
  writeFileSync(join(data, 'data.sqlite'), 'this is not a database, whatever its name says'.repeat(100));
  const { code, output } = await cli(['doctor', '--data', data]);
  expect(output).toMatch(/^fail\s+database: /m);
  expect(code).toBe(1);
});

test('a data folder that is not there yet is no fault, and is not made', async () => {
  const data = join(temporaryFolder(), 'later');
  const { code, output } = await cli(['doctor', '--data', data]);
  expect(output).toMatch(/^warn\s+data folder: .* does not exist yet/m);
  expect(code).toBe(0);
  expect(() => readdirSync(data)).toThrow('ENOENT');
});
