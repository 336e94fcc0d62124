import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../services/temporary-folder.ts';

test('a signal during a build ends the program and leaves no lock', async () => {
  const folder = temporaryFolder();
  const lock = join(folder, 'lock');
  const signalled = join(folder, 'signalled');
  const program = join(folder, 'program.mjs');
  writeFileSync(
    program,
    `import { spawnSync } from 'node:child_process';
    import { withLock } from '${new URL('../../scripts/lock.mjs', import.meta.url).href}';
    await withLock(${JSON.stringify(lock)}, 'a build', () => {
      process.stdout.write('building');
      spawnSync('sh', ['-c', 'until [ -e "$0" ]; do sleep 0.1; done', ${JSON.stringify(signalled)}]);
    });
    process.stdout.write('started');`,
  );
  const child = spawn(process.execPath, [program]);
  const ended = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString();
    child.kill('SIGTERM');
    // However late it arrived, the signal came during the build.
    writeFileSync(signalled, '');
  });
  expect(await ended).toEqual([130, null]);
  expect(output).toBe('building');
  expect(existsSync(lock)).toBe(false);
});
