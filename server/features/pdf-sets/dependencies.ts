import type { LibraryNotices } from '#server/features/indexing/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';

export interface PdfSetDependencies {
  blobs: Blobs;
  /** Name of the blob store: a bucket, or `local`. */
  bucketName: string;
  notices: LibraryNotices;
}
