import type { Generated } from 'kysely';
import type { Workspace } from '../column-types.ts';

export interface PdfSetsTables {
  pdfSets: PdfSetsTable;
  pdfFiles: PdfFilesTable;
  pdfUploads: PdfUploadsTable;
}

interface PdfSetsTable {
  id: string;
  workspace: Exclude<Workspace, 'public'>;
  /** Part of the module id and of page addresses; unchanged when the set is renamed. */
  slug: string;
  displayName: string;
  createdAt: number;
  createdByUserId: string;
  /** Upload time of the newest file, or of the set while it is empty. */
  uploadedAt: number;
}

interface PdfFilesTable {
  id: string;
  setId: string;
  /** The name shown to people. */
  name: string;
  /** The file's part of its page addresses; unique in its set. */
  slug: string;
  blobKey: string;
  sizeBytes: number;
  contentHash: string;
  lastModified: number;
  uploadedAt: number;
  uploadedByUserId: string;
  status: Generated<'waiting' | 'indexed' | 'failed'>;
  title: string | null;
  language: string | null;
  pageCount: number | null;
  indexedPages: Generated<number>;
  /** A sentence shown to people. */
  lastError: string | null;
}

interface PdfUploadsTable {
  id: string;
  setId: string;
  userId: string;
  name: string;
  sizeBytes: number;
  lastModified: number | null;
  /** JSON array of blob keys, in order. */
  parts: Generated<string>;
  /** Total bytes of the parts. */
  arrivedBytes: Generated<number>;
  createdAt: number;
  changedAt: number;
  /** The file created from the upload; the row is kept so that repeated completion returns the same result. */
  fileId: string | null;
}
