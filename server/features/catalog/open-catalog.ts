import { onChange } from '#server/platform/bus/announce-change.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import { openSearchCluster, type SearchCluster, SearchClusterError } from '#server/platform/search-cluster/index.ts';
import { feature } from '../feature.ts';
import type { ScheduledJob } from '../scheduled-jobs.ts';
import { createClusterClaim, requireOwnCluster } from './claim-cluster.ts';
import { fillCluster } from './fill-cluster.ts';
import { createPageFinder } from './page-finder.ts';
import { OpenShelf } from './shelf.ts';

export type Catalog = Awaited<ReturnType<typeof openCatalog>>;

const minuteMs = 60_000;
/** Faults of a search cluster that pass without a change of the configuration. */
const passing: ReadonlySet<string> = new Set(['unreachable', 'overloaded', 'full']);

/** What is indexed and who may read it: modules, their opened segments and, where one is configured, the search cluster. */
export async function openCatalog(platform: Platform) {
  const { config, db, clock, blobs, bus, scope } = platform;
  const wakeOn = (wake: () => void) => {
    onChange(bus, ({ collection }) => {
      if (collection === 'modules') wake();
    });
    bus.onGap(wake);
  };
  const cluster = await openCluster(platform);
  const large = cluster && {
    finder: createPageFinder({ db, cluster, clock }),
    openedBytesMax: config.openedBytesMax,
  };
  const shelf = new OpenShelf({ db, blobs, large });
  scope.defer(() => shelf.close());
  const claim = cluster && createClusterClaim({ db, clock }, cluster);
  const clusterJob: ScheduledJob | undefined = cluster &&
    claim && {
      name: 'fill the search cluster',
      where: 'worker',
      everyMs: minuteMs,
      wakeOn,
      run: (ctx, signal) => fillCluster(ctx, { blobs, cluster, claim }, signal),
    };
  return feature({
    name: 'catalog',
    verbs: { shelf, cluster: cluster && claim && { cluster, claim } },
    scheduledJobs: [...shelfJobs(shelf, wakeOn), ...(clusterJob === undefined ? [] : [clusterJob])],
  });
}

/**
 * Opens the search cluster. One that cannot be used keeps the process from starting. One that does not respond does not: searches
 * report it until it does.
 */
async function openCluster({ config, db, log, scope }: Platform): Promise<SearchCluster | undefined> {
  if (config.searchCluster === undefined) return undefined;
  const cluster = await openSearchCluster(config.searchCluster);
  scope.defer(() => cluster.close());
  try {
    await cluster.prepare();
    await requireOwnCluster({ db }, cluster);
  } catch (error) {
    if (!(error instanceof SearchClusterError) || !passing.has(error.code)) throw error;
    log.error({ err: error }, error.message);
  }
  return cluster;
}

/** Keeps the segments that a serving process has open in step with those that are served. */
function shelfJobs(shelf: OpenShelf, wakeOn: (wake: () => void) => void): ScheduledJob[] {
  return [
    { name: 'open served segments', where: 'server', everyMs: minuteMs, wakeOn, run: () => shelf.refresh() },
    {
      name: 'close idle private modules',
      where: 'server',
      // One that is not searched is closed after one to two of these.
      everyMs: 5 * minuteMs,
      run: async () => shelf.letGoOfIdle(),
    },
  ];
}
