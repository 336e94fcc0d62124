import type { Clock } from '#server/platform/clock.ts';
import type { Database } from '#server/platform/db/database.ts';
import { insertLocalOwner, localOwnerId } from './store.ts';

/** Makes the account of the person who runs this installation when there is none; answers its id. */
export async function ensureLocalOwner(db: Database, clock: Clock): Promise<string> {
  await insertLocalOwner(db.query, clock.now());
  return localOwnerId;
}
