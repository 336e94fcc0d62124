import { randomUUID } from 'node:crypto';
import type { AuditAction } from '#contract/audit.ts';
import type { Transaction } from './database.ts';

/** One audited action. `detail` must hold no secret (tokens, keys, passwords). */
export interface AuditEntry {
  /** Null for the system itself. */
  actorUserId: string | null;
  action: AuditAction;
  entityId: string;
  detail?: Record<string, unknown>;
  /** The team in which the action happened: its admins may read the row. */
  teamId?: string | undefined;
}

/** Returns the team to record for a change in a workspace, if the workspace is a team's. */
export function auditTeamOf(workspace: string | null): { teamId?: string } {
  return workspace?.startsWith('team:') === true ? { teamId: workspace.slice('team:'.length) } : {};
}

/** Writes a change's audit row in the same transaction as the change. `now` in epoch milliseconds. */
export async function recordAudit(tx: Transaction, now: number, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto('auditLog')
    .values({ ...entry, id: randomUUID(), detail: JSON.stringify(entry.detail ?? {}), createdAt: now })
    .execute();
}
