import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { hashOfSources, parserVersion } from './parser-version.ts';

test.each(['list.ts', 'list.js'])('the version changes with the code of %s, not with its tests', (code) => {
  const folder = temporaryFolder();
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return hashOfSources(folder);
  };
  const first = write(code, 'export const depth = 1;');
  expect(write('list.test.ts', 'test()')).toBe(first);
  expect(write(code, 'export const depth = 2;')).not.toBe(first);
  expect(write(code, 'export const depth = 1;')).toBe(first);
  expect(parserVersion()).toContain(hashOfSources(import.meta.dirname));
});
