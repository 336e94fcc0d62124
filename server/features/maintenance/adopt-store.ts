import { openBlobs } from '#server/platform/blobs/index.ts';
import { systemClock } from '#server/platform/clock.ts';
import type { Config } from '#server/platform/config/config.ts';
import { prepareDataFolder } from '#server/platform/data-folder.ts';
import { acquireDataFolderLock } from '#server/platform/data-folder-lock.ts';
import { openDatabase } from '#server/platform/db/open-database.ts';
import { adoptStore } from '#server/platform/store-claim.ts';

/**
 * Makes the configured file store the configured database's, no matter who had it before. No file that is there by now goes without the
 * operator's word. Returns the installation's id. Throws DataFolderError, DatabaseError or BlobError.
 */
export async function adoptConfiguredStore(config: Config): Promise<string> {
  const folder = await prepareDataFolder(config.dataFolder);
  const lock = await acquireDataFolderLock(folder.path, { purpose: '"lectern store adopt"' });
  try {
    const db = await openDatabase(config.database, () => undefined);
    try {
      return await adoptStore({ db, blobs: await openBlobs(config.blobs) }, systemClock.now());
    } finally {
      await db.close();
    }
  } finally {
    await lock.release();
  }
}
