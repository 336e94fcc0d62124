import type { AuditEntry } from '#contract/audit.ts';
import { limits } from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { toCsv } from '#server/platform/csv.ts';
import { type AuditRow, listAuditRows } from './audit-store.ts';
import { enterTeamAs } from './enter-team.ts';

/** What was done in a team, for its admins, newest first and a page at a time. */
export async function listAudit(
  ctx: Context,
  input: { teamId: string; action?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  await enterTeamAs(ctx, input.teamId, 'audit.read');
  const filters = { action: input.action, after: input.cursor === undefined ? undefined : placeOf(input.cursor) };
  const rows = await listAuditRows(ctx.db.query, input.teamId, filters, input.limit + 1);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  const hasMore = rows.length > page.length && last !== undefined;
  return { entries: page.map(present), nextCursor: hasMore ? `${last.createdAt}.${last.id}` : null };
}

/** The same as CSV with a head line, at most the newest 10,000; times are ISO 8601 in UTC. */
export async function exportAudit(
  ctx: Context,
  input: { teamId: string; action?: string | undefined },
): Promise<string> {
  await enterTeamAs(ctx, input.teamId, 'audit.read');
  const rows = await listAuditRows(ctx.db.query, input.teamId, { action: input.action }, limits.auditExportMax);
  return toCsv([
    ['id', 'at', 'action', 'actor_id', 'actor_name', 'actor_email', 'entity_id', 'entity_name', 'detail'],
    ...rows
      .map(present)
      .map(({ actor, ...entry }) => [
        entry.id,
        new Date(entry.at).toISOString(),
        entry.action,
        actor?.userId ?? '',
        actor?.displayName ?? '',
        actor?.email ?? '',
        entry.entityId,
        entry.entityName ?? '',
        JSON.stringify(entry.detail),
      ]),
  ]);
}

function placeOf(cursor: string): { createdAt: number; id: string } {
  const dot = cursor.indexOf('.');
  return { createdAt: Number(cursor.slice(0, dot)), id: cursor.slice(dot + 1) };
}

function present(row: AuditRow): AuditEntry {
  const { id, createdAt, action, actorUserId, entityId } = row;
  const detail = JSON.parse(row.detail) as AuditEntry['detail'];
  const actor = actorUserId && { userId: actorUserId, displayName: row.actorName ?? '', email: row.actorEmail };
  return { id, at: createdAt, action, actor: actor || null, entityId, entityName: nameOf(row, detail), detail };
}

/** A person by name or address, anything else by the name that was written down with it. */
function nameOf(row: AuditRow, detail: AuditEntry['detail']): string | null {
  const { name, moduleId } = detail;
  const written = typeof name === 'string' ? name : typeof moduleId === 'string' ? moduleId : null;
  return row.memberName || row.memberEmail || row.invitedEmail || written;
}
