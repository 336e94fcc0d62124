import { connectionEndpoints } from '#contract/connections.ts';
import { onceSteady } from '#server/platform/db/has-come.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import type { Accounts } from '../accounts/index.ts';
import { bind, feature, serve } from '../feature.ts';
import type { Teams } from '../teams/index.ts';
import {
  endAllConnections,
  endTeamConnections,
  endTeamConnectionsOf,
  listConnections,
  revokeConnection,
} from './connections.ts';
import { answerConsent, describeConsent } from './consent.ts';
import { createOwnAddresses } from './own-addresses.ts';
import { endConnectionsInTime, listOpenConnections } from './store.ts';
import { verifyAccessToken } from './tokens.ts';

export type Connections = ReturnType<typeof openConnections>;

/** Opens connections: applications that users authorize without an API key. */
export function openConnections(
  { db, clock, log, config, publicUrl, outbound }: Platform,
  { accounts, teams }: { accounts: Accounts; teams: Teams },
) {
  const addresses = createOwnAddresses(publicUrl);
  const { readsClientDocuments } = config;
  const verbs = bind({ addresses, outbound, readsClientDocuments }, { describeConsent, answerConsent });
  accounts.agentAccessEnded.on(endAllConnections);
  accounts.agentAccessCounted.on(async (counts, queries, userId, now) => {
    counts.connections += (await listOpenConnections(queries, userId, now)).length;
  });
  teams.memberLeft.on(endTeamConnectionsOf);
  teams.teamDeleted.on((tx, { id }, now) => endTeamConnections(tx, id, now));
  return feature({
    name: 'connections',
    verbs: {
      /** The installation's OAuth addresses. */
      addresses,
      verifyAccessToken: (token: string) => verifyAccessToken({ db, clock, log }, token, addresses),
    },
    endpoints: serve(connectionEndpoints, {
      ...verbs,
      listConnections: async (ctx) => ({ connections: await listConnections(ctx) }),
      revokeConnection: async (ctx, input) => {
        await revokeConnection(ctx, input);
        return {};
      },
    }),
    scheduledJobs: [
      {
        name: 'end connections in time',
        where: 'worker',
        everyMs: 3_600_000,
        run: onceSteady(clock, (ctx) => endConnectionsInTime(ctx.db.query, ctx.clock.now())),
      },
    ],
    personalData: { applications: (ctx) => listConnections(ctx) },
  });
}
