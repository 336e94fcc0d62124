import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';
import { nameLine } from './name-line.ts';

/**
 * Status of a set. `queued` and `indexing` have a run; `failed` is the last run's result, with its reason in
 * `lastError`.
 */
export const pdfSetStatuses = ['not indexed', 'queued', 'indexing', 'indexed', 'failed'] as const;
export type PdfSetStatus = (typeof pdfSetStatuses)[number];

/** Displayed state of each status; unknown ones are shown as `unknown`. */
const shown: Record<PdfSetStatus, 'complete' | 'failed' | 'running' | 'pending'> = {
  indexed: 'complete',
  failed: 'failed',
  indexing: 'running',
  queued: 'running',
  'not indexed': 'pending',
};

/** Returns the displayed state of a status. */
export function displayedStatus(status: string): 'complete' | 'failed' | 'running' | 'pending' | 'unknown' {
  return pdfSetStatuses.find((one) => one === status) === undefined ? 'unknown' : shown[status as PdfSetStatus];
}

/** Result of a file in the last run: `waiting` until a run has read it. */
export const pdfFileStatuses = ['waiting', 'indexed', 'failed'] as const;

export const pdfFileSchema = z.object({
  fileId: z.string(),
  /** Sanitised upload name; display only, never a path. */
  name: z.string(),
  sizeBytes: z.int(),
  /** SHA-256, hex. */
  contentHash: z.string(),
  /** Modification time on the uploader's disk if the browser sent it, otherwise the upload time. */
  lastModified: z.int(),
  uploadedAt: z.int(),
  status: z.enum(pdfFileStatuses),
  /** Address in agents' reads and search results: `pdf://manuals/gsl-ref.pdf`, with `#page=12` for a page. */
  address: z.string(),
  title: z.string().nullable(),
  language: z.string().nullable(),
  pageCount: z.int().nullable(),
  indexedPages: z.int(),
  /** A sentence that says why this file was not indexed, or what is missing from it. */
  lastError: z.string().nullable(),
  /** True if the caller may remove the file: its uploader, the set's creator and the team's admins. */
  canRemove: z.boolean(),
});
export type PdfFile = z.infer<typeof pdfFileSchema>;

export const pdfSetSchema = z.object({
  setId: z.string(),
  /** The creator's id. */
  uid: z.string(),
  teamId: z.string().nullable(),
  displayName: z.string(),
  /** Folder of its files in the blob store. */
  gcsFolder: z.string(),
  /** The bucket, or `local` for a folder on the server. */
  bucketName: z.string(),
  /** Sorted by name. */
  pdfFiles: z.array(pdfFileSchema),
  totalFiles: z.int(),
  totalSizeBytes: z.int(),
  status: z.enum(pdfSetStatuses),
  uploadedAt: z.int(),
  lastIndexedAt: z.int().nullable(),
  /** Files that are searchable now. */
  totalDocs: z.int(),
  /** Pages of the searchable files. */
  indexedPages: z.int(),
  /** BCP 47: the language of most files. */
  language: z.string().nullable(),
  indexId: z.string(),
  moduleId: z.string(),
  stackName: z.string(),
  /** A sentence that says why the last run failed, or which file it could not read. */
  lastError: z.string().nullable(),
  /** Files that could not be read in the last run. */
  errorCount: z.int(),
  /** The queued or running job, for cancellation and progress. */
  jobId: z.string().nullable(),
  /** True if the caller may upload, rename and index. */
  canChange: z.boolean(),
  /** True if the caller may remove the set: its creator and the team's admins. */
  canRemove: z.boolean(),
});
export type PdfSet = z.infer<typeof pdfSetSchema>;

export const pdfUploadSchema = z.object({
  uploadId: z.string(),
  setId: z.string(),
  fileName: z.string(),
  sizeBytes: z.int(),
  /** Bytes stored so far: the next part starts here. */
  offset: z.int(),
  /** When the upload can no longer be resumed. */
  expiresAt: z.int(),
});
export type PdfUpload = z.infer<typeof pdfUploadSchema>;

export const pdfStorageSchema = z.object({
  /** Files and uploads in progress in all sets of the workspace. */
  usedBytes: z.int(),
  quotaBytes: z.int(),
});

