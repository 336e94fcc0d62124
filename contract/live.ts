import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';

interface LiveQuery<Collection extends string> {
  /** The query may answer differently after a change in one of these. */
  collections: readonly Collection[];
  /** `person`: not told to visitors and API keys, who may not read it. */
  readers: 'person' | 'everyone';
}

function liveQuery<const Collection extends string>(
  readers: LiveQuery<Collection>['readers'],
  collections: readonly Collection[],
): LiveQuery<Collection> {
  return { readers, collections };
}

/**
 * Every query a reader can keep current, by name. One line here makes a query live: announce the changes of its
 * collections on the server (`announceChange`), and read it in the browser under a query key that begins with its name.
 */
export const liveQueries = {
  session: liveQuery('person', ['users', 'webSessions']),
  teams: liveQuery('person', ['teams', 'memberships', 'creditTransactions']),
  memberships: liveQuery('person', ['memberships', 'teams', 'users', 'creditTransactions']),
  teamMembers: liveQuery('person', ['memberships', 'users']),
  apiKeys: liveQuery('person', ['apiKeys', 'memberships']),
  connections: liveQuery('person', ['connections']),
  jobRuns: liveQuery('everyone', ['jobRuns']),
  modules: liveQuery('everyone', ['modules']),
  privateIndex: liveQuery('person', ['modules']),
  pdfSets: liveQuery('person', ['pdfSets', 'jobRuns', 'modules', 'billing']),
  profiles: liveQuery('person', ['profiles', 'modules', 'jobRuns']),
  search: liveQuery('everyone', ['modules']),
  credits: liveQuery('person', ['creditTransactions']),
  billing: liveQuery('person', ['billing', 'memberships']),
  hosting: liveQuery('person', ['hosting', 'memberships']),
  indexRequests: liveQuery('person', ['indexRequests']),
  /** For operators: accounts, and what was done with them. */
  people: liveQuery('person', ['people']),
} as const;

export type LiveQueryName = keyof typeof liveQueries;
/** What can be announced as changed. */
export type Collection = (typeof liveQueries)[LiveQueryName]['collections'][number];

export const liveQueryNames = Object.keys(liveQueries) as LiveQueryName[];

export const liveEventSchema = z.union([
  /** The query answers differently now. `row`, when there is one, is the row that changed, as the query answers it. */
  z.object({ type: z.literal('changed'), query: z.enum(liveQueryNames), row: z.unknown().optional() }),
  /** Changes may have been missed: read everything again. */
  z.object({ type: z.literal('refresh') }),
  /** The session has ended or the key was revoked: nothing more will come. */
  z.object({ type: z.literal('ended') }),
]);
export type LiveEvent = z.infer<typeof liveEventSchema>;

export const liveInput = z.object({
  /** Names of queries, with commas between them; all of them when it is left out. */
  queries: z
    .string()
    .optional()
    .transform((names) => (names === undefined ? liveQueryNames : names.split(',')))
    .pipe(z.array(z.enum(liveQueryNames)).min(1)),
  /** Id of the last event the reader has: what came after it is sent. */
  after: z.string().max(100).optional(),
});

export const liveEndpoints = {
  pollLive: endpoint({
    method: 'GET',
    path: '/api/live/poll',
    summary:
      'Returns what `GET /api/live` would stream, for clients that can’t keep a stream open. Responds as soon as something changes.',
    access: 'anyone',
    input: liveInput.extend({
      waitSeconds: z.coerce
        .number()
        .int()
        .min(limits.livePollSecondsMin)
        .max(limits.livePollSecondsMax)
        .default(limits.livePollSecondsMax),
    }),
    output: z.object({ position: z.string(), events: z.array(liveEventSchema) }),
  }),
};
