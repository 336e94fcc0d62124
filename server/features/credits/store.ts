import type { creditEndpoints } from '#contract/credits.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { builtOnce } from '#server/platform/db/built-once.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { RowPlace } from '#server/platform/db/row-pages.ts';
import type { NewRow, Row, Workspace } from '#server/platform/db/schema.ts';
import type { BillingCycle } from './cycle.ts';

/** Columns of accounts and teams that determine the remaining credits and their expiry. */
export const balanceColumns = [
  'tier',
  'createdAt',
  'credits',
  'monthlyAllowance',
  'allowanceStartAt',
  'subscriptionStartAt',
  'subscriptionEndAt',
] as const;

const accountColumns = ['id', 'email', 'displayName', 'isOperator', ...balanceColumns] as const;

/** The columns of an account that pays. */
export type CreditAccount = Pick<Row<'users'>, (typeof accountColumns)[number]> & { workspace: `user:${string}` };
type CycleName = Pick<BillingCycle, 'year' | 'month' | 'day'>;
type Payer = Exclude<Workspace, 'public'>;

export async function findCreditAccount(queries: Queries, userId: string): Promise<CreditAccount | undefined> {
  const [row] = await accountsById(queries, { userId });
  return row && { ...row, workspace: `user:${row.id}` };
}

const accountsById = builtOnce((queries, { userId }: { userId: string }) =>
  queries.selectFrom('users').select(accountColumns).where('id', '=', userId),
);

export async function findCreditAccounts(queries: Queries, userIds: string[]): Promise<CreditAccount[]> {
  if (userIds.length === 0) return [];
  const rows = await queries.selectFrom('users').select(accountColumns).where('id', 'in', userIds).execute();
  return rows.map((row) => ({ ...row, workspace: `user:${row.id}` }));
}

/** Reads and locks an account: other debits of it wait until this transaction ends. */
export async function lockCreditAccount(tx: Transaction, userId: string): Promise<CreditAccount | undefined> {
  const [row] = await lockedAccounts(tx, { userId });
  return row && { ...row, workspace: `user:${row.id}` };
}

const lockedAccounts = builtOnce((tx, { userId }: { userId: string }) =>
  tx
    .updateTable('users')
    .set(({ ref }) => ({ credits: ref('credits') }))
    .where('id', '=', userId)
    .returning(accountColumns),
);

/** Takes from the balance if it is sufficient; returns whether it was. */
export async function takeCredits(tx: Transaction, userId: string, amount: number): Promise<boolean> {
  return (await takenCredits(tx, { userId, amount })).length > 0;
}

const takenCredits = builtOnce((tx, { userId, amount }: { userId: string; amount: number }) =>
  tx
    .updateTable('users')
    .set(({ eb }) => ({ credits: eb('credits', '-', amount) }))
    .where('id', '=', userId)
    .where('credits', '>=', amount)
    .returning('id'),
);

