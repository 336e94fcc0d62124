import type { Collection } from '#contract/live.ts';
import type { Workspace } from '../db/schema.ts';
import type { Bus } from './bus.ts';

const topic = 'changes';

export interface Change {
  /** What changed, by the names in `contract/live.ts`. */
  collection: Collection;
  /** Who hears of it: everyone, one user, or the members of a team. */
  audience: Workspace;
  /** The row as its query answers it; everyone in the audience must be allowed to see it. */
  row?: unknown;
}

/**
 * Tells every open page and stream in the audience that a collection changed. Give it the transaction (`tx`) that makes
 * the change: the word goes out when it has committed, and not when it fails. Outside of one, give it the bus or `ctx.db`.
 */
export function announceChange(bus: Pick<Bus, 'publish'>, change: Change): void {
  bus.publish(topic, JSON.stringify(change));
}

/** Hears every announced change; answers the way to stop. */
export function onChange(bus: Pick<Bus, 'subscribe'>, listener: (change: Change) => void): () => void {
  return bus.subscribe(topic, (payload) => listener(JSON.parse(payload) as Change));
}
