import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { hasCome } from '#server/platform/db/has-come.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';

export type SignOnRow = Row<'teamSignOns'>;

export async function findSignOnOfTeam(queries: Queries, teamId: string): Promise<SignOnRow | undefined> {
  return queries.selectFrom('teamSignOns').selectAll().where('teamId', '=', teamId).executeTakeFirst();
}

/** Returns the sign-on of the team that has proved this domain. */
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

/** Updates a proof, unless its token or its state has changed meanwhile. */
export async function changeProof(
  tx: Transaction,
  { teamId, domainToken, verifiedAt, checkedAt }: SignOnRow,
  change: Partial<SignOnRow>,
): Promise<SignOnRow | undefined> {
  return tx
    .updateTable('teamSignOns')
    .set(change)
    .where('teamId', '=', teamId)
    .where('domainToken', '=', domainToken)
    .where('verifiedAt', 'is not distinct from', verifiedAt)
    .where('checkedAt', 'is not distinct from', checkedAt)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Returns the proofs whose record is due for a check; of those an operator vouches for, only the ones whose record was
 * found.
 */
export async function listProofsToCheck(queries: Queries, now: number, everyMs: number): Promise<SignOnRow[]> {
  return queries
    .selectFrom('teamSignOns')
    .selectAll()
    .where('verifiedAt', 'is not', null)
    .where(({ eb, or }) => or([eb('isVouchedFor', '=', 0), eb('checkedAt', 'is not', null)]))
    .where(({ eb, or }) => or([eb('checkedAt', 'is', null), hasCome('checkedAt', now - everyMs, everyMs)]))
    .execute();
}

/** Deletes a team's sign-on; returns whether there was one. */
export async function deleteSignOn(tx: Transaction, teamId: string): Promise<boolean> {
  const row = await tx.deleteFrom('teamSignOns').where('teamId', '=', teamId).returning('teamId').executeTakeFirst();
  return row !== undefined;
}
