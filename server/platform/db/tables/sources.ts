import type { Workspace } from '../column-types.ts';

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
