import { SegmentFormatError } from '#server/engine/index.ts';
import { BlobError } from '#server/platform/blobs/index.ts';

/** Whether a fault says that stored data is not what was written. */
export function isDamage(error: unknown): boolean {
  return error instanceof SegmentFormatError || (error instanceof BlobError && error.code === 'not-found');
}
