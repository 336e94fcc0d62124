import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'lectern-tests-';
/** Several times the space that a run uses at once. */
const roomBytesMin = 4 * 1024 ** 3;
const memoryBytesMin = 8 * 1024 ** 3;

/**
 * Called by the test runner before the first file: puts all temporary files of the run into one folder, removed after
 * the last file. The folder is in memory if there is enough, since hundreds of databases on a disk take longer than the
 * tests.
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

/** Returns true for folders that `setup` creates. */
export function isRunFolder(folder: string): boolean {
  return folder.includes(prefix);
}

function makeFolder(parent: string): string | undefined {
  if (!existsSync(parent)) return undefined;
  removeLeftOvers(parent);
  if (parent === memory && !hasRoom()) return undefined;
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  // Some tests run programs as another user.
  chmodSync(folder, 0o1777);
  if (parent !== memory || runsPrograms(folder)) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

function hasRoom(): boolean {
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > roomBytesMin && process.availableMemory() > memoryBytesMin;
}

/** Returns false on a file system mounted without execution, where tests could not create programs. */
function runsPrograms(folder: string): boolean {
  const file = join(folder, 'program');
  writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(file);
  rmSync(file);
  return status === 0;
}

/** Removes the folders of killed runs. */
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
    // It belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
