import { signOnEndpoints } from '#contract/sign-on.ts';
import {
  findSignOn,
  getSignOn,
  removeSignOn,
  type SignOnDependencies,
  setSignOn,
  verifySignOnDomain,
} from '#server/features/sign-on/index.ts';
import { type Call, call } from './call-table.ts';

export interface SignOnCallDependencies {
  signOn: SignOnDependencies;
}

/** Single sign-on of teams: setting it up, and asking for it. */
export function signOnCalls({ signOn }: SignOnCallDependencies): Call[] {
  return [
    call(signOnEndpoints.findSignOn, async (ctx, input) => ({ isAvailable: await findSignOn(ctx, input) })),
    call(signOnEndpoints.getSignOn, (ctx, input) => getSignOn(ctx, input, signOn)),
    call(signOnEndpoints.setSignOn, async (ctx, input) => ({ signOn: await setSignOn(ctx, input, signOn) })),
    call(signOnEndpoints.verifySignOnDomain, async (ctx, input) => ({
      signOn: await verifySignOnDomain(ctx, input, signOn),
    })),
    call(signOnEndpoints.removeSignOn, async (ctx, input) => {
      await removeSignOn(ctx, input);
      return {};
    }),
  ];
}
