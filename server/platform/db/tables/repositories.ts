import type { Generated } from 'kysely';
import type { DeliveryOutcome, DeliveryRefusal } from '#contract/repositories.ts';

export interface RepositoriesTables {
  repositories: RepositoriesTable;
  gitHosts: GitHostsTable;
  repositoryWebhooks: RepositoryWebhooksTable;
  repositoryDeliveries: RepositoryDeliveriesTable;
  repositoryWebhookLog: RepositoryWebhookLogTable;
}

/** One row per module made from a repository that has been checked at least once. */
interface RepositoriesTable {
  moduleId: string;
  /** JSON: the source described by the rest of the row. */
  source: string;
  /** Host and path, the same for all forms of the address. */
  repositoryKey: string;
  url: string;
  /** Null for the repository's default branch. */
  refKind: 'branch' | 'tag' | null;
  refName: string | null;
  folder: string | null;
  credentialId: string | null;
  /** The most recently fetched commit, and the run that fetched it: served once that run has succeeded. */
  revision: string | null;
  revisionJobId: string | null;
  /** The commit for which a check last queued a run, and that run. */
  queuedRevision: string | null;
  queuedJobId: string | null;
  checkedAt: number | null;
  nextCheckAt: number;
  /** Consecutive failed checks and runs. */
  failureCount: Generated<number>;
  /** Error message of the last check, if it failed. */
  checkError: string | null;
}

interface GitHostsTable {
  /** `host` or `[host]:port`. */
  host: string;
  /** Lines of a known_hosts file. */
  knownKeys: string;
  firstSeenAt: number;
}

/** A module whose repository host may report pushes. */
interface RepositoryWebhooksTable {
  moduleId: string;
  /** Each generation has its own secret; a new one invalidates the previous. */
  generation: number;
  createdAt: number;
  /** Time and name of the last event with a valid signature. */
  receivedAt: number | null;
  receivedEvent: string | null;
  /** Set once the webhook is removed; its secrets are never valid again. */
  removedAt: Generated<number | null>;
}

/** Processed events, so that a redelivered event has no effect. */
interface RepositoryDeliveriesTable {
  moduleId: string;
  deliveryId: string;
  receivedAt: number;
}

/** The results of the most recent events for a module's repository. */
interface RepositoryWebhookLogTable {
  id: string;
  moduleId: string;
  /** Time of the latest of several events counted as one. */
  at: number;
  event: string | null;
  /** Full name of the pushed ref. */
  ref: string | null;
  outcome: DeliveryOutcome;
  reason: DeliveryRefusal | null;
  times: number;
}
