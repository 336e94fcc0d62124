import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';

export type SignOnRow = Row<'teamSignOns'>;

export async function findSignOnOfTeam(queries: Queries, teamId: string): Promise<SignOnRow | undefined> {
  return queries.selectFrom('teamSignOns').selectAll().where('teamId', '=', teamId).executeTakeFirst();
}

/** The sign-on of the team that has proved this domain. */
export async function findProvedSignOn(queries: Queries, domain: string): Promise<SignOnRow | undefined> {
  return queries
    .selectFrom('teamSignOns')
    .selectAll()
    .where('domain', '=', domain)
    .where('verifiedAt', 'is not', null)
    .executeTakeFirst();
}

export async function putSignOn(tx: Transaction, row: NewRow<'teamSignOns'>): Promise<SignOnRow> {
  const { teamId: _teamId, createdAt: _createdAt, ...change } = row;
  return tx
    .insertInto('teamSignOns')
    .values(row)
    .onConflict((conflict) => conflict.column('teamId').doUpdateSet(change))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Notes that the domain was proved, unless it or its token is another by now. */
export async function markProved(
  tx: Transaction,
  { teamId, domain, domainToken }: SignOnRow,
  now: number,
): Promise<SignOnRow | undefined> {
  return tx
    .updateTable('teamSignOns')
    .set({ verifiedAt: now, updatedAt: now })
    .where('teamId', '=', teamId)
    .where('domain', '=', domain)
    .where('domainToken', '=', domainToken)
    .returningAll()
    .executeTakeFirst();
}

/** Says whether there was one. */
export async function deleteSignOn(tx: Transaction, teamId: string): Promise<boolean> {
  const row = await tx.deleteFrom('teamSignOns').where('teamId', '=', teamId).returning('teamId').executeTakeFirst();
  return row !== undefined;
}
