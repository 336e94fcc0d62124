import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';

export type TeamRow = Row<'teams'>;

export async function insertTeam(tx: Transaction, row: NewRow<'teams'>): Promise<TeamRow> {
  return tx.insertInto('teams').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Reads a team and keeps all else that holds it waiting until the transaction ends. */
export async function holdTeam(tx: Transaction, teamId: string): Promise<TeamRow | undefined> {
  return tx
    .updateTable('teams')
    .set(({ ref }) => ({ createdAt: ref('createdAt') }))
    .where('id', '=', teamId)
    .returningAll()
    .executeTakeFirst();
}

export async function findTeams(queries: Queries, teamIds: string[]): Promise<TeamRow[]> {
  if (teamIds.length === 0) return [];
  return queries.selectFrom('teams').selectAll().where('id', 'in', teamIds).execute();
}

export async function updateTeamRow(
  tx: Transaction,
  teamId: string,
  change: Partial<NewRow<'teams'>>,
): Promise<TeamRow> {
  return tx.updateTable('teams').set(change).where('id', '=', teamId).returningAll().executeTakeFirstOrThrow();
}

/** Deletes a team with its memberships and invites. */
export async function deleteTeamRow(tx: Transaction, teamId: string): Promise<void> {
  await tx.deleteFrom('teams').where('id', '=', teamId).execute();
}
