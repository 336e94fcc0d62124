// The one place of ingest that reads files itself: a folder named by the operator is no outside service, and a port with one
// adapter would only rename node:fs.
import { constants, type Dirent } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DocumentFormat, documentationFormatOf, formatOf, isManualName } from '../formats/index.ts';

const defaultBytesMax = 5_000_000;

/** Folders of installed or generated files: what they hold is documented elsewhere. */
const ignoredFolders = new Set(['node_modules', 'bower_components', '__pycache__', 'site-packages']);

/** Text files that programs read. */
const programFiles =
  /^(?:requirements.*|cmakelists|robots|constraints|manifest|objects|sources|tags|top_level|entry_points)\.txt$/i;

/** A name without an ending is opened only when it is written as README is: others are as likely programs as texts. */
const documentName =
  /^[A-Z]{4,}$|\.(?:md|markdown|mdown|mkd|mdc|mdx|rst|rest|txt|text|html?|xhtml|adoc|asciidoc|ipynb|graphqls?|gql|json|ya?ml|[cm]?tsx?|pyi?|go|rs|java|kt|php|h|hpp|MD|HTM|HTML|TXT|RST)$/;

export type SkipReason =
  | 'hidden'
  | 'ignored-folder'
  | 'built-from-sources'
  | 'symbolic-link'
  | 'special-file'
  | 'not-documentation'
  | 'binary'
  | 'too-large'
  | 'empty'
  | 'unreadable';

export interface FolderFile {
  /** `file:///…` */
  url: string;
  /** Below the root, with `/` between its parts. */
  path: string;
  bytes: Uint8Array;
  /** Epoch milliseconds. */
  modifiedAt: number;
  format: DocumentFormat;
}

export interface WalkOptions {
  /** Larger files are skipped. Default 5 MB. */
  bytesMax?: number;
  /** Called for every file and folder left out, with its path below the root. */
  onSkip?: (path: string, reason: SkipReason) => void;
  signal?: AbortSignal;
}

/**
 * The documentation files of a folder (docs/guide/file-kinds.md lists the kinds) with their bytes, in the order of their paths, the
 * same on every machine. No link is followed: not out of the root, nor inside it, where its target is met under its own name.
 * Throws only when the root itself cannot be read, or with the signal's reason; a file that changes while it is read is skipped.
 */
export async function* walkFolder(root: string, options: WalkOptions = {}): AsyncGenerator<FolderFile> {
  const top = await realpath(root);
  const skip = (path: string, reason: SkipReason): void => options.onSkip?.(relativePath(top, path), reason);
  // Last first: the next entry is taken from the end.
  const pending = await entriesOf(top);
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    options.signal?.throwIfAborted();
    const reason = skipReason(entry);
    if (reason) skip(entry.path, reason);
    else if (entry.isFolder) {
      try {
        pending.push(...(await entriesOf(entry.path)));
      } catch (error) {
        if (!isFileError(error)) throw error;
        skip(entry.path, 'unreadable');
      }
    } else {
      const file = await readDocument(top, entry.path, options.bytesMax ?? defaultBytesMax);
      if (typeof file === 'string') skip(entry.path, file);
      else yield file;
    }
  }
}

interface Entry {
  path: string;
  name: string;
  isFolder: boolean;
  isLink: boolean;
  isFile: boolean;
  /** In a folder of built pages: their sources would say everything twice. */
  isBesideIndexPage: boolean;
}

/** Entries in reverse order of their names, compared by code unit so that no locale changes it. */
async function entriesOf(folder: string): Promise<Entry[]> {
  const found: Dirent[] = await readdir(folder, { withFileTypes: true });
  const isBesideIndexPage = found.some((entry) => entry.name === 'index.html');
  return found
    .sort((a, b) => (a.name < b.name ? 1 : -1))
    .map((entry) => ({
      path: join(folder, entry.name),
      name: entry.name,
      isFolder: entry.isDirectory(),
      isLink: entry.isSymbolicLink(),
      isFile: entry.isFile(),
      isBesideIndexPage,
    }));
}

function skipReason(entry: Entry): SkipReason | undefined {
  if (entry.isLink) return 'symbolic-link';
  if (entry.name.startsWith('.')) return 'hidden';
  if (entry.isFolder) {
    if (ignoredFolders.has(entry.name)) return 'ignored-folder';
    return entry.name === '_sources' && entry.isBesideIndexPage ? 'built-from-sources' : undefined;
  }
  if (!entry.isFile) return 'special-file';
  const isNamed = documentName.test(entry.name) || isManualName(entry.name);
  return isNamed && !programFiles.test(entry.name) ? undefined : 'not-documentation';
}

async function readDocument(top: string, path: string, bytesMax: number): Promise<FolderFile | SkipReason> {
  try {
    const { size, mtimeMs } = await lstat(path);
    if (size > bytesMax) return 'too-large';
    if (size === 0) return 'empty';
    const bytes = await readBounded(path, bytesMax);
    if (bytes === undefined) return 'too-large';
    const below = relativePath(top, path);
    const format = documentationFormatOf(below, bytes);
    if (format === undefined) return formatOf(below, undefined, bytes) === undefined ? 'binary' : 'not-documentation';
    return {
      url: pathToFileURL(path).href,
      path: below,
      bytes,
      modifiedAt: Math.floor(mtimeMs),
      format,
    };
  } catch (error) {
    if (!isFileError(error)) throw error;
    return 'unreadable';
  }
}

/** Reads a file that may have grown, or have been replaced by a link, since it was listed; undefined when it is too large. */
async function readBounded(path: string, bytesMax: number): Promise<Uint8Array | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    const buffer = new Uint8Array(Math.min(size, bytesMax) + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
      if (length === buffer.length) return undefined;
    }
    return buffer.slice(0, length);
  } finally {
    await file.close();
  }
}

function relativePath(top: string, path: string): string {
  return relative(top, path).split(sep).join('/');
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
