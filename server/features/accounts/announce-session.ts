import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Transaction } from '#server/platform/db/database.ts';

/** Tells the open pages of a person to read again who they are. Give it the transaction of the change. */
export function announceSession(bus: Pick<Bus, 'publish'>, userId: string): void {
  announceChange(bus, { collection: 'webSessions', audience: `user:${userId}` });
}

/** Tells the screens of operators to read the accounts and the log of the installation again. */
export async function announcePeople(tx: Transaction): Promise<void> {
  const operators = await tx.selectFrom('users').select('id').where('isOperator', '=', 1).execute();
  for (const { id: userId } of operators) {
    announceChange(tx, { collection: 'people', audience: `user:${userId}` });
  }
}
