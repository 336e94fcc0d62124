import { realpath } from 'node:fs/promises';

/** Returns the paths of a folder: the given one, and the one with links resolved. */
export async function pathsOfFolder(root: string): Promise<string[]> {
  try {
    return [...new Set([root, await realpath(root)])];
  } catch {
    // The folder may be gone or on another machine.
    return [root];
  }
}
