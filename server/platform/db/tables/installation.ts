import type { Generated } from 'kysely';

export interface InstallationTables {
  auditLog: AuditLogTable;
  blobDeletions: BlobDeletionsTable;
  settings: SettingsTable;
}

interface AuditLogTable {
  id: string;
  /** Null for the system itself, or a deleted account. */
  actorUserId: string | null;
  action: string;
  entityId: string;
  /** JSON object. */
  detail: Generated<string>;
  createdAt: number;
  /** The team whose admins may read the row. */
  teamId: string | null;
}

interface BlobDeletionsTable {
  /** A blob key, or the common prefix of all keys to delete. */
  prefix: string;
  createdAt: number;
}

interface SettingsTable {
  name: string;
  /** JSON. */
  value: string;
}

export interface ConfTables {
  confSignUps: ConfSignUpsTable;
}

interface ConfSignUpsTable {
  id: string;
  email: string;
  createdAt: number;
  /** SHA-256 of the token in the newest mail; null after use. */
  confirmHash: string | null;
  confirmExpiresAt: number | null;
  confirmedAt: number | null;
}

export interface MailsTables {
  waitingMails: WaitingMailsTable;
}

interface WaitingMailsTable {
  /** Also part of the message id, so that a mail sent twice after a failure is recognized as one. */
  id: string;
  /** SHA-256 of the lower-case address. */
  recipientHash: string;
  sealed: string;
  createdAt: number;
  /** Number of failed attempts. */
  attempts: Generated<number>;
  /** During an attempt, the end of the sender's lease. */
  nextAttemptAt: number;
  /** Error code of the last attempt. */
  lastFault: string | null;
}
