import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';

/**
 * Adds an unconfirmed address, or gives an existing one a new link. Returns the id, or undefined if the address is
 * already confirmed.
 */
export async function putSignUp(tx: Transaction, row: NewRow<'confSignUps'>): Promise<string | undefined> {
  const kept = await tx
    .insertInto('confSignUps')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('email')
        .doUpdateSet({ confirmHash: row.confirmHash, confirmExpiresAt: row.confirmExpiresAt })
        .where('confSignUps.confirmedAt', 'is', null),
    )
    .returning('id')
    .executeTakeFirst();
  return kept?.id;
}

/** Consumes a link: of several concurrent calls one gets the id, the others undefined. */
export async function confirmSignUp(tx: Transaction, confirmHash: string, now: number): Promise<string | undefined> {
  const confirmed = await tx
    .updateTable('confSignUps')
    .set({ confirmedAt: now, confirmHash: null, confirmExpiresAt: null })
    .where('confirmHash', '=', confirmHash)
    .where('confirmExpiresAt', '>', now)
    .returning('id')
    .executeTakeFirst();
  return confirmed?.id;
}

export async function deleteSignUp(tx: Transaction, email: string): Promise<string | undefined> {
  const row = await tx.deleteFrom('confSignUps').where('email', '=', email).returning('id').executeTakeFirst();
  return row?.id;
}

/** Deletes addresses whose link was not used in time. */
export async function deleteUnconfirmed(db: Queries, now: number): Promise<void> {
  await db.deleteFrom('confSignUps').where('confirmExpiresAt', '<=', now).execute();
}

export async function listConfirmed(db: Queries): Promise<Row<'confSignUps'>[]> {
  return db
    .selectFrom('confSignUps')
    .selectAll()
    .where('confirmedAt', 'is not', null)
    .orderBy('confirmedAt')
    .orderBy('id')
    .execute();
}
