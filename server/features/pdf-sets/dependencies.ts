import type { LibraryNotices } from '#server/features/indexing/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';

/** What verbs about PDF sets need of the process. */
export interface PdfSetDependencies {
  blobs: Blobs;
  /** What the blob store calls itself: a bucket, or `local`. */
  bucketName: string;
  notices: LibraryNotices;
}
