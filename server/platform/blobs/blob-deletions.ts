import type { Database, Transaction } from '../db/database.ts';
import type { Logger } from '../log.ts';
import type { Blobs } from './blobs.ts';
import { deleteForGood } from './trash.ts';

/**
 * Writes down, in the transaction that gives them up, which blobs must be deleted: those with one of these keys, and those
 * whose keys begin with one that ends in a slash. What follows may be cut off: `deleteGivenUp` finishes it.
 */
export async function giveUpBlobs(tx: Transaction, prefixes: readonly string[], now: number): Promise<void> {
  for (const prefix of prefixes) {
    await tx
      .insertInto('blobDeletions')
      .values({ prefix, createdAt: now })
      .onConflict((conflict) => conflict.column('prefix').doNothing())
      .execute();
  }
}

/** Deletes the blobs that were given up, those in the trash too: of all, or of these prefixes. What must stay is deleted later. Safe in several processes at once. */
export async function deleteGivenUp(
  { db, blobs, log }: { db: Pick<Database, 'query'>; blobs: Blobs; log: Logger },
  only?: readonly string[],
): Promise<void> {
  const rows = await db.query.selectFrom('blobDeletions').select('prefix').orderBy('createdAt').execute();
  for (const { prefix } of rows) {
    if (only !== undefined && !only.includes(prefix)) continue;
    if (!(await deleteForGood({ blobs, log }, prefix, 'what it belonged to was removed'))) return;
    await db.query.deleteFrom('blobDeletions').where('prefix', '=', prefix).execute();
  }
}
