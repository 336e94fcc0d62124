import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { deleteOldest } from '#server/platform/db/delete-oldest.ts';
import type { NewRow, Row, Workspace } from '#server/platform/db/schema.ts';

/** A repository with the fields of its module. */
export type HostedRow = Row<'hostedRepositories'> & { workspace: Workspace; slug: string; displayName: string };

function selectHosted(db: Queries) {
  return db
    .selectFrom('hostedRepositories')
    .innerJoin('modules', 'modules.id', 'hostedRepositories.moduleId')
    .selectAll('hostedRepositories')
    .select(['modules.workspace', 'modules.slug', 'modules.displayName']);
}

/** Returns a workspace's repositories by name, then by the module's id. */
export async function listHosted(db: Queries, workspace: Workspace): Promise<HostedRow[]> {
  return selectHosted(db)
    .where('modules.workspace', '=', workspace)
    .orderBy('hostedRepositories.fullName')
    .orderBy('modules.slug')
    .execute();
}

export async function findHosted(db: Queries, workspace: Workspace, id: string): Promise<HostedRow | undefined> {
  return selectHosted(db)
    .where('hostedRepositories.id', '=', id)
    .where('modules.workspace', '=', workspace)
    .executeTakeFirst();
}

/** Returns the fields that show whether the host reports pushes of a module's repository. */
export async function findHostedOfModule(
  db: Queries,
  moduleId: string,
): Promise<Pick<HostedRow, 'installationId' | 'webhookId'> | undefined> {
  return db
    .selectFrom('hostedRepositories')
    .select(['installationId', 'webhookId'])
    .where('moduleId', '=', moduleId)
    .executeTakeFirst();
}

/** Returns repositories of all workspaces, for events from the host, which does not know workspaces. */
export async function listHostedOf(
  db: Queries,
  about: { repositoryIds: string[]; installationId: string | undefined },
): Promise<HostedRow[]> {
  const { repositoryIds, installationId } = about;
  if (repositoryIds.length === 0 && installationId === undefined) return [];
  return selectHosted(db)
    .where((expression) =>
      expression.or([
        ...(repositoryIds.length === 0 ? [] : [expression('hostedRepositories.repositoryId', 'in', repositoryIds)]),
        ...(installationId === undefined ? [] : [expression('hostedRepositories.installationId', '=', installationId)]),
      ]),
    )
    .execute();
}

/** Returns the repositories a user vouches for, in one workspace or in all. */
export async function listHostedBy(db: Queries, userId: string, workspace?: Workspace): Promise<HostedRow[]> {
  const rows = selectHosted(db).where('hostedRepositories.addedByUserId', '=', userId);
  return (workspace === undefined ? rows : rows.where('modules.workspace', '=', workspace)).execute();
}

/** Inserts a repository; returns false if the module already has one. */
export async function insertHosted(tx: Transaction, row: NewRow<'hostedRepositories'>): Promise<boolean> {
  const made = await tx
    .insertInto('hostedRepositories')
    .values(row)
    .onConflict((conflict) => conflict.column('moduleId').doNothing())
    .returning('id')
    .executeTakeFirst();
  return made !== undefined;
}

/** Updates a repository; returns false if it no longer exists. */
export async function changeHosted(
  db: Queries,
  id: string,
  change: Partial<Row<'hostedRepositories'>>,
): Promise<boolean> {
  const rows = await db.updateTable('hostedRepositories').set(change).where('id', '=', id).returning('id').execute();
  return rows.length > 0;
}

/** Pauses a repository; returns false if it is already paused or gone. */
export async function markPaused(
  tx: Transaction,
  id: string,
  change: Pick<Row<'hostedRepositories'>, 'pausedReason' | 'pausedAt' | 'updatedAt'>,
): Promise<boolean> {
  const row = await tx
    .updateTable('hostedRepositories')
    .set(change)
    .where('id', '=', id)
    .where('pausedReason', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the webhook of another row for the same repository: one serves all. */
export async function findWebhook(db: Queries, repositoryId: string, exceptId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('hostedRepositories')
    .select('webhookId')
    .where('repositoryId', '=', repositoryId)
    .where('id', '!=', exceptId)
    .where('webhookId', 'is not', null)
    .executeTakeFirst();
  return row?.webhookId ?? undefined;
}

/** Stores a webhook on all rows of a repository that have none: one serves all. Returns true if any row has it. */
export async function shareWebhook(db: Queries, of: { repositoryId: string; webhookId: string }): Promise<boolean> {
  const { repositoryId, webhookId } = of;
  const rows = await db
    .updateTable('hostedRepositories')
    .set({ webhookId })
    .where('repositoryId', '=', repositoryId)
    .where('installationId', 'is', null)
    .where((expression) =>
      expression.or([expression('webhookId', 'is', null), expression('webhookId', '=', webhookId)]),
    )
    .returning('id')
    .execute();
  return rows.length > 0;
}

/** Records a delivery; returns false if it was received before. */
export async function noteDelivery(db: Queries, row: NewRow<'codeHostDeliveries'>): Promise<boolean> {
  const made = await db
    .insertInto('codeHostDeliveries')
    .values(row)
    .onConflict((conflict) => conflict.column('deliveryId').doNothing())
    .returning('deliveryId')
    .executeTakeFirst();
  return made !== undefined;
}

export async function deleteOldDeliveries(db: Queries, before: number): Promise<void> {
  await deleteOldest(db, 'codeHostDeliveries', { key: ['deliveryId'], column: 'receivedAt', before });
}

/** Returns the names of the users who added repositories. */
export async function listNames(db: Queries, userIds: string[]): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db.selectFrom('users').select(['id', 'displayName', 'email']).where('id', 'in', userIds).execute();
  return new Map(rows.map(({ id, displayName, email }) => [id, displayName || (email ?? 'Someone')]));
}
