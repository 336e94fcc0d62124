import { callables } from '#contract/callables.ts';
import {
  type AccountDeletion,
  deleteAccount,
  type IdentityDependencies,
  onEmailVerified,
  updateMarketingConsent,
  type VerifiedHook,
} from '#server/features/accounts/index.ts';
import type { HostingDependencies } from '#server/features/hosting/index.ts';
import { createApiKey, revokeApiKey } from '#server/features/keys/index.ts';
import { type LibraryNotices, removeModule, startIndexJob } from '#server/features/library/index.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { hostingCallables } from './hosting-calls.ts';
import { type CallableEntry, tie } from './tie-callable.ts';

export interface CallableDependencies {
  environment: string;
  sealingKeys: SealingKeys;
  notices: LibraryNotices;
  identity: IdentityDependencies;
  accountDeletion: AccountDeletion;
  onVerified: VerifiedHook;
  hosting: HostingDependencies;
}

/** Which verb answers which callable function. */
export function createCallables(deps: CallableDependencies): CallableEntry[] {
  const { sealingKeys, notices, identity } = deps;
  return [
    tie(callables.createApiKey, async (ctx, input) => {
      const { key, secret } = await createApiKey(ctx, input, sealingKeys);
      return { name: key.name, key: secret };
    }),
    tie(callables.revokeApiKey, async (ctx, input) => {
      await revokeApiKey(ctx, input, sealingKeys);
      return {};
    }),
    tie(callables.startIndexJob, async (ctx, input) => ({ job: await startIndexJob(ctx, input, notices) })),
    tie(callables.removeModule, async (ctx, input) => {
      await removeModule(ctx, input, notices);
      return { moduleId: input.moduleId };
    }),
    tie(callables.onEmailVerified, (ctx) => onEmailVerified(ctx, deps)),
    tie(callables.updateMarketingConsent, async (ctx, input) => {
      await updateMarketingConsent(ctx, input);
      return {};
    }),
    tie(callables.deleteUser, async (ctx, input, effects) => {
      await deleteAccount(ctx, input, { ...identity, deletion: deps.accountDeletion });
      effects.setSession(null, 0);
      return {};
    }),
    tie(callables.environment, async () => ({ environment: deps.environment })),
    ...hostingCallables(deps),
  ];
}
