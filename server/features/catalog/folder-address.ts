import { pathToFileURL } from 'node:url';
import { pathsOfFolder } from '#server/ingest/folder/paths-of-folder.ts';
import { folderSourceOf, type Source } from './source.ts';

/** A page of a folder is named by its module and its place below the folder: where the folder lies is no one's business. */
export const folderScheme = 'folder:';

/** What the addresses of all pages of a folder's module begin with. */
export function folderAddress(moduleId: string): string {
  return `${folderScheme}//${moduleId}/`;
}

/** Of a file below the folder; `path` has `/` between its parts. */
export function fileAddress(moduleId: string, path: string): string {
  return folderAddress(moduleId) + pathToFileURL(`/${path}`).pathname.slice(1);
}

/** What `lectern index` is given to read a module again, as far as the caller may see it. */
export function addressToIndex({ moduleId, url }: { moduleId: string; url: string }): string {
  if (url === '') return `ADDRESS --name ${moduleId}`;
  return url.startsWith(folderScheme) ? `FOLDER --name ${moduleId}` : url;
}

/** As programs on the machine of the server name files. */
export function isFileAddress(address: string): boolean {
  return /^file:/i.test(address);
}

/** Translates addresses of files into those of the pages of one module. */
export interface FolderNames {
  /** The page of a file of the folder; undefined for a file elsewhere. */
  pageOf(address: string): string | undefined;
  /** An address for readers: never the place of a file on this machine. */
  told(address: string): string;
}

/** `paths` are those by which the folder (or the one file that is the source) is known on the machine of the server. */
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

/** The names of a folder's files; undefined for what is made from something else. Asks the disk where links in its path lead. */
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

/** The page, and the fragment with its `#`. */
function parted(address: string): [string, string] {
  const at = address.indexOf('#');
  return at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at)];
}
