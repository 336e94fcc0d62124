import type { FailPoint } from '../fail-point.ts';
import type { BlobConfig, Blobs } from './blobs.ts';
import { failPointBlobs } from './fail-point-blobs.ts';
import { folderBlobs } from './folder-blobs.ts';
import { s3Blobs } from './s3-blobs.ts';

export { type BlobConfig, type BlobEntry, BlobError, type Blobs, type OpenBlob } from './blobs.ts';
export { openLocalFile } from './local-file.ts';

interface Opening {
  failPoint?: FailPoint | undefined;
  /**
   * True if the caller holds the data folder's lock and has not written yet, so that any unfinished files are from a
   * killed process.
   */
  isFirst?: boolean;
}

/** Opens the configured store. Throws BlobError if its folder or optional package is missing. */
export async function openBlobs(config: BlobConfig, { failPoint, isFirst = false }: Opening = {}): Promise<Blobs> {
  const blobs = await openStore(config, isFirst);
  return failPoint === undefined ? blobs : failPointBlobs(blobs, failPoint);
}

function openStore(config: BlobConfig, isFirst: boolean): Promise<Blobs> {
  switch (config.kind) {
    case 'folder':
      return folderBlobs(config.folder, isFirst);
    case 's3':
      return s3Blobs(config, isFirst);
  }
}
