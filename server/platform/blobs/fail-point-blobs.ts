import { beforeWrite, type FailPoint } from '../fail-point.ts';
import type { BlobContent, Blobs } from './blobs.ts';

/**
 * Wraps a store with points of failure: before a blob is started, before it gets its name, and before it is deleted.
 */
export function failPointBlobs(blobs: Blobs, failPoint: FailPoint): Blobs {
  return {
    open: (key) => blobs.open(key),
    exists: (key) => blobs.exists(key),
    list: (prefix) => blobs.list(prefix),
    entries: (prefix) => blobs.entries(prefix),
    put(key, content) {
      beforeWrite(failPoint);
      return blobs.put(key, withEnd(content, failPoint));
    },
    delete(key) {
      beforeWrite(failPoint);
      return blobs.delete(key);
    },
    move(from, to) {
      beforeWrite(failPoint);
      return blobs.move(from, to);
    },
  };
}

async function* withEnd(content: BlobContent, failPoint: FailPoint): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content;
  else yield* content;
  beforeWrite(failPoint);
}
