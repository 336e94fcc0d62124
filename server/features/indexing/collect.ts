import type { Context } from '#server/context.ts';
import type { JobSettings, OpenShelf } from '#server/features/catalog/index.ts';
import type { SegmentBuilds } from '#server/ingest/build/segment-builds.ts';
import type { HostGates } from '#server/ingest/crawl/index.ts';
import type { ParsePool } from '#server/ingest/parse/index.ts';
import type { PdfParser } from '#server/ingest/pdf/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import type { PageRenderer } from '#server/platform/browser/page-renderer.ts';
import type { SourceKind } from '#server/platform/db/schema.ts';
import type { Outbound } from '#server/platform/outbound/index.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import type { JobLease, LeaseEnvironment } from './job-lease.ts';
import type { LibraryNotices } from './notices.ts';
import type { PreviousVersion } from './previous-version.ts';
import type { RunLog } from './run-log.ts';
import type { RunSpool } from './run-spool.ts';

/** The services of the process that collecting and building need. */
export interface IndexJobDependencies {
  blobs: Blobs;
  outbound: Outbound;
  parsePool: ParsePool;
  builds: SegmentBuilds;
  shelf: OpenShelf;
  notices: LibraryNotices;
  onCancel: LeaseEnvironment['onCancel'];
  /** Request limits per host, shared by all runs of the process. */
  gates: HostGates;
  userAgent: string;
  /** Renders script-based pages; present if the installation has a browser. */
  renderer?: PageRenderer | undefined;
  /** Parses PDF files within other sources; without it they are skipped. */
  pdfParser?: PdfParser | undefined;
  /** Decrypt the credentials of private sources. */
  sealingKeys: SealingKeys;
}

/** A run's counts as stored in its row. */
export interface Coverage {
  found: number;
  fetched: number;
  unchanged: number;
  skipped: number;
  failed: number;
  contentBytes: number;
  /** JSON array of `{reason, count, examples}`. */
  skipReasons: string;
}

/** The current counts; the reasons are added only at the end. */
export type CoverageChange = Omit<Coverage, 'skipReasons'> & Partial<Coverage>;

/** The source to read, the version served now, and the destination of the pages. */
export interface CollectRun {
  settings: JobSettings;
  previous: PreviousVersion;
  spool: RunSpool;
  /** Receives the omitted addresses. */
  log: RunLog;
  deps: IndexJobDependencies;
}

/**
 * Collects a source's pages into a run's spool. Throws an error with a message for users if the source yields nothing.
 */
export type Collect = (ctx: Context, lease: JobLease, run: CollectRun) => Promise<CoverageChange>;

/** The services of the process that carrying out a run needs. */
export interface RunDependencies extends IndexJobDependencies {
  /** Collectors for the kinds of sources that features above this one read. */
  collectors: { readonly [Kind in SourceKind]?: Collect };
  /** Called when the run has stored a record from which another attempt could resume. */
  onKept?: (() => void) | undefined;
}
