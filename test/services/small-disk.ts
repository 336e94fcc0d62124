import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A separate small disk that fills quickly. */
export interface SmallDisk {
  folder: string;
  /** Fills the disk except for this many bytes. */
  fill(leftBytes?: number): void;
  free(): void;
}

/** Mounts a few megabytes of memory, unmounted after the test; returns undefined if this process may not mount. */
export function openSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    console.warn('this process may not mount a disk: what happens on a full one is left out');
    return undefined;
  }
  // Lazily, so that files left open by a failed test do not prevent it.
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true });
  });
  const ballast = join(folder, 'ballast');
  const free = () => rmSync(ballast, { force: true });
  return {
    folder,
    fill(leftBytes = 0) {
      free();
      const reserve = `${ballast}-reserve`;
      if (leftBytes > 0) write(reserve, Buffer.alloc(leftBytes));
      for (const pieceBytes of [65_536, 4_096, 1]) writeUntilFull(ballast, Buffer.alloc(pieceBytes));
      rmSync(reserve, { force: true });
    },
    free,
  };
}

function write(path: string, bytes: Buffer): void {
  const file = openSync(path, 'a');
  try {
    writeSync(file, bytes);
  } finally {
    closeSync(file);
  }
}

function writeUntilFull(path: string, piece: Buffer): void {
  const file = openSync(path, 'a');
  try {
    for (;;) if (writeSync(file, piece) < piece.byteLength) return;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    closeSync(file);
  }
}
