import type { Generated } from 'kysely';

export interface RepositoriesTables {
  repositories: RepositoriesTable;
  gitHosts: GitHostsTable;
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
