import { accountDetailEndpoints } from '#contract/account-details.ts';
import { exportPersonalData, type PersonalDataDependencies } from '#server/features/personal-data/index.ts';
import { type Call, call } from './call-table.ts';

export type PersonalDataCallDependencies = PersonalDataDependencies;

export function personalDataCalls(deps: PersonalDataCallDependencies): Call[] {
  return [call(accountDetailEndpoints.exportPersonalData, (ctx) => exportPersonalData(ctx, deps))];
}
