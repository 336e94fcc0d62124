import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFolder } from '../create-folder.ts';
import { isSystemError, syncFolder } from '../system-files.ts';
import { type BlobContent, BlobError, type OpenBlob } from './blobs.ts';

/** Opens a local file for synchronous positional reads, on a descriptor kept until `close`. */
export function openLocalFile(path: string): OpenBlob {
  let descriptor: number | undefined = openSync(path, 'r');
  const byteLength = fstatSync(descriptor).size;
  const opened = (): number => {
    if (descriptor === undefined) throw new BlobError('failed', 'This blob has been closed.');
    return descriptor;
  };
  const requireWithin = (offset: number, length: number): void => {
    opened();
    if (offset >= 0 && length >= 0 && offset + length <= byteLength) return;
    throw new RangeError(`bytes ${offset} to ${offset + length} lie outside a blob of ${byteLength}`);
  };
  return {
    byteLength,
    file: path,
    read(offset, length) {
      requireWithin(offset, length);
      const bytes = new Uint8Array(length);
      readFully(opened(), bytes, offset);
      return bytes;
    },
    readInto(target, offset) {
      requireWithin(offset, target.byteLength);
      readFully(opened(), target, offset);
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** Writes a new file in pieces and syncs it to disk; removes it if the content fails. Returns the number of bytes. */
export async function writeNewFile(path: string, content: BlobContent): Promise<number> {
  const handle = await open(path, 'wx');
  let written = 0;
  try {
    for await (const piece of content instanceof Uint8Array ? [content] : gathered(content)) {
      await handle.writeFile(piece);
      written += piece.byteLength;
    }
    await handle.sync();
  } catch (error) {
    await handle.close();
    await rm(path, { force: true });
    throw error;
  }
  await handle.close();
  return written;
}

/** Small pieces are combined up to this size, because each write is a round trip to another thread. */
const writeBytes = 256 * 1024;

/** Yields the content in large pieces, except for the last. A piece is valid until the next is requested. */
async function* gathered(content: Exclude<BlobContent, Uint8Array>): AsyncGenerator<Uint8Array> {
  const room = new Uint8Array(writeBytes);
  let filled = 0;
  for await (const piece of content) {
    if (piece.byteLength > writeBytes - filled) {
      if (filled > 0) yield room.subarray(0, filled);
      filled = 0;
    }
    if (piece.byteLength >= writeBytes) yield piece;
    else {
      room.set(piece, filled);
      filled += piece.byteLength;
    }
  }
  if (filled > 0) yield room.subarray(0, filled);
}

/** Gives a file its final name, replacing an existing file, and makes the name survive a power failure. */
export async function moveDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  for (let attempts = 1; ; attempts++) {
    const firstNew = await createFolder(folder);
    try {
      await rename(from, to);
      await syncFolder(folder);
      if (firstNew !== undefined) await syncFolder(dirname(firstNew));
      return;
    } catch (error) {
      // A concurrent deletion may have removed the folder while it was still empty.
      if (!isSystemError(error, 'ENOENT') || attempts === 5) throw error;
    }
  }
}

/** Converts an operating system error to a BlobError; returns anything else unchanged. */
export function translateDiskError(error: unknown, folder: string): unknown {
  if (isSystemError(error, 'ENOSPC', 'EDQUOT')) {
    return new BlobError('disk-full', `The disk of the folder ${folder} is full. Free some space and try again.`, {
      cause: error,
    });
  }
  if (isSystemError(error, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR')) {
    return new BlobError('not-writable', `The folder ${folder} cannot be written. Give this user write access to it.`, {
      cause: error,
    });
  }
  return error;
}

function readFully(descriptor: number, target: Uint8Array, offset: number): void {
  const length = target.byteLength;
  let done = 0;
  while (done < length) {
    const count = readSync(descriptor, target, done, length - done, offset + done);
    if (count === 0)
      throw new BlobError('failed', 'A blob became shorter while it was read. Put it back from a backup.');
    done += count;
  }
}
