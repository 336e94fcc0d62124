import { type SelectQueryBuilder, sql } from 'kysely';
import type { Queries } from '#server/platform/db/database.ts';
import type { Schema } from '#server/platform/db/schema.ts';
import type { LedgerScope } from './store.ts';

export interface ReceiptSums {
  searches: number;
  answeredSearches: number;
  reads: number;
  tokensSent: number;
  wholePageTokens: number;
  withheldTokens: number;
}

export type NamedSums = ReceiptSums & { id: string | null; name: string | null; lastAt: number };

const sums = [
  sql<number>`coalesce(sum(case when r.tool = 'search' then 1 else 0 end), 0)`.as('searches'),
  sql<number>`coalesce(sum(case when r.tool = 'search' and r.whole_page_tokens > 0 then 1 else 0 end), 0)`.as(
    'answeredSearches',
  ),
  sql<number>`coalesce(sum(case when r.tool = 'read' then 1 else 0 end), 0)`.as('reads'),
  sql<number>`coalesce(sum(r.tokens), 0)`.as('tokensSent'),
  sql<number>`coalesce(sum(r.whole_page_tokens), 0)`.as('wholePageTokens'),
  sql<number>`coalesce(sum(r.withheld_tokens), 0)`.as('withheldTokens'),
] as const;

/** All calls since an instant. */
export async function sumReceipts(queries: Queries, scope: LedgerScope, since: number): Promise<ReceiptSums> {
  const row = await receiptsOf(queries, scope, since).select(sums).executeTakeFirstOrThrow();
  return numbersOf(row);
}

/** By the key or application that called; `id` is null for calls of people, from the browser or the command line. */
export async function sumReceiptsByKey(queries: Queries, scope: LedgerScope, since: number): Promise<NamedSums[]> {
  const rows = await receiptsOf(queries, scope, since)
    .leftJoin('apiKeys as k', 'k.id', 'r.keyId')
    .leftJoin('connections as c', 'c.id', 'r.keyId')
    .select(['r.keyId as id', sql<string | null>`coalesce(k.name, c.client_name)`.as('name')])
    .select(({ fn }) => fn.max('r.at').as('lastAt'))
    .select(sums)
    .groupBy(['r.keyId', sql`coalesce(k.name, c.client_name)`])
    .execute();
  return rows.map(namedOf);
}

/** By conversation, the one called last first. */
export async function sumReceiptsBySession(
  queries: Queries,
  scope: LedgerScope,
  { since, count }: { since: number; count: number },
): Promise<NamedSums[]> {
  const rows = await receiptsOf(queries, scope, since)
    .leftJoin('agentSessions as s', 's.id', 'r.sessionId')
    .select(['r.sessionId as id', 's.clientName as name'])
    .select(({ fn }) => fn.max('r.at').as('lastAt'))
    .select(sums)
    .where('r.sessionId', 'is not', null)
    .groupBy(['r.sessionId', 's.clientName'])
    .orderBy('lastAt', 'desc')
    .orderBy('r.sessionId')
    .limit(count)
    .execute();
  return rows.map(namedOf);
}

type Receipts = { r: Schema['callReceipts'] };

function receiptsOf(
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

/** PostgreSQL answers sums as text. */
function numbersOf(row: ReceiptSums): ReceiptSums {
  return {
    searches: Number(row.searches),
    answeredSearches: Number(row.answeredSearches),
    reads: Number(row.reads),
    tokensSent: Number(row.tokensSent),
    wholePageTokens: Number(row.wholePageTokens),
    withheldTokens: Number(row.withheldTokens),
  };
}

function namedOf(row: ReceiptSums & { id: string | null; name: string | null; lastAt: number }): NamedSums {
  return { id: row.id, name: row.name, lastAt: Number(row.lastAt), ...numbersOf(row) };
}
