import type { Blobs } from '#server/platform/blobs/index.ts';

/** The bytes of a blob that fits into memory. */
export async function readBlob(blobs: Blobs, key: string): Promise<Uint8Array> {
  const blob = await blobs.open(key);
  try {
    return blob.read(0, blob.byteLength);
  } finally {
    blob.close();
  }
}
