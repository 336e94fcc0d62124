import type { Context } from '#server/context.ts';
import { repositoryKeyOf } from '#server/features/library/index.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { makeDue } from './store.ts';

/** On the bus: repositories wait to be looked at. */
export const pushedTopic = 'repository-pushed';

/**
 * Has the repositories at one of these addresses looked at within a second, in whichever process does that; told by whoever
 * has heard of a push. `ref` is the full name of what was pushed, such as `refs/heads/main`; left out, every branch counts. It is a
 * hint and no more: who sends it cannot make anything be indexed that is not there. Answers how many repositories that are.
 */
export async function repositoryPushed(
  ctx: Pick<Context, 'db'>,
  push: { urls: readonly string[]; ref?: string },
  { bus }: { bus: Pick<Bus, 'publish'> },
): Promise<number> {
  const keys = [...new Set(push.urls.map(repositoryKeyOf))];
  if (keys.length === 0) return 0;
  const refName = /^refs\/(?:heads|tags)\/(.+)$/.exec(push.ref ?? '')?.[1];
  const count = await makeDue(ctx.db.query, { keys, refName });
  if (count > 0) bus.publish(pushedTopic, '');
  return count;
}
