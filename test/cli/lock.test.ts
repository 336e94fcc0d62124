import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../services/temporary-folder.ts';

const lockModule = new URL('../../scripts/lock.mjs', import.meta.url).href;

// Each program leaves the lock of a dead process behind when no one holds it, as one that was killed does.
const program = `
  import { appendFileSync, closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
  import { setTimeout as delay } from 'node:timers/promises';
  const { withLock } = await import(${JSON.stringify(lockModule)});
  const [folder] = process.argv.slice(-1);
  const until = Date.now() + 4_000;
  while (Date.now() < until) {
    await withLock(folder + '/lock', 'a build', async () => {
      closeSync(openSync(folder + '/held', 'wx'));
      await delay(1);
      rmSync(folder + '/held');
    });
    try {
      mkdirSync(folder + '/lock');
      writeFileSync(folder + '/lock/pid', '999999999');
    } catch (error) {
      // Another has it already.
      if (error.code !== 'EEXIST') throw error;
    }
  }
`;

test('the lock of a dead process is removed once, however many processes wait for it', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'lock'));
  writeFileSync(join(folder, 'lock', 'pid'), '999999999');
  const programs = Array.from({ length: 8 }, async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder]);
    let errors = '';
    child.stderr.on('data', (part: Buffer) => {
      errors += part.toString();
    });
    const [code] = await once(child, 'exit');
    return code === 0 ? '' : errors;
  });
  expect(await Promise.all(programs)).toEqual(Array.from({ length: 8 }, () => ''));
  expect(existsSync(join(folder, 'held'))).toBe(false);
});
