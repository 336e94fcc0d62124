import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Transaction } from '#server/platform/db/database.ts';

/** Makes a user's open pages reload the session. Pass the transaction of the change. */
export function announceSession(bus: Pick<Bus, 'publish'>, userId: string): void {
  announceChange(bus, { collection: 'webSessions', audience: `user:${userId}` });
}

/** Makes operators' screens reload the accounts and the installation's audit log. */
export async function announcePeople(tx: Transaction): Promise<void> {
  const operators = await tx.selectFrom('users').select('id').where('isOperator', '=', 1).execute();
  for (const { id: userId } of operators) {
    announceChange(tx, { collection: 'people', audience: `user:${userId}` });
  }
}
