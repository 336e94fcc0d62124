// The only part of ingest that reads files directly: a folder chosen by the operator is no external service, and a port
// with one adapter would only rename node:fs.
import { constants, type Dirent } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { createGunzip, gunzipSync } from 'node:zlib';
import { piecesOf } from '#server/platform/temporary-file.ts';
import {
  type DocumentFormat,
  documentationFormatOf,
  formatOf,
  isGzip,
  isManualName,
  mayBeDocumentation,
} from '../formats/format-of.ts';
import type { ReadIncluded } from '../formats/read-included.ts';
import { documentBytesMaxOf } from '../formats/size-limit.ts';

/** Folders of installed or generated files, which are documented elsewhere. */
const ignoredFolders = new Set(['node_modules', 'bower_components', '__pycache__', 'site-packages']);

const pdfName = /\.pdf$/i;

/** Text files for programs rather than readers. */
const programFiles =
  /^(?:requirements.*|cmakelists|robots|constraints|manifest|objects|sources|tags|top_level|entry_points)\.txt$/i;

/** A name without extension is opened only if it is all capitals, like FAQ: others are as likely to be programs. */
const bareName = /^[A-Z][A-Z_]{2,}$/;

export type FolderSkipReason =
  | 'hidden'
  | 'ignored-folder'
  | 'built-from-sources'
  | 'symbolic-link'
  | 'special-file'
  | 'not-documentation'
  | 'binary'
  | 'too-large'
  | 'empty'
  | 'unreadable'
  | 'pdf-limit';

export interface FolderFile {
  /** Relative to the root, with `/` as separator. */
  path: string;
  bytes: Uint8Array;
  /** Epoch milliseconds. */
  modifiedAt: number;
  format: DocumentFormat;
}

/** A PDF file, which may be too large to keep in memory. */
export interface FolderPdf extends Pick<FolderFile, 'path' | 'modifiedAt'> {
  format: 'pdf';
  byteLength: number;
  /** Returns the file's bytes; can be called repeatedly. */
  pieces(): AsyncIterable<Uint8Array>;
}

export interface WalkOptions {
  /** Limits for the number and size of PDF files; if omitted, PDFs are skipped. */
  pdf?: { countMax: number; bytesMax: number } | undefined;
  /** Size limit for files. Default: depends on the kind of file. */
  bytesMax?: number;
  /** Called for every skipped file and folder, with its path relative to the root. */
  onSkip?: (path: string, reason: FolderSkipReason) => void;
  signal?: AbortSignal;
}

/**
 * Yields a folder's documentation files (see docs/guide/file-kinds.md) with their bytes, in path order, which is the
 * same on every machine. Follows no links: neither out of the root nor inside it, where the target is found under its
 * own name. Throws only if the root cannot be read, or with the signal's reason; a file that changes while it is read
 * is skipped.
 */
export async function* walkFolder(root: string, options: WalkOptions = {}): AsyncGenerator<FolderFile | FolderPdf> {
  const top = await realpath(root);
  const skip = (path: string, reason: FolderSkipReason): void => options.onSkip?.(relativePath(top, path), reason);
  // In reverse order: the next entry is taken from the end.
  const pending = options.pdf !== undefined && (await isPdfFile(top)) ? [entryOfFile(top)] : await entriesOf(top);
  let pdfFiles = 0;
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    options.signal?.throwIfAborted();
    const reason = skipReason(entry, options.pdf !== undefined);
    if (reason) skip(entry.path, reason);
    else if (!entry.isFolder && pdfName.test(entry.name) && options.pdf !== undefined) {
      const file = await findPdf(top, entry, options.pdf.bytesMax);
      if (typeof file === 'string') skip(entry.path, file);
      else if (pdfFiles >= options.pdf.countMax) skip(entry.path, 'pdf-limit');
      else {
        pdfFiles += 1;
        yield file;
      }
    } else if (entry.isFolder) {
      try {
        pending.push(...(await entriesOf(entry.path)));
      } catch (error) {
        if (!isFileError(error)) throw error;
        skip(entry.path, 'unreadable');
      }
    } else {
      const file = await readDocument(top, entry, options.bytesMax ?? documentBytesMaxOf(entry.path));
      if (typeof file === 'string') skip(entry.path, file);
      else yield file;
    }
  }
}

/** Returns a function that reads files included by the folder's files, only below the root and not through links. */
export async function includesOfFolder(root: string): Promise<ReadIncluded> {
  // Imported lazily, because a search only needs the folder's paths.
  const [top, { textOf }] = await Promise.all([realpath(root), import('../formats/includes.ts')]);
  return async (path) => {
    const file = join(top, path);
    if (!file.startsWith(join(top, sep))) return undefined;
    try {
      if ((await realpath(file)) !== file || !(await lstat(file)).isFile()) return undefined;
      const bytes = await readBounded(file, documentBytesMaxOf(path));
      return bytes && textOf(bytes);
    } catch (error) {
      if (!isFileError(error)) throw error;
      return undefined;
    }
  };
}

interface Entry {
  path: string;
  /** Without `.gz`, unless there is such a file too. */
  name: string;
  isFolder: boolean;
  isLink: boolean;
  isFile: boolean;
  /** True in a folder of built pages, whose sources would duplicate them. */
  isBesideIndexPage: boolean;
}

