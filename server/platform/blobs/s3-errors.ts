import { BlobError } from './blobs.ts';
import { isSystemError } from './local-file.ts';

/** The HTTP status an S3 request was answered with, when it was. */
export function statusOf(error: unknown): number | undefined {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined;
  return (metadata as { httpStatusCode?: number } | undefined)?.httpStatusCode;
}

/** Turns what the S3 client threw into a BlobError; anything else comes back as it is. `bucketName` as in "bucket docs". */
export function translateS3Error(error: unknown, bucketName: string): unknown {
  if (error instanceof BlobError) return error;
  const status = statusOf(error);
  const reason = error instanceof Error ? error.name : String(error);
  if (status === 404) {
    return new BlobError('refused', `There is no ${bucketName}. Create it, or correct BLOB_STORE.`, {
      cause: error,
    });
  }
  if (status !== undefined && status >= 400 && status < 500) {
    return new BlobError(
      'refused',
      `Access to the ${bucketName} was refused (${reason}). Check S3_ACCESS_KEY_ID, its secret and S3_REGION.`,
      {
        cause: error,
      },
    );
  }
  const isOffline = isSystemError(
    error,
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'EAI_AGAIN',
  );
  if (isOffline || reason === 'TimeoutError' || status !== undefined) {
    return new BlobError('unreachable', `The ${bucketName} does not answer. Check S3_ENDPOINT and the network.`, {
      cause: error,
    });
  }
  return error;
}
