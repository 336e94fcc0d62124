import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { makeWorkFolder, sweepWorkFolders } from './work-folder.ts';

test('a sweep removes only folders of ended processes that this program created', async () => {
  const parent = temporaryFolder();
  // No process has such a high number.
  const gone = `999999999-${'0a'.repeat(8)}`;
  const running = `${process.ppid}-${'0b'.repeat(8)}`;
  for (const name of [gone, running, 'notes', '999999999', '999999999-notes']) mkdirSync(join(parent, name));
  writeFileSync(join(parent, 'README'), 'of someone else');
  const earlier = basename((await makeWorkFolder(parent)).path);
  await sweepWorkFolders(parent);
  expect(readdirSync(parent).sort()).toEqual([running, 'notes', 'README', '999999999', '999999999-notes'].sort());
  expect(earlier).toMatch(/^\d+-[0-9a-f]{16}$/);
});
