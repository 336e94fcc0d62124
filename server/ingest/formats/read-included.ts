import { posix } from 'node:path';

/** Reads a text file by its path relative to the folder's or repository's root; undefined if it does not exist. */
export type ReadIncluded = (path: string) => Promise<string | undefined>;

/** Returns a file of this name next to the text or in the nearest folder above. */
export async function nearestText(name: string, path: string, read: ReadIncluded) {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    const at = posix.join(folder, name);
    const text = await read(at);
    if (text !== undefined) return { path: at, text };
    if (folder === '.' || folder === '/') return undefined;
  }
}

/** Returns the paths that stay within the root and do not lead to hidden files. */
export function inRoot(paths: readonly string[]): string[] {
  return paths.map((path) => posix.normalize(path)).filter((path) => !/^\/|(?:^|\/)\./.test(path));
}
