import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSystemError, syncFolder, systemCodeOf } from '../system-files.ts';
import { ArchiveError } from './read-archive.ts';
import { blockBytes, encodeHeader, paddedLength } from './tar-header.ts';

const pieceBytes = 1_048_576;

export interface ArchivedFile {
  name: string;
  byteLength: number;
  /** Hex. */
  sha256: string;
}

export interface ArchiveWriter {
  /** Adds a file from disk under this name. */
  add(name: string, file: string): Promise<ArchivedFile>;
  addText(name: string, text: string): Promise<void>;
}

/**
 * Writes a tar file for its owner only and syncs it to disk. It gets its name only after `fill` has finished; until
 * then it is `temporary`, in the same folder. Throws ArchiveError if a file of that name exists.
 */
export async function writeArchive(
  { file, temporary }: { file: string; temporary: string },
  modifiedAt: number,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<number> {
  if (existsSync(file)) throw exists(file);
  const handle = await openNew(temporary);
  try {
    try {
      await fill(writerTo(handle, modifiedAt));
      await handle.writeFile(Buffer.alloc(2 * blockBytes));
      await handle.sync();
    } finally {
      await handle.close();
    }
    const { size } = await stat(temporary);
    await giveName(temporary, file);
    return size;
  } finally {
    await rm(temporary, { force: true });
  }
}

function writerTo(handle: FileHandle, modifiedAt: number): ArchiveWriter {
  return {
    async add(name, file) {
      const { size } = await stat(file);
      await handle.writeFile(encodeHeader({ name, byteLength: size }, modifiedAt));
      const hash = createHash('sha256');
      let written = 0;
      for await (const piece of createReadStream(file, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>) {
        hash.update(piece);
        written += piece.byteLength;
        await handle.writeFile(piece);
      }
      if (written !== size) throw new ArchiveError(`The file ${file} changed while it was read. Try again.`);
      await handle.writeFile(Buffer.alloc(paddedLength(size) - size));
      return { name, byteLength: size, sha256: hash.digest('hex') };
    },
    async addText(name, text) {
      const bytes = Buffer.from(text);
      await handle.writeFile(encodeHeader({ name, byteLength: bytes.byteLength }, modifiedAt));
      await handle.writeFile(bytes);
      await handle.writeFile(Buffer.alloc(paddedLength(bytes.byteLength) - bytes.byteLength));
    },
  };
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EROFS')) throw error;
    throw new ArchiveError(
      `Cannot write to ${dirname(path)} (${systemCodeOf(error)}). Name an existing folder that this user can write to.`,
      { cause: error },
    );
  }
}

/** Uses a link, which unlike rename never replaces a file. */
async function giveName(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) throw exists(file);
    if (!isSystemError(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error;
    // The file system does not support links.
    if (existsSync(file)) throw exists(file);
    await rename(temporary, file);
  }
  await syncFolder(dirname(file));
}

function exists(file: string): ArchiveError {
  return new ArchiveError(`${file} already exists. Name another file, or remove it first.`);
}
