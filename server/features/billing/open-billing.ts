import { billingAdministration, billingEndpoints, teamBillingEndpoints } from '#contract/billing.ts';
import { testBillingEndpoints } from '#contract/test-billing.ts';
import type { Context } from '#server/context.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import type { Accounts } from '../accounts/index.ts';
import { feature, serveLater } from '../feature.ts';
import type { Teams } from '../teams/index.ts';
import { billingClosedTopic } from './dependencies.ts';
import type { receiveEvent } from './receive-event.ts';

export type Billing = ReturnType<typeof openBilling>;

/** Closed billing does not wait for this interval: a message triggers the job. */
const catchUpEveryMs = 60_000;

/**
 * Opens billing: plans, payments and seats of users and teams. All other files are loaded by the first call or job that
 * needs them, since processes that only serve agents need none.
 */
export function openBilling(platform: Platform, { accounts, teams }: { accounts: Accounts; teams: Teams }) {
  const { bus, config } = platform;
  let opened: ReturnType<typeof loadBilling> | undefined;
  const load = () => (opened ??= loadBilling(platform));
  // Runs first, because payments lock a payer's billing before their ledger.
  accounts.deleted.first(async (tx, userId, now) => (await load()).closeBilling(tx, `user:${userId}`, now));
  accounts.leaving.on(async (tx, userId) => (await load()).forgetBuyer(tx, userId));
  teams.teamDeleted.first(async (tx, team, now) => (await load()).closeBilling(tx, `team:${team.id}`, now));
  return feature({
    name: 'billing',
    verbs: {
      /** Receives an event from the payment provider. */
      async receiveEvent(ctx: Context, input: Parameters<typeof receiveEvent>[1]) {
        const billing = await load();
        return billing.receiveEvent(ctx, input, billing.needs);
      },
      needs: async () => (await load()).needs,
    },
    endpoints: [
      ...serveLater(billingEndpoints, async () => (await load()).person),
      ...serveLater(teamBillingEndpoints, async () => (await load()).team),
      ...serveLater(billingAdministration, async () => (await load()).administration),
      ...serveLater(testBillingEndpoints, async () => (await load()).testCheckout),
    ],
    scheduledJobs: [
      {
        name: 'catch up billing',
        where: 'worker',
        everyMs: catchUpEveryMs,
        wakeOn: (wake) => bus.subscribe(billingClosedTopic, wake),
        async run(ctx) {
          const billing = await load();
          await billing.catchUpBilling(ctx, billing.needs);
        },
      },
    ],
    async beforeServing(ctx) {
      // Processes with other roles, which every installation has, do this at their start.
      if (config.roles.every((role) => role === 'mcp')) return;
      const billing = await load();
      await billing.forgetOtherMode(ctx, billing.needs);
    },
  });
}

async function loadBilling(platform: Platform) {
  const { assembleBilling } = await import('./assemble-billing.ts');
  return assembleBilling(platform);
}
