import type { z } from 'zod';
import { type Callable, callables } from '#contract/callables.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import {
  type AccountDeletion,
  deleteAccount,
  type IdentityDependencies,
  onEmailVerified,
  updateMarketingConsent,
  type VerifiedHook,
} from '#server/features/accounts/index.ts';
import { createApiKey, revokeApiKey } from '#server/features/keys/index.ts';
import { type LibraryNotices, removeModule, startIndexJob } from '#server/features/library/index.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { type CallEffects, parseInput } from './call-table.ts';

export interface CallableDependencies {
  environment: string;
  sealingKeys: SealingKeys;
  notices: LibraryNotices;
  identity: IdentityDependencies;
  accountDeletion: AccountDeletion;
  onVerified: VerifiedHook;
}

type Run = (ctx: Context, data: unknown, effects: CallEffects) => Promise<unknown>;
export interface CallableEntry {
  name: string;
  run: Run;
}

/** Which verb answers which callable function. Those whose feature is not built are known and say so. */
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
    ...[
      callables.startGithubOAuth,
      callables.listRepositories,
      callables.listBranches,
      callables.addRepository,
      callables.removeRepository,
      callables.refreshRepositoryStats,
    ].map(({ name }) => ({ name, run: () => Promise.reject(new AppError('unimplemented')) })),
  ];
}

function tie<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Callable<Input, Output>,
  handler: (ctx: Context, data: z.output<Input>, effects: CallEffects) => Promise<z.output<Output>>,
): CallableEntry {
  return {
    name: definition.name,
    run: (ctx, data, effects) =>
      // Parsed by the definition's own schema, so it has that schema's type.
      handler(ctx, parseInput(definition.input, data ?? {}) as z.output<Input>, effects),
  };
}
