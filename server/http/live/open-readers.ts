import { rateLimited } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { networkOf } from '#server/features/accounts/index.ts';

/** A browser needs one for all its tabs. */
const openOfAccountMax = 100;
const openOfNetworkMax = 200;
const tryAgainSeconds = 10;

/** Counts the streams and waiting polls of each account, and those of each network's visitors. */
export class OpenReaders {
  readonly #open = new Map<string, number>();

  /** Returns how the reader leaves, to be called once. Throws `rate-limited` when too many are open. */
  enter({ actor, address = '' }: Pick<Context, 'actor' | 'address'>): () => void {
    const isVisitor = actor.kind === 'anonymous';
    const who = isVisitor ? `network:${networkOf(address)}` : `account:${actor.userId}`;
    const open = this.#open.get(who) ?? 0;
    if (open >= (isVisitor ? openOfNetworkMax : openOfAccountMax)) {
      throw rateLimited(tryAgainSeconds);
    }
    this.#open.set(who, open + 1);
    return () => {
      const left = (this.#open.get(who) ?? 1) - 1;
      if (left === 0) this.#open.delete(who);
      else this.#open.set(who, left);
    };
  }
}
