import {
  billingAdministration,
  billingEndpoints,
  teamBillingEndpoints,
  testBillingEndpoints,
} from '#contract/billing.ts';
import { AppError } from '#server/app-error.ts';
import { type Call, call } from './call-table.ts';

/** Plans, payments and seats of people and teams. */
export function billingCalls(): Call[] {
  const later = () => Promise.reject(new AppError('unimplemented'));
  return [
    ...Object.values(billingEndpoints),
    ...Object.values(teamBillingEndpoints),
    ...Object.values(billingAdministration),
    ...Object.values(testBillingEndpoints),
  ].map((endpoint) => call(endpoint as Call['endpoint'], later));
}