/** Adds to the balance; returns whether the account exists. */
export async function addCredits(tx: Transaction, userId: string, amount: number): Promise<boolean> {
  const added = await tx
    .updateTable('users')
    .set(({ eb }) => ({ credits: eb('credits', '+', amount) }))
    .where('id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

export async function findCreditsUsed(
  queries: Queries,
  workspace: Workspace,
  { year, month, day }: CycleName,
): Promise<number | undefined> {
  return (await usageOfCycle(queries, { workspace, year, month, day }))[0]?.creditsUsed;
}

/** Returns why a payer's plan does not renew its allowance; undefined if it does. */
export async function findEndOfPlan(queries: Queries, payer: Payer): Promise<'cancelled' | 'unpaid' | undefined> {
  const row = await queries
    .selectFrom('billingAccounts')
    .select(['cancelAtPeriodEnd', 'subscriptionStatus'])
    .where('payer', '=', payer)
    .executeTakeFirst();
  if (row?.subscriptionStatus === 'past_due') return 'unpaid';
  return row?.cancelAtPeriodEnd === 1 ? 'cancelled' : undefined;
}

/** Returns the sum of a payer's allowance rows whose request ids begin with this text. */
export async function sumOfAllowances(tx: Transaction, payer: Payer, beginning: string): Promise<number> {
  const rows = rowsBeginning(tx, payer, beginning).where('source', '=', 'subscription');
  const row = await rows.select(({ fn }) => fn.sum<number | null>('amount').as('sum')).executeTakeFirst();
  return row?.sum ?? 0;
}

/** Returns a payer's rows of returned payments, whose request ids begin with this text. */
export async function returnRows(tx: Transaction, payer: Payer, beginning: string) {
  return rowsBeginning(tx, payer, beginning).select(['requestId', 'amount']).execute();
}

function rowsBeginning(tx: Transaction, payer: Payer, beginning: string) {
  const id = payer.slice(payer.indexOf(':') + 1);
  return tx
    .selectFrom('creditTransactions')
    .where('requestId', 'like', `${beginning}%`)
    .$if(payer.startsWith('team:'), (query) => query.where('teamId', '=', id))
    .$if(payer.startsWith('user:'), (query) => query.where('userId', '=', id).where('teamId', 'is', null));
}

type CycleKey = CycleName & { workspace: Workspace };

const usageOfCycle = builtOnce((queries, { workspace, year, month, day }: CycleKey) =>
  queries
    .selectFrom('monthlyUsage')
    .select('creditsUsed')
    .where('workspace', '=', workspace)
    .where('year', '=', year)
    .where('month', '=', month)
    .where('day', '=', day),
);

/** Takes from a cycle's allowance if enough is left; returns whether it was. */
export async function takeAllowance(
  tx: Transaction,
  workspace: Workspace,
  { year, month, day }: CycleName,
  amount: number,
  allowance: number,
): Promise<boolean> {
  const key = { workspace, year, month, day };
  await newCycle(tx, key);
  return (await takenAllowance(tx, { ...key, amount, usedMax: allowance - amount })).length > 0;
}

const newCycle = builtOnce((tx, { workspace, year, month, day }: CycleKey) =>
  tx
    .insertInto('monthlyUsage')
    .values({ workspace, year, month, day, creditsUsed: 0 })
    .onConflict((conflict) => conflict.columns(['workspace', 'year', 'month', 'day']).doNothing()),
);

const takenAllowance = builtOnce(
  (tx, { workspace, year, month, day, amount, usedMax }: CycleKey & { amount: number; usedMax: number }) =>
    tx
      .updateTable('monthlyUsage')
      .set(({ eb }) => ({ creditsUsed: eb('creditsUsed', '+', amount) }))
      .where('workspace', '=', workspace)
      .where('year', '=', year)
      .where('month', '=', month)
      .where('day', '=', day)
      .where('creditsUsed', '<=', usedMax)
      .returning('workspace'),
);

/**
 * Returns the rows of this call's newest charge after an instant: none, one, or two if both allowance and balance paid.
 */
export async function findCharge(
  queries: Queries,
  userId: string,
  fingerprint: string,
  after: number,
): Promise<Row<'creditTransactions'>[]> {
  const rows = await chargesOfCall(queries, { userId, fingerprint, after });
  return rows.filter(({ requestId }) => requestId === rows[0]?.requestId);
}

const chargesOfCall = builtOnce(
  (queries, { userId, fingerprint, after }: { userId: string; fingerprint: string; after: number }) =>
    queries
      .selectFrom('creditTransactions')
      .selectAll()
      .where('userId', '=', userId)
      .where('fingerprint', '=', fingerprint)
      .where('timestamp', '>', after)
      .orderBy('timestamp', 'desc')
      .limit(2),
);

/** Inserts a ledger row unless its request already has one of this kind; returns whether it was inserted. */
export async function insertTransaction(tx: Transaction, row: NewRow<'creditTransactions'>): Promise<boolean> {
  return (await newTransaction(tx, { ...unsaid, ...row })).length > 0;
}

/** The defaults of omitted columns: a prepared statement names all columns. */
const unsaid = {
  teamId: null,
  fingerprint: null,
  amount: 0,
  userAccountAmount: null,
  source: 'usage' as const,
  isFromMonthlyAllowance: 0,
  details: '',
  metadata: '{}',
};

const newTransaction = builtOnce((tx, row: NewRow<'creditTransactions'>) =>
  tx
    .insertInto('creditTransactions')
    .values({
      id: row.id,
      userId: row.userId,
      teamId: row.teamId,
      requestId: row.requestId,
      fingerprint: row.fingerprint,
      amount: row.amount,
      userAccountAmount: row.userAccountAmount,
      source: row.source,
      isFromMonthlyAllowance: row.isFromMonthlyAllowance,
      timestamp: row.timestamp,
      details: row.details,
      metadata: row.metadata,
    })
    .onConflict((conflict) => conflict.columns(['requestId', 'isFromMonthlyAllowance']).doNothing())
    .returning('id'),
);

/** Adds a call to its day, and writes its receipt unless `isCountedOnly`. */
export async function insertReceipt(tx: Transaction, row: Row<'callReceipts'>, isCountedOnly: boolean): Promise<void> {
  if (!isCountedOnly) await newReceipt(tx, row);
  await addedToDay(tx, {
    userId: row.userId,
    teamId: row.teamId ?? '',
    keyId: row.keyId ?? '',
    day: Math.floor(row.at / dayMs),
    tool: row.tool,
    calls: 1,
    answered: row.wholePageTokens > 0 ? 1 : 0,
    credits: row.credits,
    tokens: row.tokens,
    wholePageTokens: row.wholePageTokens,
    withheldTokens: row.withheldTokens,
    lastAt: row.at,
  });
}

const dayMs = 24 * 60 * 60 * 1000;

const addedToDay = builtOnce((tx, row: Row<'callDays'>) =>
  tx
    .insertInto('callDays')
    .values({
      userId: row.userId,
      teamId: row.teamId,
      keyId: row.keyId,
      day: row.day,
      tool: row.tool,
      calls: row.calls,
      answered: row.answered,
      credits: row.credits,
      tokens: row.tokens,
      wholePageTokens: row.wholePageTokens,
      withheldTokens: row.withheldTokens,
      lastAt: row.lastAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'teamId', 'day', 'keyId', 'tool']).doUpdateSet(({ eb, ref }) => ({
        calls: eb('callDays.calls', '+', ref('excluded.calls')),
        answered: eb('callDays.answered', '+', ref('excluded.answered')),
        credits: eb('callDays.credits', '+', ref('excluded.credits')),
        tokens: eb('callDays.tokens', '+', ref('excluded.tokens')),
        wholePageTokens: eb('callDays.wholePageTokens', '+', ref('excluded.wholePageTokens')),
        withheldTokens: eb('callDays.withheldTokens', '+', ref('excluded.withheldTokens')),
        lastAt: ref('excluded.lastAt'),
      })),
    ),
);

const newReceipt = builtOnce((tx, row: Row<'callReceipts'>) =>
  tx.insertInto('callReceipts').values({
    id: row.id,
    userId: row.userId,
    teamId: row.teamId,
    keyId: row.keyId,
    sessionId: row.sessionId,
    tool: row.tool,
    at: row.at,
    credits: row.credits,
    tokens: row.tokens,
    wholePageTokens: row.wholePageTokens,
    withheldTokens: row.withheldTokens,
  }),
);

export type TransactionFilters = ParsedInputOf<typeof creditEndpoints.exportTransactions>;

/** Whose rows to read: a user's own; in a team those of one member, or (without `userId`) everyone's. */
export type LedgerScope = { userId: string; teamId: null } | { userId: string | undefined; teamId: string };

/** Returns ledger rows, newest first. */
export async function listTransactionRows(
  queries: Queries,
  { userId, teamId }: LedgerScope,
  { type, from, to }: TransactionFilters,
  rowsMax: number,
  before?: RowPlace,
): Promise<Row<'creditTransactions'>[]> {
  let query = queries
    .selectFrom('creditTransactions')
    .selectAll()
    .where('teamId', teamId === null ? 'is' : '=', teamId);
  if (userId !== undefined) query = query.where('userId', '=', userId);
  if (type !== 'all') query = query.where('source', '=', type);
  if (from !== undefined) query = query.where('timestamp', '>=', from);
  if (to !== undefined) query = query.where('timestamp', '<=', to);
  if (before !== undefined) {
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('timestamp', 'id'), '<', tuple(before.at, before.id)));
  }
  return query.orderBy('timestamp', 'desc').orderBy('id', 'desc').limit(rowsMax).execute();
}

