import { callables } from '#contract/callables.ts';
import type { Accounts } from '#server/features/accounts/index.ts';
import type { Hosting } from '#server/features/hosting/index.ts';
import type { Indexing } from '#server/features/indexing/index.ts';
import type { Keys } from '#server/features/keys/index.ts';
import { type CallableEntry, tie } from './tie-callable.ts';

interface CallableParts {
  environment: string;
  accounts: Accounts;
  keys: Keys;
  indexing: Indexing;
  hosting: Hosting;
}

/** The verbs under the names and in the shapes that callable functions have. */
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
