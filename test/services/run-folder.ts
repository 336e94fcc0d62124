import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'lectern-tests-';
/** Several times what a run has in it at once. */
const roomBytesMin = 4 * 1024 ** 3;
const memoryBytesMin = 8 * 1024 ** 3;

/**
 * Called by the test runner before the first file: all temporary files of the run lie in a folder of their own, gone after
 * the last file. It is in memory where there is plenty: databases by the hundred take a disk longer than the tests.
 */
export function setup(): (() => void) | undefined {
  const before = process.env['TMPDIR'];
  if (before !== undefined && isRunFolder(before)) return undefined;
  const folder = makeFolder(memory) ?? makeFolder(tmpdir());
  if (folder === undefined) return undefined;
  process.env['TMPDIR'] = folder;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Whether a folder is one of those that `setup` makes. */
export function isRunFolder(folder: string): boolean {
  return folder.includes(prefix);
}

function makeFolder(parent: string): string | undefined {
  if (!existsSync(parent)) return undefined;
  removeLeftOvers(parent);
  if (parent === memory && !hasRoom()) return undefined;
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  // Some tests have programs run as another user.
  chmodSync(folder, 0o1777);
  if (parent !== memory || runsPrograms(folder)) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

function hasRoom(): boolean {
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > roomBytesMin && process.availableMemory() > memoryBytesMin;
}

/** Where it is mounted so that nothing on it may be run, tests that make programs could not. */
function runsPrograms(folder: string): boolean {
  const file = join(folder, 'program');
  writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(file);
  rmSync(file);
  return status === 0;
}

/** What runs that were killed have left. */
function removeLeftOvers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (!Number.isNaN(pid) && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Of someone else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