const setId = z.string().max(100);
const fileId = z.string().max(100);
const uploadId = z.string().max(100);
const displayName = z.string().overwrite(nameLine).min(1, 'give the set a name').max(limits.displayNameCharactersMax);
const oneSet = z.object({ set: pdfSetSchema });
const oneUpload = z.object({ upload: pdfUploadSchema });

export const startPdfUploadInput = z.object({
  setId,
  fileName: z.string().max(limits.pdfFileNameCharactersMax),
  sizeBytes: z.int().min(0),
  /** When the file was changed on the uploader's disk; epoch milliseconds. */
  lastModified: z.int().min(0).optional(),
});

export const pdfSetEndpoints = {
  listPdfSets: endpoint('GET /api/pdf-sets', {
    summary: 'Lists the workspace’s PDF sets, newest first, and the storage they use.',
    output: z.object({ sets: z.array(pdfSetSchema), storage: pdfStorageSchema }),
  }),
  createPdfSet: endpoint('POST /api/pdf-sets', {
    summary: 'Creates an empty PDF set.',
    right: 'sources.write',
    input: z.object({ displayName }),
    output: oneSet,
  }),
  getPdfSet: endpoint('GET /api/pdf-sets/:setId', {
    summary: 'Returns a PDF set and your unfinished uploads to it.',
    input: z.object({ setId }),
    output: z.object({ set: pdfSetSchema, uploads: z.array(pdfUploadSchema) }),
  }),
  renamePdfSet: endpoint('PUT /api/pdf-sets/:setId', {
    summary: 'Renames a PDF set. Its pages’ addresses stay the same.',
    right: 'sources.write',
    input: z.object({ setId, displayName }),
    output: oneSet,
  }),
  removePdfSet: endpoint('DELETE /api/pdf-sets/:setId', {
    summary: 'Removes a PDF set with its files and its index, and cancels its run.',
    right: 'sources.write',
    input: z.object({ setId }),
    output: z.object({ setId: z.string() }),
  }),
  indexPdfSet: endpoint('POST /api/pdf-sets/:setId/index', {
    summary: 'Indexes a PDF set for the first time or again. Unchanged files are not read again.',
    right: 'sources.write',
    input: z.object({ setId }),
    output: oneSet,
  }),
  removePdfFile: endpoint('DELETE /api/pdf-sets/:setId/files/:fileId', {
    summary: 'Removes one file. It stays searchable until the set is indexed again.',
    right: 'sources.write',
    input: z.object({ setId, fileId }),
    output: oneSet,
  }),
  startPdfUpload: endpoint('POST /api/pdf-sets/:setId/uploads', {
    summary: 'Starts the upload of one file, and reserves its size in the workspace’s storage.',
    right: 'sources.write',
    input: startPdfUploadInput,
    output: oneUpload,
  }),
  getPdfUpload: endpoint('GET /api/pdf-uploads/:uploadId', {
    summary: 'Returns an upload’s position, to continue after a lost connection.',
    right: 'sources.write',
    input: z.object({ uploadId }),
    output: oneUpload,
  }),
  completePdfUpload: endpoint('POST /api/pdf-uploads/:uploadId/complete', {
    summary: 'Completes an upload after all bytes have arrived. Repeated calls return the same response.',
    right: 'sources.write',
    input: z.object({ uploadId }),
    output: z.object({ set: pdfSetSchema, file: pdfFileSchema }),
  }),
  abandonPdfUpload: endpoint('DELETE /api/pdf-uploads/:uploadId', {
    summary: 'Cancels an upload and deletes the bytes received.',
    right: 'sources.write',
    input: z.object({ uploadId }),
    output: z.object({ uploadId: z.string() }),
  }),
};

/**
 * Returns the path for uploading a part: `PUT` with the raw bytes as the body (`application/octet-stream`), at most
 * `pdfPartBytesMax`. The response is that of `getPdfUpload`. A part counts once it has arrived completely. If its
 * offset is not the upload's current one, it is refused with `upload-out-of-step`, and `getPdfUpload` returns where to
 * continue.
 */
export function pdfPartPath(uploadId: string, offset: number): string {
  return `/api/pdf-uploads/${encodeURIComponent(uploadId)}/parts?offset=${offset}`;
}
