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

export interface ConfTables {
  confSignUps: ConfSignUpsTable;
}

interface ConfSignUpsTable {
  id: string;
  email: string;
  createdAt: number;
  /** SHA-256 of the token in the newest mail; null once it was used. */
  confirmHash: string | null;
  confirmExpiresAt: number | null;
  confirmedAt: number | null;
}

export interface MailsTables {
  waitingMails: WaitingMailsTable;
}

interface WaitingMailsTable {
  /** Also part of the message id: a mail that goes out twice after a fault is known as one by the person who gets it. */
  id: string;
  /** SHA-256 of the address in lower case. */
  recipientHash: string;
  sealed: string;
  createdAt: number;
  /** That failed. */
  attempts: Generated<number>;
  /** Also the end of the hold of the person who sends it now. */
  nextAttemptAt: number;
  /** Code of the fault of the last attempt. */
  lastFault: string | null;
}
