import type { OpenShelf } from '#server/features/catalog/index.ts';
import type { SegmentBuilds } from '#server/ingest/build/segment-builds.ts';
import type { HostGates } from '#server/ingest/crawl/index.ts';
import type { ParsePool } from '#server/ingest/parse/index.ts';
import type { PdfParser } from '#server/ingest/pdf/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import type { PageRenderer } from '#server/platform/browser/page-renderer.ts';
import type { Outbound } from '#server/platform/outbound/index.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import type { LeaseEnvironment } from './job-lease.ts';
import type { LibraryNotices } from './notices.ts';

/** What collecting and building needs of the process. */
export interface IndexJobDependencies {
  blobs: Blobs;
  outbound: Outbound;
  parsePool: ParsePool;
  builds: SegmentBuilds;
  shelf: OpenShelf;
  notices: LibraryNotices;
  onCancel: LeaseEnvironment['onCancel'];
  /** Politeness towards hosts, shared by all runs of the process. */
  gates: HostGates;
  userAgent: string;
  /** Shows pages of scripts; there when the installation has a browser. */
  renderer?: PageRenderer | undefined;
  /** Reads PDF files among others; left out: they are left out. */
  pdfParser?: PdfParser | undefined;
  /** Open the credentials of private sources. */
  sealingKeys: SealingKeys;
}
