import type { Context } from '#server/context.ts';
import { rewriteCluster } from '#server/features/catalog/index.ts';
import { BlobError, type Blobs } from '#server/platform/blobs/index.ts';
import { takeFromTrash } from '#server/platform/blobs/trash.ts';
import { claimStore, requireOwnStore } from '#server/platform/store-claim.ts';
import { listNamedKeys } from './named-blobs.ts';

type Base = Pick<Context, 'db' | 'clock' | 'log'>;

/** Throws BlobError `foreign` unless the files belong to the rows; changes nothing. */
export async function requireStoreOf(ctx: Base, blobs: Blobs): Promise<void> {
  await requireOwnStore({ db: ctx.db, blobs }, () => knowsFiles(ctx, blobs)).catch((error: unknown) =>
    goOnWithout(ctx, error),
  );
}

/**
 * Before anything else is done with the files: makes sure that they belong to the rows. Where the database was put back from a backup,
 * files that it names are taken back from the trash. Returns the installation's id. Throws BlobError `foreign`.
 */
export async function settleStore(ctx: Base, blobs: Blobs): Promise<{ id: string; isRestored: boolean }> {
  const now = ctx.clock.now();
  const claiming = claimStore({ db: ctx.db, blobs }, { now, knowsFiles: () => knowsFiles(ctx, blobs) });
  const claimed = await claiming.catch((error: unknown) => goOnWithout(ctx, error));
  if (!claimed.isRestored) return claimed;
  await rewriteCluster(ctx.db.query);
  const restored = await takeFromTrash({ blobs, log: ctx.log }, await listNamedKeys(ctx));
  ctx.log.warn(
    { takenBack: restored.length },
    'the database is older than the file store, as after the restore of a backup: files that it does not know are kept; see "lectern store sweep"',
  );
  return claimed;
}

/** A store that is away or full is answered from as far as possible, and nothing is deleted from it until the next start. */
function goOnWithout(ctx: Base, error: unknown): { id: string; isRestored: boolean } {
  if (!(error instanceof BlobError) || !['unreachable', 'disk-full', 'not-writable'].includes(error.code)) throw error;
  ctx.log.error(
    { err: error },
    'the file store could not be claimed, so nothing is deleted from it until the next start',
  );
  return { id: '', isRestored: false };
}

/** Returns true if at least one file in the store is named by a row. */
async function knowsFiles(ctx: Base, blobs: Blobs): Promise<boolean> {
  for (const key of await listNamedKeys(ctx)) if (await blobs.exists(key)) return true;
  return false;
}
