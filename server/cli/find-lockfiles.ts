import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { limits } from '#contract/limits.ts';
import { isForeignFolder, isLockfileName } from '#contract/profile.ts';

const depthMax = 8;

/**
 * Lockfiles of a folder and those of the parts of its project below it, nearest first; at most as many as a project has, of
 * `foundCount`.
 */
export async function findLockfiles(
  folder: string,
): Promise<{ files: { path: string; text: string }[]; foundCount: number }> {
  const found: string[] = [];
  let level = [folder];
  for (let depth = 0; depth < depthMax && level.length > 0; depth += 1) {
    const below: string[] = [];
    for (const place of level) {
      for (const entry of await entriesOf(place, place === folder)) {
        if (entry.isFile() && isLockfileName(entry.name)) found.push(join(place, entry.name));
        if (entry.isDirectory() && !isForeignFolder(entry.name)) below.push(join(place, entry.name));
      }
    }
    level = below;
  }
  const files = await Promise.all(
    found.slice(0, limits.profileFilesMax).map(async (file) => ({
      path: relative(folder, file).split('\\').join('/'),
      text: await readFile(file, 'utf8'),
    })),
  );
  return { files, foundCount: found.length };
}

/** By name. A folder below that no one but its owner may read, as of a database in a container, holds no lockfile for us. */
async function entriesOf(place: string, isNamed: boolean): Promise<Dirent[]> {
  try {
    return (await readdir(place, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (!isNamed && ['EACCES', 'EPERM', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
