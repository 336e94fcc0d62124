import type { Context } from '#server/context.ts';
import { adoptCluster } from '#server/features/catalog/index.ts';
import { listLibraryKeys } from '#server/features/indexing/index.ts';
import { listPdfKeys } from '#server/features/pdf-sets/index.ts';
import { BlobError, type Blobs } from '#server/platform/blobs/blobs.ts';
import { openBlobs } from '#server/platform/blobs/index.ts';
import { takeFromTrash } from '#server/platform/blobs/trash.ts';
import { systemClock } from '#server/platform/clock.ts';
import type { Config } from '#server/platform/config/config.ts';
import { prepareDataFolder } from '#server/platform/data-folder.ts';
import { acquireDataFolderLock } from '#server/platform/data-folder-lock.ts';
import { openDatabase } from '#server/platform/db/open-database.ts';
import { createLogger } from '#server/platform/log.ts';
import {
  adoptStore,
  type Claim,
  createClaim,
  createInstallationId,
  requireArrived,
  requireOwnStore,
  storeClaimable,
} from '#server/platform/store-claim.ts';

type Base = Pick<Context, 'db' | 'clock' | 'log'>;

const sharedStoreAdvice =
  'Another copy of this database uses the file store, or this one was restored from a backup or lost its last minute in a failover, so nothing is deleted from the store. If this is a copy, give it its own store with "lectern move"; otherwise stop the other one and run "lectern store adopt".';
const unsureAdvice =
  'This database has not used the file store from here before: it was moved or is a copy. Nothing is deleted until it has run for two minutes without another copy using the store.';

/** Throws BlobError `foreign` unless the files belong to the rows. Read-only. */
export async function requireStoreOf(ctx: Base, blobs: Blobs): Promise<void> {
  await goOnWithout(ctx, () => requireOwnStore({ db: ctx.db, blobs }, () => listNeededKeys(ctx)));
}

/**
 * Verifies, before any other use of the files, that they belong to the rows, and marks a store that this database
 * holds. Files that the rows of an older database refer to are restored from the trash. Throws BlobError `foreign`.
 */
export async function settleStore(ctx: Base, { blobs, claim }: { blobs: Blobs; claim: Claim }): Promise<void> {
  await goOnWithout(ctx, async () => {
    await requireOwnStore({ db: ctx.db, blobs }, () => listNeededKeys(ctx));
    const standing = await claim.standing();
    if (standing === 'unclaimed' || standing === 'own') return claim.take();
    if (standing === 'other') ctx.log.error({}, sharedStoreAdvice);
    else ctx.log.warn({}, unsureAdvice);
    await takeBackNamed(ctx, blobs);
  });
}

/** Throws BlobError `foreign` while another database may use the store too. Read-only. */
export async function requireOwn(claim: Pick<Claim, 'standing'>): Promise<void> {
  const standing = await claim.standing();
  if (standing === 'own') return;
  throw new BlobError('foreign', standing === 'other' ? sharedStoreAdvice : unsureAdvice);
}

/**
 * Renews the store's mark. If this database does not hold the store, acts as at the start: the store may have been
 * unreachable then, or the rows may be older now.
 */
export async function renewStoreClaim(ctx: Base, { blobs, claim }: { blobs: Blobs; claim: Claim }): Promise<void> {
  const standing = await claim.renew();
  if (standing === 'unclaimed' || standing === 'other') await settleStore(ctx, { blobs, claim });
}

/** Restores files that rows refer to from the trash. */
export async function takeBackNamed(ctx: Pick<Base, 'db' | 'log'>, blobs: Blobs): Promise<void> {
  await takeFromTrash({ blobs, log: ctx.log }, await listNamedKeys(ctx));
}

/** Runs the work, but tolerates an unreachable or full store, since reads still work as far as possible. */
async function goOnWithout(ctx: Base, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof BlobError) || !['unreachable', 'disk-full', 'not-writable'].includes(error.code))
      throw error;
    ctx.log.error(
      { err: error },
      'the file store could not be checked; nothing is deleted from a store that was not used before',
    );
  }
}

async function listNeededKeys(ctx: Base): Promise<string[]> {
  return (await listNamedKeys(ctx)).filter((key) => !isOptional(key));
}

/** Returns the keys of all blobs that rows refer to. */
export async function listNamedKeys(ctx: Pick<Context, 'db'>): Promise<string[]> {
  return [...(await listLibraryKeys(ctx)), ...(await listPdfKeys(ctx))];
}

/** Returns true for crawl records, which a module can do without. */
export function isOptional(key: string): boolean {
  return key.startsWith('crawls/');
}

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
