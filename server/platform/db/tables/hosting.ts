import type { Generated } from 'kysely';
import type { HostingMethod, PauseReason } from '#contract/hosting.ts';

export interface HostingTables {
  codeHostConnections: CodeHostConnectionsTable;
  codeHostAttempts: CodeHostAttemptsTable;
  hostedRepositories: HostedRepositoriesTable;
  codeHostDeliveries: CodeHostDeliveriesTable;
  codeHostRevocations: CodeHostRevocationsTable;
}

/** A person's account at the code host; at most one per person. */
interface CodeHostConnectionsTable {
  userId: string;
  method: HostingMethod;
  /** Id at the host; never changes. */
  accountId: string;
  login: string;
  url: string;
  /** JSON array. */
  scopes: Generated<string>;
  accessTokenSealed: string;
  /** Null if the token does not expire. */
  accessExpiresAt: number | null;
  refreshTokenSealed: string | null;
  refreshExpiresAt: number | null;
  state: Generated<'connected' | 'reconnect'>;
  /** Incremented with each new token, so that updates can be conditional on the token they used. */
  version: Generated<number>;
  /** End of the lease for using the refresh token, which is valid only once. */
  refreshingUntil: number | null;
  connectedAt: number;
  updatedAt: number;
}

/** A pending connection; its state is valid once, in the session that started it. */
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

/** A repository of a workspace; its workspace is that of its module. */
interface HostedRepositoriesTable {
  id: string;
  moduleId: string;
  /** Id at the host; unlike the name, it never changes. */
  repositoryId: string;
  fullName: string;
  url: string;
  cloneUrl: string;
  isPrivate: number;
  refKind: 'branch' | 'tag';
  refName: string;
  /** Empty for the whole repository. */
  folder: Generated<string>;
  /** The person who added the repository; it is read for as long as they have access at the host. */
  addedByUserId: string;
  /** The account used to read it: the person's, or the one the App is installed on. */
  readerLogin: string;
  installationId: string | null;
  pausedReason: PauseReason | null;
  pausedAt: number | null;
  /** When the host last confirmed the person's access. */
  checkedAt: number;
  webhookId: string | null;
  /** JSON object. */
  stats: string | null;
  createdAt: number;
  updatedAt: number;
}

/** Received events, so that a redelivered event is not processed again. */
interface CodeHostDeliveriesTable {
  deliveryId: string;
  event: string;
  receivedAt: number;
}

/** Tokens to revoke and webhooks to delete at the host. */
interface CodeHostRevocationsTable {
  id: string;
  method: HostingMethod;
  tokenSealed: string;
  /** JSON object: the webhook to delete with the token, which is then not revoked. Null: the token is revoked. */
  webhook: string | null;
  createdAt: number;
}
