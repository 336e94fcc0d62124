import { repositoryKeyOf } from '#server/features/catalog/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { makeDue } from './store.ts';

/** On the bus: repositories wait to be looked at. */
export const pushedTopic = 'repository-pushed';

/** `ref` is the full name of what was pushed, such as `refs/heads/main`; left out, every branch counts. */
export interface Push {
  urls: readonly string[];
  ref?: string | undefined;
}

/**
 * Has the repositories at one of these addresses looked at within a second, in whichever process does that; called by the one that
 * has heard of a push. It is a hint and no more: who sends it cannot make anything be indexed that is not there. In the
 * transaction that notes the delivery, so that a noted delivery was always passed on. Returns the ids of their modules.
 */
export async function repositoryPushed(tx: Transaction, { urls, ref }: Push): Promise<string[]> {
  const keys = [...new Set(urls.map(repositoryKeyOf))];
  if (keys.length === 0) return [];
  const refName = /^refs\/(?:heads|tags)\/(.+)$/.exec(ref ?? '')?.[1];
  const due = await makeDue(tx, { keys, refName });
  if (due.length > 0) tx.publish(pushedTopic, '');
  return due;
}
