import type { SourceKind, Workspace } from '../column-types.ts';

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
