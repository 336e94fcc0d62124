import { realpath } from 'node:fs/promises';

/** The paths by which a folder is known: the one that was given, and the one that is behind links in it. */
export async function pathsOfFolder(root: string): Promise<string[]> {
  try {
    return [...new Set([root, await realpath(root)])];
  } catch {
    // It may be gone, or lie on another machine than this process.
    return [root];
  }
}
