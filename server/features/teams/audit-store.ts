import type { Queries } from '#server/platform/db/database.ts';
import { deleteOldest } from '#server/platform/db/delete-oldest.ts';

export interface AuditFilters {
  /** Only actions of this account: its email address or id. */
  who?: string | undefined;
  /** An action, or a noun that covers all of its actions. */
  action?: string | undefined;
  /** The last row of the previous page. */
  after?: { createdAt: number; id: string } | undefined;
}

export type AuditRow = Awaited<ReturnType<typeof listAuditRows>>[number];

/**
 * Returns the actions in a team, or in the whole installation (null), newest first, with the names of the actor, of the
 * account or member concerned, and of the team.
 */
export async function listAuditRows(queries: Queries, teamId: string | null, filters: AuditFilters, rowsMax: number) {
  const { action, after, who } = filters;
  let query = queries
    .selectFrom('auditLog')
    .leftJoin('users as actor', 'actor.id', 'auditLog.actorUserId')
    .leftJoin('memberships', 'memberships.id', 'auditLog.entityId')
    .leftJoin('users as member', 'member.id', 'memberships.userId')
    .leftJoin('users as account', 'account.id', 'auditLog.entityId')
    .leftJoin('teams', 'teams.id', 'auditLog.teamId')
    .selectAll('auditLog')
    .select([
      'actor.displayName as actorName',
      'actor.email as actorEmail',
      'memberships.email as invitedEmail',
      'member.displayName as memberName',
      'member.email as memberEmail',
      'account.displayName as accountName',
      'account.email as accountEmail',
      'teams.name as teamName',
    ]);
  if (teamId !== null) query = query.where('auditLog.teamId', '=', teamId);
  if (who !== undefined) {
    query = query.where((where) =>
      where.or([where('actor.email', '=', who.toLowerCase()), where('actor.id', '=', who)]),
    );
  }
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

/**
 * Deletes some entries before an instant. Entries of deleted accounts stay: after restoring a backup they are needed to
 * delete these accounts again.
 */
export async function deleteOldAudit(db: Queries, before: number): Promise<void> {
  await deleteOldest(db, 'auditLog', {
    key: ['id'],
    column: 'createdAt',
    before,
    except: ['action', 'account.delete'],
  });
}
