import { sentenceOf } from '#contract/errors.ts';
import * as limits from '#contract/limits.ts';
import type { PdfUpload } from '#contract/pdf-sets.ts';
import type { SendableFile } from './upload-transport.ts';

export interface ChosenFiles<Chosen extends SendableFile> {
  /** Files to send, each with the unfinished upload of the same name and size that it continues, if any. */
  files: { file: Chosen; uploadId: string | undefined }[];
  /** A sentence for each file that is not sent. */
  refused: string[];
  /**
   * Number of files already in the set or being uploaded: choosing the same files again resumes where the upload
   * stopped.
   */
  known: number;
}

interface Room {
  /** Number of files in the set and uploads in progress. */
  filesTaken: number;
  /** Files that are in the set, or that this page is uploading. */
  known?: { name: string; sizeBytes: number }[];
  unfinished: Pick<PdfUpload, 'uploadId' | 'fileName' | 'sizeBytes'>[];
}

/** Separates the chosen files that can be sent from the others, with their errors, before anything is sent. */
export function chooseFiles<Chosen extends SendableFile>(chosen: Chosen[], room: Room): ChosenFiles<Chosen> {
  const result: ChosenFiles<Chosen> = { files: [], refused: [], known: 0 };
  const unfinished = [...room.unfinished];
  const known = [...(room.known ?? [])];
  let left = limits.pdfFilesPerSetMax - room.filesTaken;
  for (const file of chosen) {
    const refusal = refusalOf(file);
    if (refusal !== undefined) {
      result.refused.push(refusal);
      continue;
    }
    const there = known.findIndex(({ name, sizeBytes }) => name === file.name && sizeBytes === file.size);
    if (there >= 0) {
      known.splice(there, 1);
      result.known += 1;
      continue;
    }
    const place = unfinished.findIndex(({ fileName, sizeBytes }) => fileName === file.name && sizeBytes === file.size);
    const [before] = place < 0 ? [] : unfinished.splice(place, 1);
    // A resumed upload already counts.
    if (before === undefined && left <= 0) {
      result.refused.push(`${file.name}: ${sentenceOf('pdf-set-full', { limit: limits.pdfFilesPerSetMax })}`);
      continue;
    }
    if (before === undefined) left -= 1;
    result.files.push({ file, uploadId: before?.uploadId });
  }
  return result;
}

function refusalOf({ name, size }: SendableFile): string | undefined {
  if (!/\.pdf$/i.test(name)) return sentenceOf('pdf-file-refused', { name });
  if (size === 0) return sentenceOf('pdf-file-empty', { name });
  if (size > limits.pdfFileBytesMax) {
    return sentenceOf('pdf-file-too-large', { name, bytes: size, limit: limits.pdfFileBytesMax });
  }
  return undefined;
}
