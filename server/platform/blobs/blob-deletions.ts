import type { Database, Transaction } from '../db/database.ts';
import type { Logger } from '../log.ts';
import type { Blobs } from './blobs.ts';
import { deleteForGood } from './trash.ts';

/**
 * Records, in the transaction that stops using them, the blobs to delete: those with one of these keys, and those whose
 * keys begin with an entry that ends in a slash. If the deletion is interrupted, `deleteGivenUp` finishes it.
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

/**
 * Deletes the recorded blobs, including those in the trash: all, or only those with these prefixes. Blobs that must
 * stay for now are deleted later. Safe in several processes at once.
 */
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