/** Returns a user's ledger rows, their own and in teams, newest first. */
export async function listTransactionRowsOfPerson(
  queries: Queries,
  userId: string,
  before: RowPlace,
  rowsMax: number,
): Promise<Row<'creditTransactions'>[]> {
  return queries
    .selectFrom('creditTransactions')
    .selectAll()
    .where('userId', '=', userId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('timestamp', 'id'), '<', tuple(before.at, before.id)))
    .orderBy('timestamp', 'desc')
    .orderBy('id', 'desc')
    .limit(rowsMax)
    .execute();
}

/** Returns sums of calls by day and tool, since a day (counted from 1970, UTC). */
export async function sumCallsByDay(queries: Queries, scope: LedgerScope, since: number) {
  return callDaysIn(queries, scope, since)
    .select(({ fn }) => [
      'd.day',
      'd.tool',
      fn.sum<number>('d.calls').as('calls'),
      fn.sum<number>('d.answered').as('answered'),
      fn.sum<number>('d.credits').as('credits'),
      fn.sum<number>('d.tokens').as('tokensSent'),
      fn.sum<number>('d.wholePageTokens').as('wholePageTokens'),
      fn.sum<number>('d.withheldTokens').as('withheldTokens'),
    ])
    .groupBy(['d.day', 'd.tool'])
    .execute();
}

/** Selects the days in scope, since a day (counted from 1970, UTC). */
export function callDaysIn(queries: Queries, { userId, teamId }: LedgerScope, since: number) {
  const rows = queries
    .selectFrom('callDays as d')
    .where('d.teamId', '=', teamId ?? '')
    .where('d.day', '>=', since);
  return userId === undefined ? rows : rows.where('d.userId', '=', userId);
}
