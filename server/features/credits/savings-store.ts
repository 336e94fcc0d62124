import { type SelectQueryBuilder, sql } from 'kysely';
import type { Queries } from '#server/platform/db/database.ts';
import type { Schema } from '#server/platform/db/schema.ts';
import { callDaysIn, type LedgerScope } from './store.ts';

export interface ReceiptSums {
  searches: number;
  answeredSearches: number;
  reads: number;
  tokensSent: number;
  wholePageTokens: number;
  withheldTokens: number;
}

export type NamedSums = ReceiptSums & { id: string | null; name: string | null; lastAt: number };

const daySums = [
  sql<number>`coalesce(sum(case when d.tool = 'search' then d.calls else 0 end), 0)`.as('searches'),
  sql<number>`coalesce(sum(case when d.tool = 'search' then d.answered else 0 end), 0)`.as('answeredSearches'),
  sql<number>`coalesce(sum(case when d.tool = 'read' then d.calls else 0 end), 0)`.as('reads'),
  sql<number>`coalesce(sum(d.tokens), 0)`.as('tokensSent'),
  sql<number>`coalesce(sum(d.whole_page_tokens), 0)`.as('wholePageTokens'),
  sql<number>`coalesce(sum(d.withheld_tokens), 0)`.as('withheldTokens'),
] as const;

/** Returns the sums of all calls since a day (counted from 1970, UTC). */
export async function sumCalls(queries: Queries, scope: LedgerScope, since: number): Promise<ReceiptSums> {
  return callDaysIn(queries, scope, since).select(daySums).executeTakeFirstOrThrow();
}

/**
 * Returns the sums per calling key or application; `id` is null for users' own calls, from the browser or command line.
 */
export async function sumCallsByKey(queries: Queries, scope: LedgerScope, since: number): Promise<NamedSums[]> {
  const rows = await callDaysIn(queries, scope, since)
    .leftJoin('apiKeys as k', 'k.id', 'd.keyId')
    .leftJoin('connections as c', 'c.id', 'd.keyId')
    .select(['d.keyId as id', sql<string | null>`coalesce(k.name, c.client_name)`.as('name')])
    .select(({ fn }) => fn.max('d.lastAt').as('lastAt'))
    .select(daySums)
    .groupBy(['d.keyId', sql`coalesce(k.name, c.client_name)`])
    .execute();
  return rows.map((row) => ({ ...row, id: row.id === '' ? null : row.id }));
}

/** Calls searched for the latest conversations: limits the time this takes. */
const newestCalls = 5_000;

/** Returns the sums per conversation, most recent first. */
export async function sumReceiptsBySession(
  queries: Queries,
  scope: LedgerScope,
  { since, count }: { since: number; count: number },
): Promise<NamedSums[]> {
  const newest = await queries
    .selectFrom(
      receiptsIn(queries, scope, since)
        .select(['r.sessionId', 'r.at'])
        .where('r.sessionId', 'is not', null)
        .orderBy('r.at', 'desc')
        .limit(newestCalls)
        .as('newest'),
    )
    .select(['newest.sessionId'])
    .groupBy('newest.sessionId')
    .orderBy(({ fn }) => fn.max('newest.at'), 'desc')
    .orderBy('newest.sessionId')
    .limit(count)
    .execute();
  const ids = newest.map(({ sessionId }) => sessionId ?? '');
  if (ids.length === 0) return [];
  // A conversation belongs to one user in one workspace.
  return queries
    .selectFrom('callReceipts as r')
    .leftJoin('agentSessions as s', 's.id', 'r.sessionId')
    .select(['r.sessionId as id', 's.clientName as name'])
    .select(({ fn }) => fn.max('r.at').as('lastAt'))
    .select([
      sql<number>`sum(case when r.tool = 'search' then 1 else 0 end)`.as('searches'),
      sql<number>`sum(case when r.tool = 'search' and r.whole_page_tokens > 0 then 1 else 0 end)`.as(
        'answeredSearches',
      ),
      sql<number>`sum(case when r.tool = 'read' then 1 else 0 end)`.as('reads'),
      sql<number>`sum(r.tokens)`.as('tokensSent'),
      sql<number>`sum(r.whole_page_tokens)`.as('wholePageTokens'),
      sql<number>`sum(r.withheld_tokens)`.as('withheldTokens'),
    ])
    .where('r.sessionId', 'in', ids)
    .where('r.at', '>=', since)
    .groupBy(['r.sessionId', 's.clientName'])
    .orderBy('lastAt', 'desc')
    .orderBy('r.sessionId')
    .execute();
}

type Receipts = { r: Schema['callReceipts'] };

function receiptsIn(
  queries: Queries,
  { userId, teamId }: LedgerScope,
  since: number,
): SelectQueryBuilder<Schema & Receipts, 'r', object> {
  const rows = queries
    .selectFrom('callReceipts as r')
    .where('r.teamId', teamId === null ? 'is' : '=', teamId)
    .where('r.at', '>=', since);
  return userId === undefined ? rows : rows.where('r.userId', '=', userId);
}
