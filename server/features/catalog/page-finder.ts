import { AppError } from '#server/app-error.ts';
import { askedTerms } from '#server/engine/index.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Database } from '#server/platform/db/database.ts';
import { type ClusterPlace, type SearchCluster, SearchClusterError } from '#server/platform/search-cluster/index.ts';
import { findReadyPlaces } from './cluster-store.ts';
import type { ReadableModule } from './shelf-types.ts';

/** The pages of a segment to search: these (ascending), or all. */
export type PagesToSearch = Uint32Array | 'all';

/** Narrows down the segments to open, for an index that does not fit in memory. Throws `search-cluster-away`. */
export interface PageFinder {
  /**
   * Returns the pages of these modules that may answer the question, by segment id. Segments without an entry have
   * none.
   */
  pagesFor(question: string, modules: readonly ReadableModule[]): Promise<ReadonlyMap<string, PagesToSearch>>;
  /** Returns the modules that may contain the page with this address. */
  modulesWith(url: string, modules: readonly ReadableModule[]): Promise<ReadableModule[]>;
}

/** A segment's location is fixed while it is served; after this time, a rewrite to another location is noticed. */
const placesKeptMs = 10_000;

/** Creates a finder that queries the search cluster. Segments that are not in the cluster yet are searched whole. */
export function createPageFinder({
  db,
  cluster,
  clock,
}: {
  db: Database;
  cluster: SearchCluster;
  clock: Clock;
}): PageFinder {
  const places = knownPlaces(db, clock);
  return {
    async pagesFor(question, modules) {
      const segmentIds = modules.flatMap((module) => module.segmentIds);
      const known = await places(segmentIds);
      const found = await asked(cluster.find(askedTerms(question), [...known.values()]));
      const pages = new Map<string, PagesToSearch>();
      for (const id of segmentIds) if (!known.has(id)) pages.set(id, 'all');
      for (const [id, ofSegment] of Map.groupBy(found, ({ segmentId }) => segmentId)) {
        pages.set(id, Uint32Array.from(new Set(ofSegment.map(({ page }) => page))).sort());
      }
      return pages;
    },
    async modulesWith(url, modules) {
      const known = await places(modules.flatMap((module) => module.segmentIds));
      const having = new Set(await asked(cluster.segmentsWith(url, [...known.values()])));
      return modules.filter(({ segmentIds }) => segmentIds.some((id) => !known.has(id) || having.has(id)));
    },
  };
}

/** Returns a cached lookup of segments' locations in the cluster. */
function knownPlaces(db: Database, clock: Clock) {
  let kept = new Map<string, ClusterPlace>();
  let keptUntil = 0;
  return async (segmentIds: string[]): Promise<Map<string, ClusterPlace>> => {
    const now = clock.elapsed();
    if (now >= keptUntil) {
      kept = new Map();
      keptUntil = now + placesKeptMs;
    }
    const unknown = segmentIds.filter((id) => !kept.has(id));
    for (const place of await findReadyPlaces(db.query, unknown)) kept.set(place.segmentId, place);
    return new Map(segmentIds.flatMap((id) => (kept.has(id) ? [[id, kept.get(id) as ClusterPlace]] : [])));
  };
}

async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof SearchClusterError)) throw error;
    throw new AppError('search-cluster-away', { cause: error, detail: error.message });
  }
}
