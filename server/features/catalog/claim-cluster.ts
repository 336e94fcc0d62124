import type { Context } from '#server/context.ts';
import type { SearchCluster, SearchClusterConfig } from '#server/platform/search-cluster/index.ts';
import { type Claim, createClaim, createInstallationId, readInstallationId } from '#server/platform/store-claim.ts';
import { rewriteCluster } from './cluster-store.ts';

type Base = Pick<Context, 'db' | 'clock'>;

/** Throws SearchClusterError `other-installation` if the indexes belong to another installation. Read-only. */
export async function requireOwnCluster({ db }: Pick<Context, 'db'>, cluster: SearchCluster): Promise<void> {
  const [holder, id] = [await cluster.readHolder(), await readInstallationId(db)];
  if (holder === undefined || id === undefined || holder.installation === id) return;
  throw await refusal(
    `The indexes of the search cluster belong to installation ${holder.installation}, but this is installation ${id}. Set LECTERN_SEARCH_INDEX to a name that only this installation uses. If the other one no longer exists, delete its indexes.`,
  );
}

export function createClusterClaim(base: Base, cluster: SearchCluster): Claim {
  return createClaim(base, {
    name: 'cluster',
    readHolder: () => cluster.readHolder(),
    writeHolder: (holder) => cluster.writeHolder(holder),
  });
}

/**
 * Claims the indexes for this database, or confirms the claim. Returns false while the claim is uncertain. If another
 * copy of the database uses the indexes, they are not searched either: their contents do not match this database's
 * rows. Throws SearchClusterError `other-installation`.
 */
export async function claimCluster(
  { db }: Pick<Context, 'db'>,
  cluster: SearchCluster,
  claim: Claim,
): Promise<boolean> {
  await createInstallationId(db);
  await requireOwnCluster({ db }, cluster);
  const standing = await claim.renew();
  if (standing === 'unclaimed') await claim.take();
  if (standing !== 'other') return standing !== 'unsure';
  await rewriteCluster(db.query);
  throw await refusal(
    'Another copy of this database uses the search cluster, or this one was restored from a backup, so searches run without the cluster. If this is a copy, give it its own LECTERN_SEARCH_INDEX; otherwise stop the other one and run "lectern store adopt".',
  );
}

/** Claims the indexes for this database even if another copy of it holds them; all passages are then written again. */
export async function adoptCluster(base: Base, config: SearchClusterConfig): Promise<void> {
  const { openSearchCluster } = await import('#server/platform/search-cluster/index.ts');
  const cluster = await openSearchCluster(config);
  try {
    await cluster.prepare();
    const claim = createClusterClaim(base, cluster);
    await requireOwnCluster(base, cluster);
    if ((await claim.standing()) === 'other') await rewriteCluster(base.db.query);
    await claim.take();
  } finally {
    await cluster.close();
  }
}

// Imported lazily, to keep the module out of every search's imports.
async function refusal(message: string): Promise<Error> {
  const { SearchClusterError } = await import('#server/platform/search-cluster/index.ts');
  return new SearchClusterError('other-installation', message);
}
