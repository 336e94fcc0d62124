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
  /** In the id of its module and the addresses of its pages: stays when the set is renamed. */
  slug: string;
  displayName: string;
  createdAt: number;
  createdByUserId: string;
  /** Of the newest file, or of the set while it has none. */
  uploadedAt: number;
}

interface PdfFilesTable {
  id: string;
  setId: string;
  /** As it is shown. */
  name: string;
  /** Its part of the address of its pages; one of a kind in its set. */
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
  /** A sentence for people. */
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
  /** Bytes of those parts. */
  arrivedBytes: Generated<number>;
  createdAt: number;
  changedAt: number;
  /** The file that was made of it; the row stays so that completing it again answers the same. */
  fileId: string | null;
}
