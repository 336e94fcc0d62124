import { adoptCluster } from '#server/features/catalog/index.ts';
import { openBlobs } from '#server/platform/blobs/index.ts';
import { systemClock } from '#server/platform/clock.ts';
import type { Config } from '#server/platform/config/config.ts';
import { prepareDataFolder } from '#server/platform/data-folder.ts';
import { acquireDataFolderLock } from '#server/platform/data-folder-lock.ts';
import { openDatabase } from '#server/platform/db/open-database.ts';
import { createLogger } from '#server/platform/log.ts';
import {
  adoptStore,
  createClaim,
  createInstallationId,
  requireArrived,
  storeClaimable,
} from '#server/platform/store-claim.ts';
import { takeBackNamed } from './settle-store.ts';

/**
 * Claims the configured file store, and search cluster, for the configured database, no matter which database held them
 * before. Existing files are not deleted unless the operator says so. Returns the installation's id. Throws
 * DataFolderError, DatabaseError or BlobError.
 */
export async function adoptConfiguredStore(config: Config): Promise<string> {
  const folder = await prepareDataFolder(config.dataFolder);
  const lock = await acquireDataFolderLock(folder.path, { purpose: '"lectern store adopt"' });
  try {
    const db = await openDatabase(config.database, () => undefined);
    try {
      const [blobs, base] = [
        await openBlobs(config.blobs),
        { db, clock: systemClock, log: createLogger(config.logLevel) },
      ];
      await requireArrived(blobs);
      if (config.searchCluster !== undefined) await adoptCluster(base, config.searchCluster);
      await adoptStore(db, createClaim(base, storeClaimable(blobs, config.blobs)), blobs, systemClock.now());
      await takeBackNamed(base, blobs);
      return await createInstallationId(db);
    } finally {
      await db.close();
    }
  } finally {
    await lock.release();
  }
}
