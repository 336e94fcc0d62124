import * as limits from '#contract/limits.ts';
import { type DocumentFormat, documentationFormatOf, formatOf } from '#server/ingest/formats/format-of.ts';
import { documentBytesMaxOf } from '#server/ingest/formats/size-limit.ts';
import type { BlobReader } from '#server/platform/git/index.ts';
import type { ChosenFile } from './choose-files.ts';

const pointerBytesMax = 1_024;

export interface Content {
  bytes: Uint8Array;
  format: DocumentFormat | 'pdf';
}

/** Returns the bytes of a file, or the reason why it is skipped. */
export async function contentOf({ id, path, readAs }: ChosenFile, blobs: BlobReader): Promise<Content | string> {
  const blob = await blobs.read(id, readAs === 'pdf' ? limits.pdfFileBytesMax : documentBytesMaxOf(path));
  // Hosts that do not serve single files omit files that are too large.
  if ('isMissing' in blob || 'isTooLarge' in blob) return 'too-large';
  if (blob.bytes.byteLength === 0) return 'empty';
  const isPointer =
    blob.bytes.byteLength < pointerBytesMax &&
    blob.bytes.subarray(0, 60).toString('latin1').startsWith('version https://git-lfs.github.com/spec/');
  if (isPointer) return 'lfs-pointer';
  if (readAs === 'pdf') return { bytes: blob.bytes, format: 'pdf' };
  const format = formatOf(path, undefined, blob.bytes);
  if (format === undefined) return 'binary';
  // The content may not match what the name suggests.
  const isOtherXml = readAs === 'documentation' && format === 'code' && /\.xml$/i.test(path);
  if (readAs !== 'declarations' && format !== 'topic' && !isOtherXml) return { bytes: blob.bytes, format };
  const declared = documentationFormatOf(path, blob.bytes);
  return declared === undefined ? 'not-documentation' : { bytes: blob.bytes, format: declared };
}

/** Returns the hash of a page's content: the same content read in another way is another page. */
export function hashOf({ id, readAs }: ChosenFile): string {
  return readAs === 'declarations' ? `${id}:declarations` : id;
}
