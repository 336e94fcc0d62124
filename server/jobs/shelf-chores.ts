import type { Context } from '#server/context.ts';
import type { OpenShelf } from '#server/features/library/index.ts';

/** Swaps are told of; this finds what was missed, and what was deleted. */
const refreshEveryMs = 60_000;
/** A private module that nobody searches is closed after one to two of these. */
const letGoEveryMs = 5 * 60_000;

export interface ShelfChores {
  /** A module was swapped: opens what it serves now. */
  wake(): void;
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

/** Keeps the opened segments of a process that serves those that are served, until stopped; one round at a time. */
export function startShelfChores(ctx: Pick<Context, 'log'>, shelf: OpenShelf): ShelfChores {
  let isStopped = false;
  let isAskedAgain = false;
  let round: Promise<void> | undefined;
  const rounds = async () => {
    while (isAskedAgain && !isStopped) {
      isAskedAgain = false;
      await shelf
        .refresh()
        .catch((error: unknown) => ctx.log.error({ err: error }, 'segments that are served now could not be opened'));
    }
  };
  const wake = () => {
    if (isStopped) return;
    isAskedAgain = true;
    round ??= rounds().finally(() => {
      round = undefined;
    });
  };
  const timers = [setInterval(wake, refreshEveryMs), setInterval(() => shelf.letGoOfIdle(), letGoEveryMs)];
  for (const timer of timers) timer.unref();
  return {
    wake,
    async stop() {
      isStopped = true;
      for (const timer of timers) clearInterval(timer);
      await round;
    },
  };
}
