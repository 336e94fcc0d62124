import type { Context } from '#server/context.ts';
import { checkRepositories, type RepositoryDependencies } from '#server/features/repositories/index.ts';
import { type Rounds, startRounds } from './rounds.ts';

/** How soon a check that is due is begun; a push that was told of does not wait for it. */
const everyMs = 5_000;

/** Looks at the repositories whose time has come, over and over until stopped; woken, at what is due by then. */
export function startRepositoryChores(ctx: Context, deps: RepositoryDependencies): Rounds {
  return startRounds(everyMs, (signal) =>
    checkRepositories(ctx, deps, signal).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'repositories could not be checked'),
    ),
  );
}
