import { setImmediate } from 'node:timers/promises';
import type { AgentCall, Insights } from '#contract/insights.ts';
import type { Context } from '#server/context.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import type { LedgerScope } from './store.ts';
import { requireLedgerScope } from './usage.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Most calls summed up: the newest of the requested time. */
const callsRead = 20_000;
/** Calls between which other requests are served. */
const callsAtOnce = 500;
const listedMax = 10;

/** Returns the newest agent calls that the caller can see: their own, or everyone's for a team's admin. */
export async function listAgentCalls(ctx: Context, { limit }: { limit: number }): Promise<AgentCall[]> {
  const scope = requireLedgerScope(ctx);
  // The newest calls belong to the most recently seen conversations: limit to those instead of sorting all calls ever
  // made.
  const sessions = await sessionsIn(ctx, scope).orderBy('s.lastSeenAt', 'desc').limit(limit).execute();
  const ids = sessions.map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await ctx.db.query
    .selectFrom('agentCalls as c')
    .leftJoin('agentSessions as s', 's.id', 'c.sessionId')
    .leftJoin('apiKeys as k', 'k.id', 's.keyId')
    .leftJoin('connections as o', 'o.id', 's.keyId')
    .select([
      'c.at',
      'c.tool',
      'c.query',
      'c.url',
      'c.tokens',
      'c.wholePageTokens',
      'c.latencyMs',
      'c.pageUrls',
      's.clientName as client',
    ])
    .select(({ fn }) => fn.coalesce('k.name', 'o.clientName').as('credential'))
    .where('c.sessionId', 'in', ids)
    .orderBy('c.at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ pageUrls, client, ...row }) => ({
    ...row,
    client: client ?? '',
    pages: storedJson<string[]>(pageUrls, []),
  }));
}

/**
 * Sums up agents' calls of the last days (UTC, including today) that the caller can see. A page's library is the module
 * whose address it begins with, else the page's host.
 */
export async function getInsights(ctx: Context, { days }: { days: number }): Promise<Insights> {
  const since = (Math.floor(ctx.clock.now() / dayMs) - days + 1) * dayMs;
  const scope = requireLedgerScope(ctx);
  const libraryOf = await libraryFinder(ctx);
  const answers = new Map<string, { name: string; moduleId: string | null; answers: number }>();
  const times = new Map<number, number[]>();
  const unanswered = new Map<string, { query: string; count: number; lastAt: number }>();
  let unansweredCount = 0;
  for await (const { tool, query, at, latencyMs, pageUrls } of callsIn(ctx, scope, since)) {
    const pages = storedJson<string[]>(pageUrls, []);
    const libraries = new Map(pages.map((page) => libraryOf(page)).map((library) => [library.name, library]));
    for (const [name, library] of libraries) {
      const sum = answers.get(name) ?? { ...library, answers: 0 };
      sum.answers += 1;
      answers.set(name, sum);
    }
    if (tool !== 'search' || query === null) continue;
    const day = Math.floor(at / dayMs) * dayMs;
    const ofDay = times.get(day);
    if (ofDay === undefined) times.set(day, [latencyMs]);
    else ofDay.push(latencyMs);
    if (pages.length > 0) continue;
    unansweredCount += 1;
    const key = query.trim().toLowerCase();
    const found = unanswered.get(key) ?? { query, count: 0, lastAt: at };
    found.count += 1;
    unanswered.set(key, found);
  }
  return {
    libraries: [...answers.values()]
      .sort((a, b) => b.answers - a.answers || a.name.localeCompare(b.name))
      .slice(0, listedMax),
    latency: [...times]
      .sort(([a], [b]) => a - b)
      .map(([at, values]) => ({
        at,
        searches: values.length,
        medianMs: share(values, 0.5),
        p95Ms: share(values, 0.95),
      })),
    unanswered: [...unanswered.values()].sort((a, b) => b.count - a.count || b.lastAt - a.lastAt).slice(0, listedMax),
    unansweredCount,
  };
}

/** Yields the newest calls, newest first. They are sorted by their ids: sorting their texts can take many seconds. */
async function* callsIn(ctx: Context, scope: LedgerScope, since: number) {
  const newest = await callIdsIn(ctx, scope, since).limit(callsRead).execute();
  for (let from = 0; from < newest.length; from += callsAtOnce) {
    await setImmediate();
    const ids = newest.slice(from, from + callsAtOnce).map(({ id }) => id);
    yield* await ctx.db.query
      .selectFrom('agentCalls')
      .select(['at', 'tool', 'query', 'latencyMs', 'pageUrls'])
      .where('id', 'in', ids)
      .orderBy('at', 'desc')
      .execute();
  }
}

/** Returns the calls' ids, newest first. A conversation not seen since then has no newer call. */
function callIdsIn(ctx: Context, { userId, teamId }: LedgerScope, since: number) {
  const rows = ctx.db.query
    .selectFrom('agentCalls as c')
    .innerJoin('agentSessions as s', 's.id', 'c.sessionId')
    .select('c.id')
    .where('s.teamId', teamId === null ? 'is' : '=', teamId)
    .where('s.lastSeenAt', '>=', since)
    .where('c.at', '>=', since)
    .orderBy('c.at', 'desc');
  return userId === undefined ? rows : rows.where('s.userId', '=', userId);
}

function sessionsIn(ctx: Context, { userId, teamId }: LedgerScope) {
  const rows = ctx.db.query
    .selectFrom('agentSessions as s')
    .select('s.id')
    .where('s.teamId', teamId === null ? 'is' : '=', teamId);
  return userId === undefined ? rows : rows.where('s.userId', '=', userId);
}

async function libraryFinder(ctx: Context): Promise<(page: string) => { name: string; moduleId: string | null }> {
  const workspaces: Workspace[] = ctx.workspace === null ? ['public'] : [ctx.workspace, 'public'];
  const modules = await ctx.db.query
    .selectFrom('modules')
    .select(['slug', 'displayName', 'kind', 'source'])
    .where('workspace', 'in', workspaces)
    .execute();
  const starts = modules
    .map(({ slug, displayName, kind, source }) => {
      const { url = '' } = storedJson<{ url?: string }>(source, {});
      const start = kind === 'folder' ? `folder://${slug}/` : url.slice(0, url.lastIndexOf('/') + 1);
      return { start, library: { name: displayName, moduleId: slug } };
    })
    // A damaged row has no address.
    .filter(({ start }) => start !== '')
    .sort((a, b) => b.start.length - a.start.length);
  const known = new Map<string, { name: string; moduleId: string | null }>();
  return (page) => {
    const before = known.get(page);
    if (before !== undefined) return before;
    const library = starts.find(({ start }) => page.startsWith(start))?.library ?? {
      name: URL.parse(page)?.host || page,
      moduleId: null,
    };
    known.set(page, library);
    return library;
  };
}

function share(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
