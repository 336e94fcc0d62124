import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { createPageFinder, type LargeIndex } from '#server/features/library/index.ts';
import { startClusterChores } from '#server/jobs/cluster-chores.ts';
import { onChange } from '#server/platform/bus/announce-change.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { openSearchCluster, type SearchCluster, SearchClusterError } from '#server/platform/search-cluster/index.ts';

/** Faults of a search cluster that pass without a change of the configuration. */
const passing: ReadonlySet<string> = new Set(['unreachable', 'overloaded', 'full']);

/**
 * The search cluster, and how an index too large for one process is searched with it; nothing where none is configured. One
 * that cannot be used keeps a process from starting. One that does not answer does not: searches say so until it does.
 */
export async function wireCluster(
  config: Pick<Config, 'searchCluster' | 'openedBytesMax'>,
  { db, log, clock }: Pick<Context, 'db' | 'log' | 'clock'>,
): Promise<{ cluster: SearchCluster | undefined; large: LargeIndex | undefined }> {
  if (config.searchCluster === undefined) return { cluster: undefined, large: undefined };
  const cluster = await openSearchCluster(config.searchCluster);
  try {
    await cluster.prepare();
  } catch (error) {
    if (!(error instanceof SearchClusterError) || !passing.has(error.code)) {
      await cluster.close();
      throw error;
    }
    log.error({ err: error }, error.message);
  }
  const finder = createPageFinder({ db, cluster, clock });
  return { cluster, large: { finder, openedBytesMax: config.openedBytesMax } };
}

type Filling = Parameters<typeof startClusterChores>[1];

/** Keeps the cluster in step with what is served from the moment a module is swapped; nothing where there is none. */
export function startClusterWork(
  ctx: Context,
  { cluster, bus, ...parts }: Omit<Filling, 'cluster'> & { cluster: SearchCluster | undefined; bus: Bus },
): { stop(): Promise<void> } {
  if (cluster === undefined) return { stop: async () => undefined };
  const chores = startClusterChores(ctx, { ...parts, cluster });
  onChange(bus, ({ collection }) => {
    if (collection === 'modules') chores.wake();
  });
  return chores;
}
