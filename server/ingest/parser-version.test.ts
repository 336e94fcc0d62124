import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { hashOfSources, parserVersion } from './parser-version.ts';

test('the version changes with the code, not with its tests', () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return hashOfSources(folder);
  };
  const first = write('list.ts', 'export const depth = 1;');
  expect(write('list.test.ts', 'test()')).toBe(first);
  expect(write('list.ts', 'export const depth = 2;')).not.toBe(first);
  expect(write('list.ts', 'export const depth = 1;')).toBe(first);
  expect(parserVersion()).toBe(parserVersion());
});
