import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunFolder } from './run-folder.ts';
import { until } from './until.ts';

const limitMs = 60_000;

/**
 * Returns a file or folder that every test file of a run may copy: the first caller creates it with `make` at the given
 * path, and the others wait. Returns undefined without a run folder, since files of older runs could remain elsewhere.
 */
export async function madeOnce(name: string, make: (path: string) => Promise<void>): Promise<string | undefined> {
  if (!isRunFolder(tmpdir())) return undefined;
  const made = join(tmpdir(), name);
  if (existsSync(made)) return made;
  const claim = `${made}-claimed`;
  if (!claimed(claim)) {
    // A failure removes the claim, so that the next test file tries itself and fails with the reason.
    const isOver = () => existsSync(made) || !existsSync(claim);
    await until(`${name} is made by another test file`, isOver, limitMs);
    return madeOnce(name, make);
  }
  const unfinished = `${made}-unfinished`;
  try {
    await make(unfinished);
    renameSync(unfinished, made);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    rmSync(claim, { recursive: true });
    throw error;
  }
  return made;
}

function claimed(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
