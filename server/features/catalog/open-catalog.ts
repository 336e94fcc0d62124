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
/** Search cluster errors that can resolve without a configuration change. */
const passing: ReadonlySet<string> = new Set(['unreachable', 'overloaded', 'full']);

/** Opens the catalog: modules and their access rights, opened segments and, if configured, the search cluster. */
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
 * Opens the search cluster. A misconfigured cluster prevents the process from starting. An unreachable one does not:
 * searches report it until it responds.
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

/** Returns the jobs that keep a server process's open segments in step with the served ones. */
function shelfJobs(shelf: OpenShelf, wakeOn: (wake: () => void) => void): ScheduledJob[] {
  return [
    { name: 'open served segments', where: 'server', everyMs: minuteMs, wakeOn, run: () => shelf.refresh() },
    {
      name: 'close idle private modules',
      where: 'server',
      // An idle module is closed after one to two intervals.
      everyMs: 5 * minuteMs,
      run: async () => shelf.letGoOfIdle(),
    },
  ];
}
