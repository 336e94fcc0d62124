import { createHash } from 'node:crypto';
import { BlobError, type Blobs, type OpenBlob } from './blobs.ts';

export interface BlobSum {
  files: number;
  bytes: number;
  /** Those that the destination already had, complete. */
  kept: number;
}

const pieceBytes = 1_048_576;
/** Several, because a bucket is remote and most of a file's copy time is waiting. */
const filesAtOnce = 6;

/**
 * Copies blobs and reads each copy back: throws BlobError if its hash differs. Skips blobs that the destination has
 * with the same hash, so that an interrupted copy can be resumed.
 */
export async function copyBlobs(from: Blobs, to: Blobs, wanted: Set<string>): Promise<BlobSum> {
  const sum: BlobSum = { files: 0, bytes: 0, kept: 0 };
  const [keys, there] = [wanted.values(), new Set(await to.list(''))];
  const lane = async () => {
    for (const key of keys) {
      const { byteLength, isKept } = await copyBlob(from, to, key, there.has(key));
      sum.files += 1;
      sum.bytes += byteLength;
      if (isKept) sum.kept += 1;
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, lane));
  return sum;
}

async function copyBlob(from: Blobs, to: Blobs, key: string, isThere: boolean) {
  const blob = await from.open(key);
  try {
    const { byteLength } = blob;
    const hash = hashOf(blob);
    if (isThere && (await hashAt(to, key)) === hash) return { byteLength, isKept: true };
    await to.put(key, piecesOf(blob));
    if ((await hashAt(to, key)) !== hash) throw new BlobError('failed', `The copy of ${key} is not what was read.`);
    return { byteLength, isKept: false };
  } finally {
    blob.close();
  }
}

async function hashAt(blobs: Blobs, key: string): Promise<string> {
  const blob = await blobs.open(key);
  try {
    return hashOf(blob);
  } finally {
    blob.close();
  }
}

function hashOf(blob: OpenBlob): string {
  const hash = createHash('sha256');
  for (const piece of piecesOf(blob)) hash.update(piece);
  return hash.digest('hex');
}

function* piecesOf(blob: OpenBlob): Generator<Uint8Array> {
  for (let offset = 0; offset < blob.byteLength; offset += pieceBytes) {
    yield blob.read(offset, Math.min(pieceBytes, blob.byteLength - offset));
  }
}
