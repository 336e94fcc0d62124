import type { AuditEntry } from '#contract/audit.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import * as limits from '#contract/limits.ts';
import type { installationAuditEndpoints } from '#contract/operator.ts';
import type { Context } from '#server/context.ts';
import { requireOperatorAccount } from '#server/features/accounts/index.ts';
import { toCsv } from '#server/platform/csv.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { type AuditRow, listAuditRows } from './audit-store.ts';
import { enterTeamAs } from './enter-team.ts';

type AskedPage = ParsedInputOf<typeof installationAuditEndpoints.listInstallationAudit>;
type Asked = Pick<AskedPage, 'action' | 'who'>;

/** Returns a page of the actions in a team, newest first. Admins only. */
export async function listAudit(ctx: Context, input: AskedPage & { teamId: string }): Promise<AuditPage> {
  await enterTeamAs(ctx, input.teamId, 'audit.read');
  return pageOf(ctx, input.teamId, input);
}

/** Returns a page of the actions in the whole installation. Operators only. */
export async function listInstallationAudit(ctx: Context, input: AskedPage): Promise<AuditPage> {
  await requireOperatorAccount(ctx);
  return pageOf(ctx, null, input);
}

/** Returns a team's actions as CSV with a header line, at most the newest 10,000; times are ISO 8601 in UTC. */
export async function exportAudit(ctx: Context, input: Asked & { teamId: string }): Promise<string> {
  await enterTeamAs(ctx, input.teamId, 'audit.read');
  return csvOf(ctx, input.teamId, input);
}

export async function exportInstallationAudit(ctx: Context, input: Asked): Promise<string> {
  await requireOperatorAccount(ctx);
  return csvOf(ctx, null, input);
}

interface AuditPage {
  entries: AuditEntry[];
  nextCursor: string | null;
}

async function pageOf(ctx: Context, teamId: string | null, input: AskedPage): Promise<AuditPage> {
  const { action, who, cursor, limit } = input;
  const filters = { action, who, after: cursor === undefined ? undefined : placeOf(cursor) };
  const rows = await listAuditRows(ctx.db.query, teamId, filters, limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > page.length && last !== undefined;
  return { entries: page.map(present), nextCursor: hasMore ? `${last.createdAt}.${last.id}` : null };
}

async function csvOf(ctx: Context, teamId: string | null, { action, who }: Asked): Promise<string> {
  const rows = await listAuditRows(ctx.db.query, teamId, { action, who }, limits.auditExportMax);
  return toCsv([
    'id,at,action,actor_id,actor_name,actor_email,entity_id,entity_name,detail,team_id,team_name'.split(','),
    ...rows
      .map(present)
      .map(({ actor, team, ...entry }) => [
        entry.id,
        new Date(entry.at).toISOString(),
        entry.action,
        actor?.userId ?? '',
        actor?.displayName ?? '',
        actor?.email ?? '',
        entry.entityId,
        entry.entityName ?? '',
        JSON.stringify(entry.detail),
        team?.teamId ?? '',
        team?.name ?? '',
      ]),
  ]);
}

function placeOf(cursor: string): { createdAt: number; id: string } {
  const dot = cursor.indexOf('.');
  return { createdAt: Number(cursor.slice(0, dot)), id: cursor.slice(dot + 1) };
}

function present(row: AuditRow): AuditEntry {
  const { id, createdAt, action, actorUserId, entityId } = row;
  const detail = storedJson<AuditEntry['detail']>(row.detail, {});
  const actor = actorUserId && { userId: actorUserId, displayName: row.actorName ?? '', email: row.actorEmail };
  const team = row.teamId === null ? null : { teamId: row.teamId, name: row.teamName };
  return { id, at: createdAt, action, actor: actor || null, entityId, entityName: nameOf(row, detail), detail, team };
}

/** Returns a person's name or address, or the name recorded in the entry. */
function nameOf(row: AuditRow, detail: AuditEntry['detail']): string | null {
  const { name, moduleId } = detail;
  const written = typeof name === 'string' ? name : typeof moduleId === 'string' ? moduleId : null;
  return row.memberName || row.memberEmail || row.invitedEmail || row.accountName || row.accountEmail || written;
}
