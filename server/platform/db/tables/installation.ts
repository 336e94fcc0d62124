import type { Generated } from 'kysely';

export interface InstallationTables {
  auditLog: AuditLogTable;
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

interface SettingsTable {
  name: string;
  /** JSON. */
  value: string;
}
