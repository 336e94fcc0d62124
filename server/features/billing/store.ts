import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { hasCome } from '#server/platform/db/has-come.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';
import type { Payer } from '#server/platform/payments/payment-provider.ts';

export type AccountRow = Row<'billingAccounts'>;
type AccountKey = 'payer' | 'customerId' | 'subscriptionId' | 'openCheckoutId';

export async function findAccount(queries: Queries, key: AccountKey, value: string): Promise<AccountRow | undefined> {
  return queries.selectFrom('billingAccounts').selectAll().where(key, '=', value).executeTakeFirst();
}

/** Inserts a payer's row unless it exists. */
export async function ensureAccount(queries: Queries, payer: Payer, mode: 'test' | 'stripe'): Promise<void> {
  await queries
    .insertInto('billingAccounts')
    .values({ payer, mode })
    .onConflict((conflict) => conflict.column('payer').doNothing())
    .execute();
}

export async function updateAccount(
  queries: Queries,
  payer: Payer,
  change: Partial<NewRow<'billingAccounts'>>,
): Promise<void> {
  await queries.updateTable('billingAccounts').set(change).where('payer', '=', payer).execute();
}

/** Reads and locks a row: other transactions that lock it wait until this one ends. */
export async function holdAccount(tx: Transaction, payer: Payer): Promise<AccountRow | undefined> {
  return tx
    .updateTable('billingAccounts')
    .set(({ ref }) => ({ lastRead: ref('lastRead') }))
    .where('payer', '=', payer)
    .returningAll()
    .executeTakeFirst();
}

/** Returns the sequence number of a reading that begins now. */
export async function beginReading(queries: Queries, payer: Payer): Promise<number | undefined> {
  const row = await queries
    .updateTable('billingAccounts')
    .set(({ eb }) => ({ lastRead: eb('lastRead', '+', 1) }))
    .where('payer', '=', payer)
    .returning('lastRead')
    .executeTakeFirst();
  return row?.lastRead;
}

/** Claims the right to change a subscription for a while; returns false if another process holds it. */
export async function claimAccount(
  queries: Queries,
  payer: Payer,
  { token, now, until }: { token: string; now: number; until: number },
): Promise<boolean> {
  const claimed = await queries
    .updateTable('billingAccounts')
    .set({ busyToken: token, busyUntil: until })
    .where('payer', '=', payer)
    .where('closingAt', 'is', null)
    .where(({ eb, or }) => or([eb('busyUntil', 'is', null), hasCome('busyUntil', now, until - now)]))
    .returning('payer')
    .executeTakeFirst();
  return claimed !== undefined;
}

export async function releaseAccount(queries: Queries, payer: Payer, token: string): Promise<void> {
  await queries
    .updateTable('billingAccounts')
    .set({ busyToken: null, busyUntil: null })
    .where('payer', '=', payer)
    .where('busyToken', '=', token)
    .execute();
}

/** Returns the accounts of deleted payers that are not closed at the provider yet. */
export async function listClosingAccounts(queries: Queries): Promise<AccountRow[]> {
  return queries.selectFrom('billingAccounts').selectAll().where('closingAt', 'is not', null).limit(100).execute();
}

export async function listAccountsOfOtherMode(queries: Queries, mode: 'test' | 'stripe'): Promise<AccountRow[]> {
  return queries.selectFrom('billingAccounts').selectAll().where('mode', '!=', mode).execute();
}

export async function deleteAccountRow(queries: Queries, payer: Payer): Promise<void> {
  await queries.deleteFrom('billingAccounts').where('payer', '=', payer).execute();
}

/** Returns the name and email under which the provider knows a payer. */
export async function findPayerName(
  queries: Queries,
  payer: Payer,
  buyerId: string,
): Promise<{ name: string; email: string | null } | undefined> {
  const buyer = await queries
    .selectFrom('users')
    .select(['displayName', 'email'])
    .where('id', '=', buyerId)
    .executeTakeFirst();
  if (buyer === undefined) return undefined;
  if (payer.startsWith('user:')) return { name: buyer.displayName || (buyer.email ?? 'Someone'), email: buyer.email };
  const team = await queries
    .selectFrom('teams')
    .select('name')
    .where('id', '=', payer.slice('team:'.length))
    .executeTakeFirst();
  return team && { name: team.name, email: buyer.email };
}

/** Returns a payer's remaining credits that were bought or granted. */
export async function findBalance(queries: Queries, payer: Payer): Promise<number> {
  const table = (payer.startsWith('user:') ? 'users' : 'teams') as 'users';
  const row = await queries.selectFrom(table).select('credits').where('id', '=', payer.slice(5)).executeTakeFirst();
  return row?.credits ?? 0;
}

/** Updates the plan in the user's or team's own row; returns false if the row is gone. */
export async function writeStanding(
  tx: Transaction,
  payer: Payer,
  standing: Partial<
    Pick<
      NewRow<'users'>,
      | 'tier'
      | 'monthlyAllowance'
      | 'allowanceStartAt'
      | 'customerId'
      | 'subscriptionId'
      | 'subscriptionStatus'
      | 'subscriptionStartAt'
      | 'subscriptionEndAt'
    >
  >,
  ofTeam: Partial<Pick<NewRow<'teams'>, 'numberOfPaidSeats' | 'discountCode' | 'discountAmount'>>,
): Promise<boolean> {
  const [kind, id] = [payer.slice(0, 4), payer.slice(5)];
  const written =
    kind === 'user'
      ? tx.updateTable('users').set(standing).where('id', '=', id).returning('id')
      : tx
          .updateTable('teams')
          .set({ ...standing, ...ofTeam })
          .where('id', '=', id)
          .returning('id');
  return (await written.executeTakeFirst()) !== undefined;
}
