import { sql } from 'kysely';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { Row, Workspace } from '#server/platform/db/schema.ts';
import { balanceColumns } from './store.ts';

const poolColumns = ['id', 'name', ...balanceColumns] as const;

/** The columns of a team's pool, which pays for its paid seats. */
export type TeamPool = Pick<Row<'teams'>, (typeof poolColumns)[number]> & {
  isOperator: 0;
  workspace: `team:${string}`;
};

export async function findTeamPool(queries: Queries, teamId: string): Promise<TeamPool | undefined> {
  const row = await queries.selectFrom('teams').select(poolColumns).where('id', '=', teamId).executeTakeFirst();
  return row && { ...row, isOperator: 0, workspace: `team:${row.id}` };
}

/** Reads and locks a team's pool: other debits of it wait until this transaction ends. */
export async function lockTeamPool(tx: Transaction, teamId: string): Promise<TeamPool | undefined> {
  const row = await tx
    .updateTable('teams')
    .set(({ ref }) => ({ credits: ref('credits') }))
    .where('id', '=', teamId)
    .returning(poolColumns)
    .executeTakeFirst();
  return row && { ...row, isOperator: 0, workspace: `team:${row.id}` };
}

/** Takes from a team's purchased credits if there are enough; returns whether there were. */
export async function takeTeamCredits(tx: Transaction, teamId: string, amount: number): Promise<boolean> {
  const taken = await tx
    .updateTable('teams')
    .set(({ eb }) => ({ credits: eb('credits', '-', amount) }))
    .where('id', '=', teamId)
    .where('credits', '>=', amount)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Returns true if this member's seat is paid; undefined for former members. */
export async function hasPaidSeat(queries: Queries, teamId: string, userId: string): Promise<boolean | undefined> {
  const row = await queries
    .selectFrom('memberships')
    .select('hasPaidSeat')
    .where('teamId', '=', teamId)
    .where('userId', '=', userId)
    .where('state', '=', 'accepted')
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  return row && row.hasPaidSeat === 1;
}

/** Returns the credits each member's calls took since an instant: from the pool, and from their own accounts. */
export async function sumUsageByMember(
  queries: Queries,
  { teamId, since, userId }: { teamId: string; since: number; userId?: string },
): Promise<
  { userId: string; displayName: string | null; email: string | null; creditsUsed: number; accountCredits: number }[]
> {
  const rows = await queries
    .selectFrom('creditTransactions')
    .leftJoin('users', 'users.id', 'creditTransactions.userId')
    .select(['creditTransactions.userId', 'users.displayName', 'users.email'])
    .select([
      sql<number>`sum(abs(credit_transactions.amount))`.as('creditsUsed'),
      sql<number>`sum(abs(coalesce(credit_transactions.user_account_amount, 0)))`.as('accountCredits'),
    ])
    .where('creditTransactions.teamId', '=', teamId)
    .where('creditTransactions.source', '=', 'usage')
    .where('creditTransactions.timestamp', '>=', since)
    .$if(userId !== undefined, (query) => query.where('creditTransactions.userId', '=', userId ?? ''))
    .groupBy(['creditTransactions.userId', 'users.displayName', 'users.email'])
    .execute();
  return rows.toSorted((a, b) => b.creditsUsed - a.creditsUsed || b.accountCredits - a.accountCredits);
}

type Payer = Exclude<Workspace, 'public'>;

/** Reads and locks a balance: other changes of it wait until the transaction ends. */
export async function holdBalance(tx: Transaction, payer: Payer): Promise<number | undefined> {
  const row = await tx
    .updateTable(tableOf(payer))
    .set(({ ref }) => ({ credits: ref('credits') }))
    .where('id', '=', idOf(payer))
    .returning('credits')
    .executeTakeFirst();
  return row?.credits;
}

/** Adds to a locked balance, or takes from it; the table's constraint prevents a negative balance. */
export async function addToBalance(tx: Transaction, payer: Payer, amount: number): Promise<void> {
  await tx
    .updateTable(tableOf(payer))
    .set(({ eb }) => ({ credits: eb('credits', '+', amount) }))
    .where('id', '=', idOf(payer))
    .execute();
}

/** Returns the payer's table; users and teams have a balance column of the same name. */
function tableOf(payer: Payer): 'users' {
  return (payer.startsWith('user:') ? 'users' : 'teams') as 'users';
}

function idOf(payer: Payer): string {
  return payer.slice(payer.indexOf(':') + 1);
}
