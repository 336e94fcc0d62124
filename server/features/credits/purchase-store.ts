import type { Transaction } from '#server/platform/db/database.ts';
import type { Workspace } from '#server/platform/db/schema.ts';

type Payer = Exclude<Workspace, 'public'>;

/** Reads a balance and keeps all else that changes it waiting until the transaction ends. */
export async function holdBalance(tx: Transaction, payer: Payer): Promise<number | undefined> {
  const row = await tx
    .updateTable(tableOf(payer))
    .set(({ ref }) => ({ credits: ref('credits') }))
    .where('id', '=', idOf(payer))
    .returning('credits')
    .executeTakeFirst();
  return row?.credits;
}

/** Adds to a balance that is held, or takes from it; the table refuses to fall below 0. */
export async function addToBalance(tx: Transaction, payer: Payer, amount: number): Promise<void> {
  await tx
    .updateTable(tableOf(payer))
    .set(({ eb }) => ({ credits: eb('credits', '+', amount) }))
    .where('id', '=', idOf(payer))
    .execute();
}

/** People and teams keep their balance in a column of the same name. */
function tableOf(payer: Payer): 'users' {
  return (payer.startsWith('user:') ? 'users' : 'teams') as 'users';
}

function idOf(payer: Payer): string {
  return payer.slice(payer.indexOf(':') + 1);
}
