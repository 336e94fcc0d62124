import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Bus } from '#server/platform/bus/bus.ts';

/** Tells the open pages of a person to read again who they are. Give it the transaction of the change. */
export function announceSession(bus: Pick<Bus, 'publish'>, userId: string): void {
  announceChange(bus, { collection: 'webSessions', audience: `user:${userId}` });
}
