import type { z } from 'zod';
import { type Callable, callables } from '#contract/callables.ts';
import type { Context } from '#server/context.ts';
import type { Accounts } from '#server/features/accounts/index.ts';
import { type CallEffects, parseInput } from '#server/features/call.ts';
import type { Hosting } from '#server/features/hosting/index.ts';
import type { Indexing } from '#server/features/indexing/index.ts';
import type { Keys } from '#server/features/keys/index.ts';
import { requireKnownFields } from './known-fields.ts';

interface CallableParts {
  environment: string;
  accounts: Accounts;
  keys: Keys;
  indexing: Indexing;
  hosting: Hosting;
}

/** Creates the callable functions, which offer verbs under their documented names and shapes. */
export function createCallables({ environment, accounts, keys, indexing, hosting }: CallableParts): CallableEntry[] {
  return [
    tie(callables.createApiKey, async (ctx, input) => {
      const { key, secret } = await keys.createApiKey(ctx, input);
      return { name: key.name, key: secret };
    }),
    tie(callables.revokeApiKey, async (ctx, input) => {
      await keys.revokeApiKey(ctx, input);
      return {};
    }),
    tie(callables.startIndexJob, async (ctx, input) => ({ job: await indexing.startIndexJob(ctx, input) })),
    tie(callables.removeModule, async (ctx, input) => {
      await indexing.removeModule(ctx, input);
      return { moduleId: input.moduleId };
    }),
    tie(callables.onEmailVerified, (ctx) => accounts.onEmailVerified(ctx)),
    tie(callables.updateMarketingConsent, async (ctx, input) => {
      await accounts.updateMarketingConsent(ctx, input);
      return {};
    }),
    tie(callables.deleteUser, async (ctx, input, effects) => {
      await accounts.deleteAccount(ctx, input);
      effects.setSession(null, 0);
      return {};
    }),
    tie(callables.environment, async () => ({ environment })),
    tie(callables.startGithubOAuth, (ctx, input) => hosting.connectGithub(ctx, input)),
    tie(callables.listRepositories, (ctx, input) => hosting.listRepositories(ctx, input)),
    tie(callables.listBranches, (ctx, input) => hosting.listBranches(ctx, input)),
    tie(callables.addRepository, async (ctx, input) => ({ repository: await hosting.addRepository(ctx, input) })),
    tie(callables.removeRepository, (ctx, input) => hosting.removeRepository(ctx, input)),
    tie(callables.refreshRepositoryStats, async (ctx, input) => ({
      repository: await hosting.refreshRepositoryStats(ctx, input),
    })),
  ];
}

export interface CallableEntry extends Pick<Callable, 'name' | 'access' | 'right' | 'keyRight'> {
  run(ctx: Context, data: unknown, effects: CallEffects): Promise<unknown>;
}

/** Binds a callable function to its handler; its input is parsed only here. */
function tie<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Callable<Input, Output>,
  handler: (ctx: Context, data: z.output<Input>, effects: CallEffects) => Promise<z.output<Output>>,
): CallableEntry {
  return {
    ...definition,
    run: async (ctx, data, effects) => {
      const values = data ?? {};
      requireKnownFields(definition.input, values);
      // Parsed by the definition's schema, so it has that schema's type.
      return handler(ctx, parseInput(definition.input, values) as z.output<Input>, effects);
    },
  };
}
