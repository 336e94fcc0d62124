import { confEndpoints } from '#contract/conf.ts';
import { type ConfDependencies, confirmConf, leaveConf, listConf, signUpForConf } from '#server/features/conf/index.ts';
import { type Call, call } from './call-table.ts';

export interface ConfCallDependencies {
  conf: ConfDependencies;
}

/** The list for the conference. */
export function confCalls({ conf }: ConfCallDependencies): Call[] {
  return [
    call(confEndpoints.signUpForConf, async (ctx, input, effects) => {
      await signUpForConf(ctx, input, effects.browser, conf);
      return {};
    }),
    call(confEndpoints.confirmConf, async (ctx, input, effects) => {
      await confirmConf(ctx, input, effects.browser);
      return {};
    }),
    call(confEndpoints.leaveConf, async (ctx, input) => {
      await leaveConf(ctx, input, conf);
      return {};
    }),
    call(confEndpoints.listConf, async (ctx) => ({ signUps: await listConf(ctx) })),
  ];
}
