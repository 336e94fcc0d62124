import type { Generated } from 'kysely';

export interface InstallationTables {
  auditLog: AuditLogTable;
  blobDeletions: BlobDeletionsTable;
  settings: SettingsTable;
}

interface AuditLogTable {
  id: string;
  /** Null: the system itself, or an account that has been deleted. */
  actorUserId: string | null;
  action: string;
  entityId: string;
  /** JSON object. */
  detail: Generated<string>;
  createdAt: number;
  /** The team whose admins may read it. */
  teamId: string | null;
}

interface BlobDeletionsTable {
  /** A key, or what all keys to delete begin with. */
  prefix: string;
  createdAt: number;
}

interface SettingsTable {
  name: string;
  /** JSON. */
  value: string;
}
