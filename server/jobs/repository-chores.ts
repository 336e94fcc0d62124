import type { Context } from '#server/context.ts';
import { checkRepositories, type RepositoryDependencies } from '#server/features/repositories/index.ts';

/** How soon a check that is due is begun; a push that was told of does not wait for it. */
const everyMs = 5_000;

export interface RepositoryChores {
  /** Looks at what is due now. */
  wake(): void;
  /** Breaks off what is under way and waits for its end. */
  stop(): Promise<void>;
}

/** Looks at the repositories whose time has come, over and over until stopped; one round at a time. */
export function startRepositoryChores(ctx: Context, deps: RepositoryDependencies): RepositoryChores {
  const stopping = new AbortController();
  let isAskedAgain = false;
  let round: Promise<void> | undefined;
  const wake = () => {
    if (stopping.signal.aborted) return;
    isAskedAgain = true;
    round ??= rounds().finally(() => {
      round = undefined;
    });
  };
  const rounds = async () => {
    while (isAskedAgain && !stopping.signal.aborted) {
      isAskedAgain = false;
      await checkRepositories(ctx, deps, stopping.signal).catch((error: unknown) =>
        ctx.log.error({ err: error }, 'repositories could not be checked'),
      );
    }
  };
  const timer = setInterval(wake, everyMs);
  timer.unref();
  wake();
  return {
    wake,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await round;
    },
  };
}
