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
  teamId?: string | undefined;
}

/** The team that a change in a workspace is written down for, if it is one's. */
export function auditTeamOf(workspace: string | null): { teamId?: string } {
  return workspace?.startsWith('team:') === true ? { teamId: workspace.slice('team:'.length) } : {};
}

/** Writes the audit row of a change in the transaction that makes the change. `now` in epoch milliseconds. */
export async function recordAudit(tx: Transaction, now: number, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto('auditLog')
    .values({ ...entry, id: randomUUID(), detail: JSON.stringify(entry.detail ?? {}), createdAt: now })
    .execute();
}
