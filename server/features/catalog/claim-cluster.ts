import { randomUUID } from 'node:crypto';
import type { Context } from '#server/context.ts';
import type { SearchCluster } from '#server/platform/search-cluster/index.ts';
import { addMark, createInstallationId, isKnownMark, readInstallationId } from '#server/platform/store-claim.ts';
import { rewriteCluster } from './cluster-store.ts';

type Base = Pick<Context, 'db' | 'clock' | 'log'>;

const markPrefix = 'cluster-mark:';

/** Throws SearchClusterError `other-installation` if the indexes belong to another one. Changes nothing. */
export async function requireOwnCluster({ db }: Pick<Context, 'db'>, cluster: SearchCluster): Promise<void> {
  const [holder, id] = [await cluster.readHolder(), await readInstallationId(db)];
  if (holder === undefined || id === undefined || holder.installation === id) return;
  // Not among the files of each search.
  const { SearchClusterError } = await import('#server/platform/search-cluster/index.ts');
  throw new SearchClusterError(
    'other-installation',
    `The indexes of the search cluster belong to installation ${holder.installation}, and this is installation ${id}. Give this one a name of its own in LECTERN_SEARCH_INDEX; if the other is gone, delete its indexes.`,
  );
}

/**
 * Makes the indexes this installation's, or finds that they are. Where passages were removed from them without this database knowing,
 * because it was put back from a backup or a copy of it uses the same indexes, all are written again.
 * Throws SearchClusterError `other-installation`.
 */
export async function claimCluster(ctx: Base, cluster: SearchCluster): Promise<void> {
  await createInstallationId(ctx.db);
  await requireOwnCluster(ctx, cluster);
  const holder = await cluster.readHolder();
  if (holder === undefined) return markCluster(ctx, cluster);
  if (await isKnownMark(ctx.db, markPrefix, holder.mark)) return;
  ctx.log.warn(
    {},
    'the search cluster was changed by another database, as after the restore of a backup: all passages are written to it again; if an installation is a copy of this one, give it a LECTERN_SEARCH_INDEX of its own',
  );
  await rewriteCluster(ctx.db.query);
  // Both databases know it from now on, so that they don't take turns to write everything.
  await addMark(ctx.db, markPrefix, { mark: holder.mark, now: ctx.clock.now() });
}

/** Has other databases that use these indexes notice that passages are removed. Comes before the first is. */
export async function markCluster({ db, clock }: Base, cluster: SearchCluster): Promise<void> {
  const mark = randomUUID();
  // The database first: a mark that only the cluster had would be another database's.
  await addMark(db, markPrefix, { mark, now: clock.now() });
  await cluster.writeHolder({ installation: await createInstallationId(db), mark });
}
