import { signOnEndpoints } from '#contract/sign-on.ts';
import type { Context } from '#server/context.ts';
import { createTxtResolver } from '#server/platform/dns/resolve-txt.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import type { Accounts } from '../accounts/index.ts';
import type { Browser } from '../call.ts';
import { feature, serve } from '../feature.ts';
import { checkProofs, verifySignOnDomain, withdrawDomain } from './prove-domain.ts';
import { getSignOn, removeSignOn, setSignOn } from './settings.ts';
import { beginSignOn, findSignOn, finishSignOn, siteOf } from './sign-in.ts';

export type SignOn = ReturnType<typeof openSignOn>;

/** Opens teams' single sign-on: its settings, and signing in with it. */
export function openSignOn(
  { config: { dnsServers, allowHosts }, outbound, letters, sealingKeys }: Platform,
  { accounts: { social } }: { accounts: Accounts },
) {
  const resolveTxt = createTxtResolver(dnsServers);
  const needs = { social, outbound, resolveTxt, letters, sealingKeys, allowHosts };
  return feature({
    name: 'sign-on',
    verbs: {
      siteOf,
      beginSignOn: (ctx: Context, input: Parameters<typeof beginSignOn>[1], browser: Browser) =>
        beginSignOn(ctx, input, browser, needs),
      finishSignOn: (ctx: Context, input: Parameters<typeof finishSignOn>[1], browser: Browser) =>
        finishSignOn(ctx, input, browser, needs),
      checkProofs: (ctx: Context, signal?: AbortSignal) => checkProofs(ctx, needs, signal),
    },
    endpoints: serve(signOnEndpoints, {
      findSignOn: async (ctx, input) => ({ isAvailable: await findSignOn(ctx, input) }),
      getSignOn: (ctx, input) => getSignOn(ctx, input, needs),
      setSignOn: async (ctx, input) => ({ signOn: await setSignOn(ctx, input, needs) }),
      verifySignOnDomain: async (ctx, input) => ({ signOn: await verifySignOnDomain(ctx, input, needs) }),
      removeSignOn: async (ctx, input) => {
        await removeSignOn(ctx, input);
        return {};
      },
      withdrawDomain: async (ctx, input) => ({ wasVouchedFor: await withdrawDomain(ctx, input, needs) }),
    }),
    scheduledJobs: [
      {
        name: 'check proofs of domains',
        where: 'worker',
        everyMs: 3_600_000,
        run: (ctx, signal) => checkProofs(ctx, needs, signal),
      },
    ],
  });
}
