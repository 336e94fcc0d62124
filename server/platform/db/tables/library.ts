import type { Generated } from 'kysely';
import type { JobStatus, SourceKind, Workspace } from '../column-types.ts';

export interface LibraryTables {
  modules: ModulesTable;
  segments: SegmentsTable;
  jobRuns: JobRunsTable;
  jobLogEntries: JobLogEntriesTable;
  moduleProbes: ModuleProbesTable;
  clusterSegments: ClusterSegmentsTable;
}

/** A segment whose snippets lie in the search cluster, are being written there, or must be removed from it. */
interface ClusterSegmentsTable {
  /** The row outlives that of the segment: it is what remembers the snippets to be removed. */
  segmentId: string;
  /** Where they lie, no matter who owns the module by now: `public`, or a workspace. */
  tenant: string;
  /** Identity of the index they were written to. */
  indexId: string;
  /** Until then someone is writing them. */
  leaseUntil: number;
  /** Null until all of them can be found. */
  readyAt: number | null;
}

/** A question that a module has to answer, and the page it has to answer it from. */
interface ModuleProbesTable {
  id: string;
  moduleId: string;
  question: string;
  address: string;
  origin: 'person' | 'generated';
  createdAt: number;
}

interface ModulesTable {
  id: string;
  workspace: Workspace;
  slug: string;
  displayName: string;
  kind: SourceKind;
  /** JSON: how to fetch it again. */
  source: string;
  /** JSON array of segment ids, oldest first: what is served. */
  segments: Generated<string>;
  pageCount: Generated<number>;
  snippetCount: Generated<number>;
  tokenCount: Generated<number>;
  byteCount: Generated<number>;
  createdAt: number;
  createdByUserId: string;
  /** Null until the first version is served. */
  lastUpdatedAt: number | null;
  /** Grows by one with every swap, so that a swap can be conditional on the version it was built from. */
  revision: Generated<number>;
}

interface SegmentsTable {
  id: string;
  /** May outlive its module: the row is what remembers the blob to be deleted. */
  moduleId: string;
  blobKey: string;
  pageCount: Generated<number>;
  snippetCount: Generated<number>;
  byteCount: Generated<number>;
  createdAt: number;
  /** Set when no module serves it any more. */
  droppedAt: number | null;
}

interface JobRunsTable {
  id: string;
  workspace: Workspace;
  /** May name a module that has been removed: a run is history. */
  moduleId: string | null;
  slug: string;
  displayName: string;
  url: string;
  kind: SourceKind;
  status: JobStatus;
  /** JSON object. */
  settings: Generated<string>;
  found: Generated<number>;
  fetched: Generated<number>;
  unchanged: Generated<number>;
  skipped: Generated<number>;
  failed: Generated<number>;
  snippets: Generated<number>;
  contentBytes: Generated<number>;
  /** JSON object: reason → count. */
  skipReasons: Generated<string>;
  error: string | null;
  errorCode: string | null;
  attempt: Generated<number>;
  leaseOwner: string | null;
  leaseUntil: number | null;
  cancelRequestedAt: number | null;
  createdAt: number;
  startTime: number | null;
  endTime: number | null;
  startedByUserId: string;
  updatedAt: number;
  /** JSON: how the version that was served and the new one answer the probe questions; null where nothing was compared. */
  quality: string | null;
  /** JSON: the new version, where it was not put in service because it answers them worse. */
  held: string | null;
  /** When the pages that it could not read are read again without anyone asking; null where there are none, or no more tries. */
  retryAt: number | null;
}

interface JobLogEntriesTable {
  jobId: string;
  /** From 0, in the order it was met. */
  position: number;
  address: string;
  status: 'skipped' | 'failed';
  reason: string;
}

export interface SourcesTables {
  sourceCredentials: SourceCredentialsTable;
}

interface SourceCredentialsTable {
  id: string;
  workspace: Exclude<Workspace, 'public'>;
  kind: 'header' | 'cookie' | 'basic' | 'token' | 'ssh-key';
  /** Scheme, host and port of the only place it is sent to. */
  origin: string;
  label: string;
  /** JSON of the secret, under the label `source-credential:{id}:{origin}`. */
  sealed: string;
  createdAt: number;
  createdByUserId: string;
  lastUsedAt: number | null;
}

export interface IndexRequestsTables {
  indexRequests: IndexRequestsTable;
}

interface IndexRequestsTable {
  id: string;
  workspace: Exclude<Workspace, 'public'>;
  /** The person whose key or application asked. */
  userId: string;
  /** Of the key or connection, with what it was called then. */
  credentialId: string;
  credentialName: string;
  /** As people are shown it; names the source among the requests of a workspace. */
  address: string;
  /** As the agent gave it: what is read. */
  source: string;
  kind: SourceKind;
  /** The id that the module gets. */
  moduleId: string;
  library: string | null;
  version: string | null;
  state: 'pending' | 'approved' | 'declined' | 'expired';
  createdAt: number;
  expiresAt: number;
  answeredAt: number | null;
  answeredByUserId: string | null;
  /** Of one that waits: it was closed there without an answer. */
  answeredThrough: 'screen' | 'agent' | null;
  jobId: string | null;
}
