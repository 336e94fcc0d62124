import type { Blobs } from '#server/platform/blobs/index.ts';

const pieceBytes = 1_048_576;

/** Yields the bytes of a blob, one megabyte at a time. */
export async function* blobPieces(blobs: Blobs, key: string): AsyncIterable<Uint8Array> {
  const blob = await blobs.open(key);
  try {
    for (let at = 0; at < blob.byteLength; at += pieceBytes) {
      yield blob.read(at, Math.min(pieceBytes, blob.byteLength - at));
    }
  } finally {
    blob.close();
  }
}
