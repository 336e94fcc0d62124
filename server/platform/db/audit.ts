import { randomUUID } from 'node:crypto';
import type { Transaction } from './database.ts';

/** Who did what to which thing. `detail` must hold no secret (tokens, keys, passwords). */
export interface AuditEntry {
  /** Null: the system itself. */
  actorUserId: string | null;
  /** `noun.verb`, for example `key.revoke`. */
  action: string;
  entityId: string;
  detail?: Record<string, unknown>;
  /** The team it was done in: its admins may read the row. */
  teamId?: string;
}

/** Writes the audit row of a change in the transaction that makes the change. `now` in epoch milliseconds. */
export async function recordAudit(tx: Transaction, now: number, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto('auditLog')
    .values({ ...entry, id: randomUUID(), detail: JSON.stringify(entry.detail ?? {}), createdAt: now })
    .execute();
}
