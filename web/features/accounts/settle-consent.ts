import { callables } from '#contract/callables.ts';
import { callFunction } from '../../lib/call-function.ts';
import { trackConversion } from '../../lib/conversion.ts';

/**
 * What follows a sign-up: the consent is noted and the conversion told. The account is there already, so neither may
 * fail the sign-up; the consent can be given again among the account's settings.
 */
export async function settleConsent(hasConsent: boolean): Promise<void> {
  await Promise.allSettled([
    callFunction(callables.updateMarketingConsent, { marketingConsent: hasConsent }),
    trackConversion(hasConsent),
  ]);
}
