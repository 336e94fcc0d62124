import type { Queries } from '#server/platform/db/database.ts';

export interface AuditFilters {
  /** An action, or a noun that stands for all of its actions. */
  action?: string | undefined;
  /** The last row of the page before. */
  after?: { createdAt: number; id: string } | undefined;
}

export type AuditRow = Awaited<ReturnType<typeof listAuditRows>>[number];

/** What was done in a team, newest first, with the names of who did it and of the member it was done to. */
export async function listAuditRows(queries: Queries, teamId: string, filters: AuditFilters, rowsMax: number) {
  const { action, after } = filters;
  let query = queries
    .selectFrom('auditLog')
    .leftJoin('users as actor', 'actor.id', 'auditLog.actorUserId')
    .leftJoin('memberships', 'memberships.id', 'auditLog.entityId')
    .leftJoin('users as member', 'member.id', 'memberships.userId')
    .selectAll('auditLog')
    .select([
      'actor.displayName as actorName',
      'actor.email as actorEmail',
      'memberships.email as invitedEmail',
      'member.displayName as memberName',
      'member.email as memberEmail',
    ])
    .where('auditLog.teamId', '=', teamId);
  if (action !== undefined) {
    query = query.where((where) =>
      where.or([where('auditLog.action', '=', action), where('auditLog.action', 'like', `${action}.%`)]),
    );
  }
  if (after !== undefined) {
    query = query.where((where) =>
      where.or([
        where('auditLog.createdAt', '<', after.createdAt),
        where.and([where('auditLog.createdAt', '=', after.createdAt), where('auditLog.id', '<', after.id)]),
      ]),
    );
  }
  return query.orderBy('auditLog.createdAt', 'desc').orderBy('auditLog.id', 'desc').limit(rowsMax).execute();
}
