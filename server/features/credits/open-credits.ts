import { creditEndpoints } from '#contract/credits.ts';
import { insightEndpoints } from '#contract/insights.ts';
import { teamEndpoints } from '#contract/teams.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import type { Accounts } from '../accounts/index.ts';
import { feature, serve } from '../feature.ts';
import { listMemberships, listTeamMembers, type Teams } from '../teams/index.ts';
import { adjustCredits, grantInitialCredits } from './adjust-credits.ts';
import { anonymiseLedger, clearTeamLedger } from './anonymise-ledger.ts';
import { createCallMeter } from './call-meter.ts';
import { accountCreditsOf, getCreditInfo, getMonthlyUsage } from './credit-info.ts';
import { getInsights, listAgentCalls } from './insights.ts';
import { exportTransactions, listTransactions, listTransactionsOfPerson } from './list-transactions.ts';
import { getMemberUsage, getSavings, getUsage } from './usage.ts';

export type Credits = Awaited<ReturnType<typeof openCredits>>;

/** Opens credits: what searches and reads cost, and what users and teams have left. */
export async function openCredits(
  { config, db, clock, publicUrl }: Platform,
  { accounts, teams }: { accounts: Accounts; teams: Teams },
) {
  const isFree = !config.areCreditsOn;
  const deps = { accountCredits: accountCreditsOf };
  const { listMemberships: memberships, listTeamMembers: members } = teamEndpoints;
  accounts.created.on((tx, user) => grantInitialCredits(tx, user.id, user.createdAt));
  accounts.deleted.on((tx, userId) => anonymiseLedger(tx, userId));
  teams.teamDeleted.on((tx, { id }) => clearTeamLedger(tx, id));
  // The local owner never signs up, so the hook does not run.
  await db.transaction((tx) => grantInitialCredits(tx, accounts.ownerId, clock.now()));
  return feature({
    name: 'credits',
    verbs: { meter: createCallMeter({ publicUrl, isFree }) },
    endpoints: [
      ...serve(creditEndpoints, {
        adjustCredits,
        getCreditInfo: async (ctx) => ({ credits: await getCreditInfo(ctx, { isFree }) }),
        getMonthlyUsage: async (ctx) => ({ usage: await getMonthlyUsage(ctx) }),
        listTransactions: async (ctx, input) => ({ transactions: await listTransactions(ctx, input) }),
        exportTransactions,
        getMemberUsage,
        getSavings: async (ctx, input) => ({ savings: await getSavings(ctx, input) }),
        getUsage: async (ctx, input) => ({ days: await getUsage(ctx, input) }),
      }),
      ...serve(insightEndpoints, {
        listAgentCalls: async (ctx, input) => ({ calls: await listAgentCalls(ctx, input) }),
        getInsights: async (ctx, input) => ({ insights: await getInsights(ctx, input) }),
      }),
      // Member lists show each member's credits, which the teams feature cannot provide.
      ...serve(
        { memberships, members },
        {
          memberships: async (ctx) => ({ memberships: await listMemberships(ctx, deps) }),
          members: async (ctx, input) => ({ members: await listTeamMembers(ctx, input, deps) }),
        },
      ),
    ],
    personalData: {
      teams: (ctx) => listMemberships(ctx, deps),
      credits: (ctx) => listTransactionsOfPerson(ctx),
    },
  });
}
