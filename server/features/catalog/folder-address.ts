import { fileURLToPath, pathToFileURL } from 'node:url';

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
  return url.startsWith(folderScheme) ? `FOLDER --name ${moduleId}` : url;
}

/** As pages were addressed until they were named by their module, and as programs on the machine of the server name files. */
export function isFileAddress(address: string): boolean {
  return /^file:/i.test(address);
}

/** Translates addresses of files into those of the pages of one module. */
export interface FolderNames {
  /** The page of a file of the folder; undefined for a file elsewhere. */
  pageOf(address: string): string | undefined;
  /** The addresses that files of this page may have. */
  filesOf(pageAddress: string): string[];
  /** An address for readers: never the place of a file on this machine. */
  told(address: string): string;
  /** A text with links to files of the folder, and to those beside it, as links of a page with its new address. */
  toldText(text: string): string;
}

const fileAddresses = /file:\/\/\/[^\s<>()[\]"'`\\]*/gi;

/** `paths` are those by which the folder (or the one file that is the source) is known on the machine of the server. */
export function folderNames(moduleId: string, paths: readonly string[]): FolderNames {
  const start = folderAddress(moduleId);
  const tops = paths.map((path) => pathToFileURL(path).href.replace(/(?<=\/\/.*)\/$/, ''));
  const around = [...tops, ...tops.flatMap(foldersAbove)].sort((a, b) => b.length - a.length);
  const below = (folders: readonly string[], address: string): string | undefined => {
    const folder = folders.find((one) => address.startsWith(`${one}/`));
    return folder === undefined ? undefined : start + address.slice(folder.length + 1);
  };
  const pageOf = (address: string) => {
    const [page, fragment] = parted(address);
    return tops.includes(page) ? start + lastPart(page) + fragment : below(tops, address);
  };
  return {
    pageOf,
    filesOf(pageAddress) {
      if (!pageAddress.startsWith(start)) return [];
      const path = pageAddress.slice(start.length);
      return tops.flatMap((top) => (lastPart(top) === path ? [`${top}/${path}`, top] : [`${top}/${path}`]));
    },
    told(address) {
      if (!isFileAddress(address)) return address;
      const [page, fragment] = parted(address);
      return pageOf(address) ?? start + lastPart(page) + fragment;
    },
    toldText(text) {
      if (!text.includes('file:///')) return text;
      // A link that led out of the folder leads nowhere, as it does in pages that are read now.
      return text.replace(fileAddresses, (address) => pageOf(address) ?? below(around, address) ?? address);
    },
  };
}

const topmost = 'file://';

/** The path of the folder that all of these files are in; the topmost one where there is no other. */
export function folderOfAll(addresses: readonly string[]): string {
  const parent = (address: string) => address.slice(0, address.lastIndexOf('/'));
  const [first = 'file:///', ...others] = addresses;
  let shared = parent(first);
  for (const address of others) {
    while (shared !== topmost && !address.startsWith(`${shared}/`)) shared = parent(shared);
  }
  return fileURLToPath(`${shared}/`);
}

function foldersAbove(address: string): string[] {
  const parts = address.slice('file:///'.length).split('/');
  return parts.slice(1).map((_, at) => `file:///${parts.slice(0, at + 1).join('/')}`);
}

function lastPart(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}

/** The page, and the fragment with its `#`. */
function parted(address: string): [string, string] {
  const at = address.indexOf('#');
  return at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at)];
}
