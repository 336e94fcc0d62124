import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';

export type TeamRow = Row<'teams'>;

export async function insertTeam(tx: Transaction, row: NewRow<'teams'>): Promise<TeamRow> {
  return tx.insertInto('teams').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Reads and locks a team: other transactions that lock it wait until this one ends. */
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

/** Returns the unit of these teams' discounts, by team id. */
export async function findDiscountKinds(
  queries: Queries,
  teamIds: string[],
): Promise<Map<string, 'percent' | 'cents'>> {
  if (teamIds.length === 0) return new Map();
  const rows = await queries
    .selectFrom('billingAccounts')
    .select(['payer', 'discount'])
    .where(
      'payer',
      'in',
      teamIds.map((id) => `team:${id}` as const),
    )
    .where('discount', 'is not', null)
    .execute();
  return new Map(
    rows.map(({ payer, discount }) => {
      const { percentOff } = storedJson<{ percentOff?: number | null }>(discount ?? '{}', {});
      return [payer.slice('team:'.length), typeof percentOff === 'number' ? 'percent' : 'cents'];
    }),
  );
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
