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
  /** Whose tools its agents see; null: those of the product. */
  clientKind: 'deep-research' | null;
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
  /** Its agents may ask for sources. */
  mayAskToIndex: Generated<number>;
  /** Names of `keyRights`, separated by commas. */
  rights: Generated<string>;
}

interface OauthClientsTable {
  /** Made here for one that registered; the address of its description for one that publishes it. */
  id: string;
  kind: 'registered' | 'document';
  name: string;
  /** JSON array. */
  redirectUris: string;
  usesRefresh: number;
  createdAt: number;
  /** Until when a description counts without being fetched again. */
  readUntil: number | null;
  /** When someone last let it in. */
  lastUsedAt: number | null;
}

interface ConnectionsTable {
  id: string;
  userId: string;
  workspace: Exclude<Workspace, 'public'>;
  clientId: string;
  clientName: string;
  /** Host of the description that vouches for the name. */
  vouchedBy: string | null;
  /** What the tokens are for (RFC 8707). */
  resource: string;
  usesRefresh: number;
  createdAt: number;
  /** Null until the application has exchanged its code. */
  connectedAt: number | null;
  lastUsedAt: number | null;
  /** When the last token that could be used ends. */
  expiresAt: number;
  revokedAt: number | null;
  /** The application may ask for sources. */
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
  /** When a refresh token was exchanged for the next one. */
  usedAt: number | null;
}
