import type { Context } from '#server/context.ts';
import type { JobSettings } from '#server/features/catalog/index.ts';
import type { SourceKind } from '#server/platform/db/schema.ts';
import type { IndexJobDependencies } from './index-job-dependencies.ts';
import type { JobLease } from './job-lease.ts';
import type { PreviousVersion } from './previous-version.ts';
import type { RunLog } from './run-log.ts';
import type { RunSpool } from './run-spool.ts';

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
