import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const pieceBytes = 1_048_576;

/** A private file for data that is too large for memory. */
export interface TemporaryFile {
  readonly byteLength: number;
  write(chunk: Uint8Array): Promise<void>;
  /** Returns the SHA-256 (hex) of the data written. */
  hash(): string;
  /** Returns the data written, from the beginning. */
  pieces(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Opens a file that disappears when it is closed or the process is killed: its directory entry is removed at once. */
export async function openTemporaryFile(): Promise<TemporaryFile> {
  const path = join(tmpdir(), `lectern-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  // Where an open file cannot be unlinked, it is removed when it is closed.
  const isNameless = await rm(path).then(
    () => true,
    () => false,
  );
  const hash = createHash('sha256');
  let byteLength = 0;
  return {
    get byteLength() {
      return byteLength;
    },
    async write(chunk) {
      hash.update(chunk);
      await writeAll(file, chunk, byteLength);
      byteLength += chunk.byteLength;
    },
    hash: () => hash.copy().digest('hex'),
    pieces: () => piecesOf(file, byteLength),
    async close() {
      await file.close();
      if (!isNameless) await rm(path, { force: true });
    },
  };
}

async function writeAll(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.byteLength; ) {
    const { bytesWritten } = await file.write(chunk, done, chunk.byteLength - done, position + done);
    done += bytesWritten;
  }
}

/** Yields the first `byteLength` bytes of a file piece by piece, even if the file has grown. */
export async function* piecesOf(file: FileHandle, byteLength: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < byteLength; ) {
    const piece = new Uint8Array(Math.min(pieceBytes, byteLength - position));
    const { bytesRead } = await file.read(piece, 0, piece.byteLength, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}
