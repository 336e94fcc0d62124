import { sql } from 'kysely';
import * as limits from '#contract/limits.ts';
import { builtOnce } from '#server/platform/db/built-once.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { type RowPlace, rowPages } from '#server/platform/db/row-pages.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';

export type SessionRow = Row<'agentSessions'>;
export type CallRow = Row<'agentCalls'>;

export async function findSessionByIdentity(
  queries: Queries,
  userId: string,
  identity: string,
): Promise<SessionRow | undefined> {
  return (await sessionsByIdentity(queries, { userId, identity }))[0];
}

const sessionsByIdentity = builtOnce((queries, { userId, identity }: { userId: string; identity: string }) =>
  queries.selectFrom('agentSessions').selectAll().where('identity', '=', identity).where('userId', '=', userId),
);

/** Returns the newest session with this handle that the user has in the team, or (null) outside of any team. */
export async function findSessionByHandle(
  queries: Queries,
  { userId, teamId }: { userId: string; teamId: string | null },
  handle: string,
): Promise<SessionRow | undefined> {
  return queries
    .selectFrom('agentSessions')
    .selectAll()
    .where('handle', '=', handle)
    .where('userId', '=', userId)
    .where('teamId', teamId === null ? 'is' : '=', teamId)
    .orderBy('lastSeenAt', 'desc')
    .executeTakeFirst();
}

/** Inserts a session; an existing session with this identity (created meanwhile by another process) is kept. */
export async function insertSession(queries: Queries, row: NewRow<'agentSessions'>): Promise<void> {
  await queries
    .insertInto('agentSessions')
    .values(row)
    .onConflict((conflict) => conflict.column('identity').doNothing())
    .execute();
}

/**
 * Releases a session's identity: the passages sent in it are forgotten, its costs stay on record. Returns false if this
 * user has no session with that identity.
 */
export async function retireSession(queries: Queries, userId: string, identity: string): Promise<boolean> {
  const result = await queries
    .updateTable('agentSessions')
    .set(({ ref }) => ({ identity: sql<string>`'past:' || ${ref('id')}`, handle: '' }))
    .where('identity', '=', identity)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function touchSession(queries: Queries, id: string, now: number): Promise<void> {
  await queries.updateTable('agentSessions').set({ lastSeenAt: now }).where('id', '=', id).execute();
}

/** Deletes at most `most` sessions with their calls; returns how many. */
export async function deleteSessionsSeenBefore(queries: Queries, instant: number, most: number): Promise<number> {
  const old = queries.selectFrom('agentSessions').select('id').where('lastSeenAt', '<', instant).limit(most);
  const { numDeletedRows } = await queries.deleteFrom('agentSessions').where('id', 'in', old).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Returns a session's calls, newest first. */
export async function listCalls(
  queries: Queries,
  sessionId: string,
  callsMax: number,
): Promise<Pick<CallRow, 'tool' | 'query' | 'url' | 'snippetIds' | 'withheldTokens' | 'callKey'>[]> {
  return callsOfSession(queries, { sessionId, callsMax });
}

const callsOfSession = builtOnce((queries, { sessionId, callsMax }: { sessionId: string; callsMax: number }) =>
  queries
    .selectFrom('agentCalls')
    .select(['tool', 'query', 'url', 'snippetIds', 'withheldTokens', 'callKey'])
    .where('sessionId', '=', sessionId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(callsMax),
);

export async function insertCall(tx: Transaction, row: CallRow): Promise<void> {
  await newCall(tx, row);
}

const newCall = builtOnce((tx, row: CallRow) =>
  tx.insertInto('agentCalls').values({
    id: row.id,
    sessionId: row.sessionId,
    at: row.at,
    tool: row.tool,
    query: row.query,
    url: row.url,
    snippetIds: row.snippetIds,
    pageUrls: row.pageUrls,
    callKey: row.callKey,
    tokens: row.tokens,
    wholePageTokens: row.wholePageTokens,
    withheldTokens: row.withheldTokens,
    latencyMs: row.latencyMs,
  }),
);

/** Deletes the sessions of a user's agents. */
export async function deleteSessionsOf(queries: Queries, userId: string): Promise<void> {
  await queries.deleteFrom('agentSessions').where('userId', '=', userId).execute();
}

/** Deletes a team's agent sessions. */
export async function deleteTeamSessions(queries: Queries, teamId: string): Promise<void> {
  await queries.deleteFrom('agentSessions').where('teamId', '=', teamId).execute();
}

/**
 * Returns the newest calls of all of a user's agents in pages, without the passages sent. A page's calls are chosen by
 * their ids: sorting the texts of all calls for each page can take seconds.
 */
export function listCallsOf(
  queries: Queries,
  userId: string,
): AsyncIterable<(Pick<CallRow, 'id' | 'at' | 'tool' | 'query' | 'url' | 'tokens'> & { clientName: string })[]> {
  const calls = queries.selectFrom('agentCalls').innerJoin('agentSessions', 'agentSessions.id', 'agentCalls.sessionId');
  const page = (before: RowPlace, rowsMax: number) => {
    const ids = calls
      .select('agentCalls.id')
      .where('agentSessions.userId', '=', userId)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('at', 'agentCalls.id'), '<', tuple(before.at, before.id)))
      .orderBy('at', 'desc')
      .orderBy('agentCalls.id', 'desc')
      .limit(rowsMax);
    return calls
      .select(['agentCalls.id', 'at', 'tool', 'query', 'url', 'tokens', 'clientName'])
      .where('agentCalls.id', 'in', ids)
      .orderBy('at', 'desc')
      .orderBy('agentCalls.id', 'desc')
      .execute();
  };
  return rowPages(limits.personalDataRowsMax, page, ({ at }) => at);
}
