import { pathToFileURL } from 'node:url';
import { pathsOfFolder } from '#server/ingest/folder/paths-of-folder.ts';
import { folderSourceOf, type Source } from './source.ts';

/**
 * Scheme of addresses of a folder's pages, which consist of the module and the path below the folder: the folder's
 * location stays private.
 */
export const folderScheme = 'folder:';

/** Returns the prefix of the addresses of all pages of a folder's module. */
export function folderAddress(moduleId: string): string {
  return `${folderScheme}//${moduleId}/`;
}

/** Returns the address of a file below the folder; `path` uses `/` as separator. */
export function fileAddress(moduleId: string, path: string): string {
  return folderAddress(moduleId) + pathToFileURL(`/${path}`).pathname.slice(1);
}

/** Returns the argument for `lectern index` that reads a module again, as far as the caller may see it. */
export function addressToIndex({ moduleId, url }: { moduleId: string; url: string }): string {
  if (url === '') return `ADDRESS --name ${moduleId}`;
  return url.startsWith(folderScheme) ? `FOLDER --name ${moduleId}` : url;
}

/** Returns true for `file:` addresses, as programs on the server's machine use them. */
export function isFileAddress(address: string): boolean {
  return /^file:/i.test(address);
}

/** Translates file addresses into page addresses of one module. */
export interface FolderNames {
  /** Returns the address of a file's page; undefined for a file outside of the folder. */
  pageOf(address: string): string | undefined;
  /** Returns an address to show to readers, without the file's location on this machine. */
  told(address: string): string;
}

/** Creates the translation; `paths` are all paths of the folder (or single file) on the server's machine. */
export function folderNames(moduleId: string, paths: readonly string[]): FolderNames {
  const start = folderAddress(moduleId);
  const tops = paths.map((path) => pathToFileURL(path).href.replace(/(?<=\/\/.*)\/$/, ''));
  const pageOf = (address: string) => {
    const [page, fragment] = parted(address);
    if (tops.includes(page)) return start + lastPart(page) + fragment;
    const folder = tops.find((top) => address.startsWith(`${top}/`));
    return folder === undefined ? undefined : start + address.slice(folder.length + 1);
  };
  return {
    pageOf,
    told(address) {
      if (!isFileAddress(address)) return address;
      const [page, fragment] = parted(address);
      return pageOf(address) ?? start + lastPart(page) + fragment;
    },
  };
}

/**
 * Creates the translation for a folder's module; undefined for other kinds of module. Resolves symbolic links in the
 * path.
 */
export async function namesOfFolder(row: {
  slug: string;
  kind: Source['kind'];
  source: string;
}): Promise<FolderNames | undefined> {
  const source = folderSourceOf(row);
  return source && folderNames(row.slug, await pathsOfFolder(source.url));
}

function lastPart(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}

/** Splits an address into the page, and the fragment with its `#`. */
function parted(address: string): [string, string] {
  const at = address.indexOf('#');
  return at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at)];
}
