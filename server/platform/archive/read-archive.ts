import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { systemCodeOf } from '../system-files.ts';
import { blockBytes, decodeHeader, decodeRecords, paddedLength, type TarEntry } from './tar-header.ts';

/** Thrown if an archive cannot be written or read; the message says what to do. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/** A file of an archive. */
export interface ReadEntry extends TarEntry {
  /** Returns the content in pieces; can be called again. */
  content(): AsyncIterable<Buffer>;
}

/** No extended header is longer than the longest key. */
const recordBytesMax = 65_536;

/**
 * Returns the files of an archive created by `writeArchive`, in order, without reading their content. Throws
 * ArchiveError if the archive is truncated or something else.
 */
export async function listArchive(file: string): Promise<ReadEntry[]> {
  const handle = await openArchive(file);
  try {
    const { size } = await handle.stat();
    const entries: ReadEntry[] = [];
    let extended = new Map<string, string>();
    for (let at = 0; ; ) {
      const header = decodeHeader(await readAt(handle, file, at, blockBytes));
      if (header === undefined) throw notOurs(file);
      at += blockBytes;
      if (header.kind === 'end') return entries;
      if (header.kind === 'extended') {
        if (header.byteLength > recordBytesMax) throw notOurs(file);
        extended = decodeRecords(await readAt(handle, file, at, header.byteLength));
        at += paddedLength(header.byteLength);
        continue;
      }
      const entry = withRecords(header.entry, extended);
      extended = new Map();
      if (!Number.isSafeInteger(entry.byteLength) || at + paddedLength(entry.byteLength) > size) throw cutOff(file);
      entries.push({ ...entry, content: contentOf(file, at, entry.byteLength) });
      at += paddedLength(entry.byteLength);
    }
  } finally {
    await handle.close();
  }
}

/** Returns the SHA-256 of an entry's content in hex. */
export async function hashEntry(entry: ReadEntry): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of entry.content()) hash.update(piece);
  return hash.digest('hex');
}

function contentOf(file: string, start: number, byteLength: number): ReadEntry['content'] {
  return () =>
    byteLength === 0
      ? createNothing()
      : (createReadStream(file, {
          start,
          end: start + byteLength - 1,
          highWaterMark: 1_048_576,
        }) as AsyncIterable<Buffer>);
}

async function* createNothing(): AsyncIterable<Buffer> {}

function withRecords(entry: TarEntry, records: Map<string, string>): TarEntry {
  const [path, size] = [records.get('path'), records.get('size')];
  return { name: path ?? entry.name, byteLength: size === undefined ? entry.byteLength : Number(size) };
}

async function openArchive(file: string): Promise<FileHandle> {
  try {
    // Checked before opening, because opening a pipe would wait for a writer.
    if (!(await stat(file)).isFile()) throw notOurs(file);
    return await open(file, 'r');
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError(`${file} cannot be read (${systemCodeOf(error)}).`, {
      cause: error,
    });
  }
}

async function readAt(handle: FileHandle, file: string, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) throw cutOff(file);
    done += bytesRead;
  }
  return bytes;
}

function cutOff(file: string): ArchiveError {
  return new ArchiveError(`${file} is cut off. Use another copy of the backup.`);
}

function notOurs(file: string): ArchiveError {
  return new ArchiveError(`${file} is not a backup from this program, or is damaged. Use another copy of the backup.`);
}
