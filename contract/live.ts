import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';

interface LiveQuery<Collection extends string> {
  /** The query's result may change when one of these collections changes. */
  collections: readonly Collection[];
  /** `person`: not sent to visitors and API keys, which may not read it. */
  readers: 'person' | 'everyone';
}

function liveQuery<const Collection extends string>(
  readers: LiveQuery<Collection>['readers'],
  collections: readonly Collection[],
): LiveQuery<Collection> {
  return { readers, collections };
}

/**
 * All queries that readers can keep up to date, by name. To make a query live, add a line here, announce changes of its
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
  /** For operators: accounts and operator actions on them. */
  people: liveQuery('person', ['people']),
} as const;

export type LiveQueryName = keyof typeof liveQueries;
/** Collections whose changes can be announced. */
export type Collection = (typeof liveQueries)[LiveQueryName]['collections'][number];

export const liveQueryNames = Object.keys(liveQueries) as LiveQueryName[];

export const liveEventSchema = z.union([
  /** The query's result has changed. `row` is the changed row as the query returns it, if there is one. */
  z.object({ type: z.literal('changed'), query: z.enum(liveQueryNames), row: z.unknown().optional() }),
  /** Changes may have been missed: the reader must reload everything. */
  z.object({ type: z.literal('refresh') }),
  /** The session has ended or the key was revoked: no more events follow. */
  z.object({ type: z.literal('ended') }),
]);
export type LiveEvent = z.infer<typeof liveEventSchema>;

export const liveInput = z.object({
  /** Comma-separated names of queries; defaults to all. */
  queries: z
    .string()
    .optional()
    .transform((names) => (names === undefined ? liveQueryNames : names.split(',')))
    .pipe(z.array(z.enum(liveQueryNames)).min(1)),
  /** Id of the last event received; events after it are sent. */
  after: z.string().max(100).optional(),
});

export const liveEndpoints = {
  pollLive: endpoint('GET /api/live/poll', {
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
