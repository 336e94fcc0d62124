import type { Generated } from 'kysely';
import type { Workspace } from '../column-types.ts';

export interface AccessTables {
  apiKeys: ApiKeysTable;
  oauthClients: OauthClientsTable;
  connections: ConnectionsTable;
  connectionCodes: ConnectionCodesTable;
  connectionTokens: ConnectionTokensTable;
}

interface ApiKeysTable {
  id: string;
  userId: string;
  teamId: string | null;
  name: string;
  keyHash: string;
  /** The key, encrypted: users may reveal it later. */
  keySealed: string;
  /** Client whose tools the key's agents see; null for the product's tools. */
  clientKind: 'deep-research' | null;
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
  /** The key's agents may request sources. */
  mayAskToIndex: Generated<number>;
  /** Comma-separated names of `keyRights`. */
  rights: Generated<string>;
}

interface OauthClientsTable {
  /** Created here for a registered client; for a published one, the address of its metadata document. */
  id: string;
  kind: 'registered' | 'document';
  name: string;
  /** JSON array. */
  redirectUris: string;
  usesRefresh: number;
  createdAt: number;
  /** When the metadata document must be fetched again. */
  readUntil: number | null;
  /** When a user last authorized it. */
  lastUsedAt: number | null;
}

interface ConnectionsTable {
  id: string;
  userId: string;
  workspace: Exclude<Workspace, 'public'>;
  clientId: string;
  clientName: string;
  /** Host of the metadata document that vouches for the name. */
  vouchedBy: string | null;
  /** The resource the tokens are valid for (RFC 8707). */
  resource: string;
  usesRefresh: number;
  createdAt: number;
  /** Null until the application has exchanged its authorization code. */
  connectedAt: number | null;
  lastUsedAt: number | null;
  /** When the last usable token expires. */
  expiresAt: number;
  revokedAt: number | null;
  /** The application may request sources. */
  mayAskToIndex: Generated<number>;
}

interface ConnectionCodesTable {
  codeHash: string;
  connectionId: string;
  clientId: string;
  redirectUri: string;
  codeChallenge: string;
  expiresAt: number;
  usedAt: number | null;
}

interface ConnectionTokensTable {
  tokenHash: string;
  connectionId: string;
  kind: 'access' | 'refresh';
  createdAt: number;
  expiresAt: number;
  /** When a refresh token was exchanged for its successor. */
  usedAt: number | null;
}
