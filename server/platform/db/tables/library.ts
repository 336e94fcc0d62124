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

/** A segment whose snippets are in the search cluster, are being written there, or must be removed from it. */
interface ClusterSegmentsTable {
  /** The row outlives the segment's row, so that the snippets can still be removed. */
  segmentId: string;
  /** Where the snippets are stored, even if the module has moved since: `public`, or a workspace. */
  tenant: string;
  /** Identity of the index the snippets were written to. */
  indexId: string;
  /** End of the writer's lease. */
  leaseUntil: number;
  /** Null until all snippets are searchable. */
  readyAt: number | null;
}

/** A question that a module must answer, and the page it must find. */
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
  /** JSON: how to fetch the source again. */
  source: string;
  /** JSON array of the ids of served segments, oldest first. */
  segments: Generated<string>;
  pageCount: Generated<number>;
  snippetCount: Generated<number>;
  tokenCount: Generated<number>;
  byteCount: Generated<number>;
  createdAt: number;
  createdByUserId: string;
  /** Null until the first version is served. */
  lastUpdatedAt: number | null;
  /** Incremented with every swap, so that a swap can be conditional on the version it was built from. */
  revision: Generated<number>;
}

interface SegmentsTable {
  id: string;
  /** May outlive its module: the row is needed to delete the blob. */
  moduleId: string;
  blobKey: string;
  pageCount: Generated<number>;
  snippetCount: Generated<number>;
  byteCount: Generated<number>;
  createdAt: number;
  /** Set when no module serves the segment any longer. */
  droppedAt: number | null;
}

interface JobRunsTable {
  id: string;
  workspace: Workspace;
  /** May name a removed module: runs are kept as history. */
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
  /** JSON: how the served version and the new one answer the probe questions; null without a comparison. */
  quality: string | null;
  /** JSON: the new version, if it is held back because it answers the probe questions worse. */
  held: string | null;
  /** When unreadable pages are retried automatically; null if there are none, or no tries are left. */
  retryAt: number | null;
}

interface JobLogEntriesTable {
  jobId: string;
  /** Counts from 0, in the order of the run. */
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
  /** Scheme, host and port of the only place the secret is sent to. */
  origin: string;
  label: string;
  /** JSON of the secret, encrypted under the label `source-credential:{id}:{origin}`. */
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
  /** The owner of the requesting key or application. */
  userId: string;
  /** Id of the key or connection, with its name at that time. */
  credentialId: string;
  credentialName: string;
  /** The address shown to people; identifies the source among a workspace's requests. */
  address: string;
  /** The address from the agent, which is the one indexed. */
  source: string;
  kind: SourceKind;
  /** The id the module will get. */
  moduleId: string;
  library: string | null;
  version: string | null;
  state: 'pending' | 'approved' | 'declined' | 'expired';
  createdAt: number;
  expiresAt: number;
  answeredAt: number | null;
  answeredByUserId: string | null;
  /** For a pending request: where its question was closed without an answer. */
  answeredThrough: 'screen' | 'agent' | null;
  jobId: string | null;
}
