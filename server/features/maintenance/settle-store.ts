import type { Context } from '#server/context.ts';
import { listLibraryKeys } from '#server/features/indexing/index.ts';
import { listPdfKeys } from '#server/features/pdf-sets/index.ts';
import { BlobError, type Blobs } from '#server/platform/blobs/blobs.ts';
import { takeFromTrash } from '#server/platform/blobs/trash.ts';
import { type Claim, requireOwnStore } from '#server/platform/store-claim.ts';

type Base = Pick<Context, 'db' | 'clock' | 'log'>;

const sharedStoreAdvice =
  'Another copy of this database works on the file store, or this one was put back from a backup or lost its last minute in a failover, so nothing is deleted from the store. If this is a copy, give it a store of its own with "lectern move"; otherwise stop the other and run "lectern store adopt".';
const unsureAdvice =
  'The file store was not used by this database in this place: it was moved or is a copy. Nothing is deleted until it has run for two minutes in which no other worked on the store.';

/** Throws BlobError `foreign` unless the files belong to the rows; changes nothing. */
export async function requireStoreOf(ctx: Base, blobs: Blobs): Promise<void> {
  await goOnWithout(ctx, () => requireOwnStore({ db: ctx.db, blobs }, () => listNeededKeys(ctx)));
}

/**
 * Before anything else is done with the files: makes sure that they belong to the rows, and marks a store that is this database's.
 * Files that the rows of an older database name are taken back from the trash. Throws BlobError `foreign`.
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

/** Throws BlobError `foreign` while another database may use the store, too. Changes nothing. */
export async function requireOwn(claim: Pick<Claim, 'standing'>): Promise<void> {
  const standing = await claim.standing();
  if (standing === 'own') return;
  throw new BlobError('foreign', standing === 'other' ? sharedStoreAdvice : unsureAdvice);
}

/** Marks the store again. Where it is not this database's, does as the start: it may have been away then, or the rows are older since. */
export async function renewStoreClaim(ctx: Base, { blobs, claim }: { blobs: Blobs; claim: Claim }): Promise<void> {
  const standing = await claim.renew();
  if (standing === 'unclaimed' || standing === 'other') await settleStore(ctx, { blobs, claim });
}

/** Takes files that rows name back from the trash. */
export async function takeBackNamed(ctx: Pick<Base, 'db' | 'log'>, blobs: Blobs): Promise<void> {
  await takeFromTrash({ blobs, log: ctx.log }, await listNamedKeys(ctx));
}

/** A store that is away or full is answered from as far as possible. */
async function goOnWithout(ctx: Base, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof BlobError) || !['unreachable', 'disk-full', 'not-writable'].includes(error.code))
      throw error;
    ctx.log.error(
      { err: error },
      'the file store could not be looked at; nothing is deleted from one that was not used before',
    );
  }
}

async function listNeededKeys(ctx: Base): Promise<string[]> {
  return (await listNamedKeys(ctx)).filter((key) => !isOptional(key));
}

/** Returns the key of every blob that a row names. */
export async function listNamedKeys(ctx: Pick<Context, 'db'>): Promise<string[]> {
  return [...(await listLibraryKeys(ctx)), ...(await listPdfKeys(ctx))];
}

/** Returns true for what a crawl left for the next one; a module may be without. */
export function isOptional(key: string): boolean {
  return key.startsWith('crawls/');
}
