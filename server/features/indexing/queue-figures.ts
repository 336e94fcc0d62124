import type { Context } from '#server/context.ts';
import { queueFigures } from './job-store.ts';

/** How many runs wait and go on, of all workspaces together, and since when the oldest waits. */
export async function getQueueFigures(
  ctx: Pick<Context, 'db' | 'clock'>,
): Promise<{ waiting: number; running: number; oldestWaitingSince: number | null }> {
  return queueFigures(ctx.db.query, ctx.clock.now());
}
