import type * as S3 from '@aws-sdk/client-s3';
import type { BlobContent } from './blobs.ts';

export type S3Sdk = typeof S3;

/** The name of an object in S3 requests. */
export interface ObjectName {
  Bucket: string;
  Key: string;
}

// S3 requires at least 5 MB per part and accepts 10,000 parts; content that fits in one part is sent in one request.
const partBytes = 8 * 1024 * 1024;

/** Stores the content as one object, in parts if it is large. Returns its bytes. */
export async function upload(
  sdk: S3Sdk,
  client: S3.S3Client,
  object: ObjectName,
  content: BlobContent,
): Promise<number> {
  if (content instanceof Uint8Array && content.byteLength < partBytes) return uploadWhole(sdk, client, object, content);
  const parts = inParts(content instanceof Uint8Array ? [content] : content);
  const first = await parts.next();
  const firstBody = first.value ?? new Uint8Array();
  if (firstBody.byteLength < partBytes) return uploadWhole(sdk, client, object, firstBody);
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(object));
  try {
    const completed: S3.CompletedPart[] = [];
    let byteLength = 0;
    for (let part = first; !part.done; part = await parts.next()) {
      const PartNumber = completed.length + 1;
      const { ETag } = await client.send(
        new sdk.UploadPartCommand({ ...object, UploadId, PartNumber, Body: part.value }),
      );
      completed.push({ ETag, PartNumber });
      byteLength += part.value.byteLength;
    }
    await client.send(
      new sdk.CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts: completed } }),
    );
    return byteLength;
  } catch (error) {
    // Abandoned parts would be billed.
    await client.send(new sdk.AbortMultipartUploadCommand({ ...object, UploadId })).catch(() => undefined);
    throw error;
  }
}

async function uploadWhole(sdk: S3Sdk, client: S3.S3Client, object: ObjectName, body: Uint8Array): Promise<number> {
  await client.send(new sdk.PutObjectCommand({ ...object, Body: body, ContentLength: body.byteLength }));
  return body.byteLength;
}

/**
 * Collects pieces into parts of exactly `partBytes`; the last may be shorter. Parts share their memory, so each is
 * valid only until the next is requested.
 */
async function* inParts(
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, undefined> {
  const part = new Uint8Array(partBytes);
  let filled = 0;
  for await (const chunk of content) {
    for (let taken = 0; taken < chunk.byteLength; ) {
      const piece = chunk.subarray(taken, taken + partBytes - filled);
      part.set(piece, filled);
      filled += piece.byteLength;
      taken += piece.byteLength;
      if (filled === partBytes) {
        yield part;
        filled = 0;
      }
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
  return undefined;
}
