import { repositoryEndpoints } from '#contract/repositories.ts';
import { forgetHostKey, listRepositories } from '#server/features/repositories/index.ts';
import { type Call, call } from './call-table.ts';

/** What is known of repositories and their hosts. */
export function repositoryCalls(): Call[] {
  return [
    call(repositoryEndpoints.listRepositories, async (ctx) => ({ repositories: await listRepositories(ctx) })),
    call(repositoryEndpoints.forgetHostKey, (ctx, input) => forgetHostKey(ctx, input)),
  ];
}
