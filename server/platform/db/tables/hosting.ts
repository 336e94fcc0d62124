import type { Generated } from 'kysely';
import type { HostingMethod, PauseReason } from '#contract/hosting.ts';

export interface HostingTables {
  codeHostConnections: CodeHostConnectionsTable;
  codeHostAttempts: CodeHostAttemptsTable;
  hostedRepositories: HostedRepositoriesTable;
  codeHostDeliveries: CodeHostDeliveriesTable;
  codeHostRevocations: CodeHostRevocationsTable;
}

/** A person's account at the code host; one each. */
interface CodeHostConnectionsTable {
  userId: string;
  method: HostingMethod;
  /** At the host; never changes. */
  accountId: string;
  login: string;
  url: string;
  /** JSON array. */
  scopes: Generated<string>;
  accessTokenSealed: string;
  /** Null: it does not expire. */
  accessExpiresAt: number | null;
  refreshTokenSealed: string | null;
  refreshExpiresAt: number | null;
  state: Generated<'connected' | 'reconnect'>;
  /** Grows with each new token, so that a change can be conditional on the one it was made with. */
  version: Generated<number>;
  /** A refresh token is good once: anyone who uses it holds this until then. */
  refreshingUntil: number | null;
  connectedAt: number;
  updatedAt: number;
}

/** A connection that was begun; its state is good once, in the session that began it. */
interface CodeHostAttemptsTable {
  stateHash: string;
  userId: string;
  sessionId: string;
  method: HostingMethod;
  verifierSealed: string;
  cont: string;
  createdAt: number;
  expiresAt: number;
  usedAt: number | null;
}

/** A repository of a workspace; the workspace is its module's. */
interface HostedRepositoriesTable {
  id: string;
  moduleId: string;
  /** At the host; names change, this does not. */
  repositoryId: string;
  fullName: string;
  url: string;
  cloneUrl: string;
  isPrivate: number;
  refKind: 'branch' | 'tag';
  refName: string;
  /** Empty: all of it. */
  folder: Generated<string>;
  /** Vouches for it: it is read as long as this person may read it at the host. */
  addedByUserId: string;
  /** Account that it is read by: the person's, or the one the App is installed on. */
  readerLogin: string;
  installationId: string | null;
  pausedReason: PauseReason | null;
  pausedAt: number | null;
  /** When the host last said that the person may read it. */
  checkedAt: number;
  webhookId: string | null;
  /** JSON object. */
  stats: string | null;
  createdAt: number;
  updatedAt: number;
}

/** Events that were received, so that one that is delivered again is not acted on again. */
interface CodeHostDeliveriesTable {
  deliveryId: string;
  event: string;
  receivedAt: number;
}

/** Tokens that must be revoked at the host, and webhooks that must be deleted there. */
interface CodeHostRevocationsTable {
  id: string;
  method: HostingMethod;
  tokenSealed: string;
  /** JSON object: the token deletes this webhook and is not revoked. Null: it is revoked. */
  webhook: string | null;
  createdAt: number;
}