/** Returns entries in reverse name order, compared by code unit so that it does not depend on the locale. */
async function entriesOf(folder: string): Promise<Entry[]> {
  const found: Dirent[] = await readdir(folder, { withFileTypes: true });
  const names = new Set(found.map(({ name }) => name));
  const isBesideIndexPage = names.has('index.html');
  return found
    .sort((a, b) => (a.name < b.name ? 1 : -1))
    .map((entry) => ({
      path: join(folder, entry.name),
      name: names.has(unpackedName(entry.name)) ? entry.name : unpackedName(entry.name),
      isFolder: entry.isDirectory(),
      isLink: entry.isSymbolicLink(),
      isFile: entry.isFile(),
      isBesideIndexPage,
    }));
}

function skipReason(entry: Entry, takesPdf: boolean): FolderSkipReason | undefined {
  if (entry.isLink) return 'symbolic-link';
  if (entry.name.startsWith('.')) return 'hidden';
  if (entry.isFolder) {
    if (ignoredFolders.has(entry.name)) return 'ignored-folder';
    return entry.name === '_sources' && entry.isBesideIndexPage ? 'built-from-sources' : undefined;
  }
  if (!entry.isFile) return 'special-file';
  const { name } = entry;
  const isNamed =
    bareName.test(name) || mayBeDocumentation(name) || isManualName(name) || (takesPdf && pdfName.test(name));
  return isNamed && !programFiles.test(name) ? undefined : 'not-documentation';
}

/** Returns the name of a file without Debian's compression: `guide.md.gz`. Manual pages keep theirs. */
function unpackedName(name: string): string {
  return isManualName(name) ? name : name.replace(/\.gz$/i, '');
}

/** Returns true if the root is a PDF file rather than a folder. */
async function isPdfFile(path: string): Promise<boolean> {
  return pdfName.test(path) && (await lstat(path)).isFile();
}

function entryOfFile(path: string): Entry {
  const is = { isFolder: false, isLink: false, isFile: true, isBesideIndexPage: false };
  return { path, name: basename(path), ...is };
}

async function findPdf(top: string, { path, name }: Entry, bytesMax: number): Promise<FolderPdf | FolderSkipReason> {
  try {
    const { size, mtimeMs } = await lstat(path);
    if (size > bytesMax) return 'too-large';
    const isPacked = basename(path) !== name;
    const pieces = () => (isPacked ? unpackedPiecesAt(path) : piecesAt(path, size));
    const byteLength = isPacked ? await lengthOf(pieces(), bytesMax) : size;
    if (byteLength > bytesMax) return 'too-large';
    if (byteLength === 0) return 'empty';
    return {
      path: relativePath(top, join(dirname(path), name)) || name,
      modifiedAt: Math.floor(mtimeMs),
      format: 'pdf',
      byteLength,
      pieces,
    };
  } catch (error) {
    if (!isFileError(error)) throw error;
    return 'unreadable';
  }
}

async function* piecesAt(path: string, byteLength: number): AsyncGenerator<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    yield* piecesOf(file, byteLength);
  } finally {
    await file.close();
  }
}

/** Yields the content of a compressed file. */
async function* unpackedPiecesAt(path: string): AsyncIterable<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const packed = file.createReadStream();
  const unpack = createGunzip();
  packed.once('error', (error) => unpack.destroy(error));
  try {
    yield* packed.pipe(unpack);
  } finally {
    packed.destroy();
    await file.close();
  }
}

/** Returns the length of all pieces, or one above `max` as soon as they are longer. */
async function lengthOf(pieces: AsyncIterable<Uint8Array>, max: number): Promise<number> {
  let length = 0;
  for await (const { byteLength } of pieces) {
    length += byteLength;
    if (length > max) break;
  }
  return length;
}

async function readDocument(
  top: string,
  { path, name }: Entry,
  bytesMax: number,
): Promise<FolderFile | FolderSkipReason> {
  try {
    const { size, mtimeMs } = await lstat(path);
    if (size > bytesMax) return 'too-large';
    if (size === 0) return 'empty';
    const stored = await readBounded(path, bytesMax);
    if (stored === undefined) return 'too-large';
    const below = relativePath(top, join(dirname(path), name));
    const bytes = basename(path) !== name && isGzip(stored) ? unpacked(stored, bytesMax) : stored;
    if (typeof bytes === 'string') return bytes;
    const format = documentationFormatOf(below, bytes);
    if (format === undefined) return formatOf(below, undefined, bytes) === undefined ? 'binary' : 'not-documentation';
    return {
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

/** Returns a compressed file's content, or why it cannot be read. */
function unpacked(bytes: Uint8Array, bytesMax: number): Uint8Array | FolderSkipReason {
  try {
    return gunzipSync(bytes, { maxOutputLength: bytesMax });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'unreadable';
  }
}

/** Reads a file that may have grown or been replaced by a link since it was listed; undefined if it is too large. */
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

/** Returns true for errors of the file system, and for compressed files that are damaged. */
function isFileError(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return 'syscall' in error || String(error.code).startsWith('Z_');
}
