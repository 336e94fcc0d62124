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

/** The counts of a run as its row keeps them. */
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

/** Counts that are known now; the reasons only at the end. */
export type CoverageChange = Omit<Coverage, 'skipReasons'> & Partial<Coverage>;

/** What a run is to read, what is served by now, and where what it reads goes. */
export interface CollectRun {
  settings: JobSettings;
  previous: PreviousVersion;
  spool: RunSpool;
  /** Takes what was left out, address by address. */
  log: RunLog;
  deps: IndexJobDependencies;
}

/** Brings the pages of a source into the spool of a run. Throws a told error when the source gives nothing. */
export type Collect = (ctx: Context, lease: JobLease, run: CollectRun) => Promise<CoverageChange>;

/** What carrying out a run needs of the process. */
export interface RunDependencies extends IndexJobDependencies {
  /** For the kinds of sources that features above this one read. */
  collectors: { readonly [Kind in SourceKind]?: Collect };
  /** Called when a run has something from which a further attempt would go on. */
  onKept?: (() => void) | undefined;
}
