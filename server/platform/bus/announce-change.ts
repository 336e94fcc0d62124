import type { Collection } from '#contract/live.ts';
import type { Workspace } from '../db/schema.ts';
import type { Bus } from './bus.ts';

const topic = 'changes';

export interface Change {
  /** The changed collection, under its name in `contract/live.ts`. */
  collection: Collection;
  /** The recipients: everyone, one user, or the members of a team. */
  audience: Workspace;
  /** The row as its query returns it; everyone in the audience must be allowed to see it. */
  row?: unknown;
}

/**
 * Announces a changed collection to all open pages and streams in the audience. Pass the transaction (`tx`) that makes
 * the change: the message is sent after its commit, and not after a rollback. Outside a transaction, pass the bus or
 * `ctx.db`.
 */
export function announceChange(bus: Pick<Bus, 'publish'>, change: Change): void {
  bus.publish(topic, JSON.stringify(change));
}

/** Calls `listener` for every announced change; returns the function that unsubscribes. */
export function onChange(bus: Pick<Bus, 'subscribe'>, listener: (change: Change) => void): () => void {
  return bus.subscribe(topic, (payload) => listener(JSON.parse(payload) as Change));
}
