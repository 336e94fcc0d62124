import { confEndpoints } from '#contract/conf.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import { feature, serve } from '../feature.ts';
import { createConfMails } from './mails.ts';
import { type ConfDependencies, confirmConf, leaveConf, listConf, signUpForConf } from './sign-ups.ts';

/** Opens the mailing list for the conference. */
export function openConf({ config: { productName }, publicUrl, letters, background, sealingKeys }: Platform) {
  const mails = createConfMails({ send: letters, productName, publicUrl });
  const needs: ConfDependencies = { mails, background, sealingKeys };
  return feature({
    name: 'conf',
    verbs: {},
    endpoints: serve(confEndpoints, {
      signUpForConf: async (ctx, input, { browser }) => {
        await signUpForConf(ctx, input, browser, needs);
        return {};
      },
      confirmConf: async (ctx, input, { browser }) => {
        await confirmConf(ctx, input, browser);
        return {};
      },
      leaveConf: async (ctx, input) => {
        await leaveConf(ctx, input, needs);
        return {};
      },
      listConf: async (ctx) => ({ signUps: await listConf(ctx) }),
    }),
  });
}
