import type { Generated } from 'kysely';
import type { DeliveryOutcome, DeliveryRefusal } from '#contract/repositories.ts';

export interface RepositoriesTables {
  repositories: RepositoriesTable;
  gitHosts: GitHostsTable;
  repositoryWebhooks: RepositoryWebhooksTable;
  repositoryDeliveries: RepositoryDeliveriesTable;
  repositoryWebhookLog: RepositoryWebhookLogTable;
}

/** One row for each module that is made from a repository and was looked at since. */
interface RepositoriesTable {
  moduleId: string;
  /** JSON: the source that the rest of the row is about. */
  source: string;
  /** Host and path, the same for all forms of the address. */
  repositoryKey: string;
  url: string;
  /** Null: the branch that the repository calls its default. */
  refKind: 'branch' | 'tag' | null;
  refName: string | null;
  folder: string | null;
  credentialId: string | null;
  /** Of the commit that was last fetched, and the run that fetched it: what is served when that run has ended well. */
  revision: string | null;
  revisionJobId: string | null;
  /** Of the commit that a check last queued a run for, and that run. */
  queuedRevision: string | null;
  queuedJobId: string | null;
  checkedAt: number | null;
  nextCheckAt: number;
  /** Checks and runs in a row that came to nothing. */
  failureCount: Generated<number>;
  /** The sentence of the last check, when it failed. */
  checkError: string | null;
}

interface GitHostsTable {
  /** `host` or `[host]:port`. */
  host: string;
  /** Lines of a known_hosts file. */
  knownKeys: string;
  firstSeenAt: number;
}

/** A module whose repository's host may tell pushes. */
interface RepositoryWebhooksTable {
  moduleId: string;
  /** Each has a secret of its own; a new one voids the one before. */
  generation: number;
  createdAt: number;
  /** The last event that was signed, and its name. */
  receivedAt: number | null;
  receivedEvent: string | null;
  /** Not null: there is none, and its secrets never count again. */
  removedAt: Generated<number | null>;
}

/** Events that were taken, so that one delivered again comes to nothing. */
interface RepositoryDeliveriesTable {
  moduleId: string;
  deliveryId: string;
  receivedAt: number;
}

/** The results of the last events delivered for a module's repository. */
interface RepositoryWebhookLogTable {
  id: string;
  moduleId: string;
  /** The last time, of several that count as one. */
  at: number;
  event: string | null;
  /** The full name of what was pushed. */
  ref: string | null;
  outcome: DeliveryOutcome;
  /** Why it was refused. */
  reason: DeliveryRefusal | null;
  times: number;
}
