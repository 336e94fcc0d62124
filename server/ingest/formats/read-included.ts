import { posix } from 'node:path';

/** Reads a text file by its path below the root of the folder or repository; undefined where there is none. */
export type ReadIncluded = (path: string) => Promise<string | undefined>;

/** A file of this name beside the text or in the nearest folder above it. */
export async function nearestText(name: string, path: string, read: ReadIncluded) {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    const at = posix.join(folder, name);
    const text = await read(at);
    if (text !== undefined) return { path: at, text };
    if (folder === '.' || folder === '/') return undefined;
  }
}

/** Those of the paths that do not leave the root, and lead to nothing hidden. */
export function inRoot(paths: readonly string[]): string[] {
  return paths.map((path) => posix.normalize(path)).filter((path) => !/^\/|(?:^|\/)\./.test(path));
}
