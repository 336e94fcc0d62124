import { AppError } from '#server/app-error.ts';
import { askedTerms } from '#server/engine/index.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Database } from '#server/platform/db/database.ts';
import { type ClusterPlace, type SearchCluster, SearchClusterError } from '#server/platform/search-cluster/index.ts';
import { findReadyPlaces } from './cluster-store.ts';
import type { ReadableModule } from './shelf-types.ts';

/** What a search looks at in a segment: these pages (ascending), or all of them. */
export type PagesToSearch = Uint32Array | 'all';

/** Says what must be opened: for the person who cannot have everything open. Throws `search-cluster-away`. */
export interface PageFinder {
  /** By segment id, what of these modules may answer the question. A segment that is not named has nothing. */
  pagesFor(question: string, modules: readonly ReadableModule[]): Promise<ReadonlyMap<string, PagesToSearch>>;
  /** Those of the modules that may have the page with this address. */
  modulesWith(url: string, modules: readonly ReadableModule[]): Promise<ReadableModule[]>;
}

/** A segment stays where it is for as long as it is served; that it is written again elsewhere is seen after this. */
const placesKeptMs = 10_000;

/** Asks the search cluster. What is not in there yet is searched whole. */
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

/** Where the segments lie that can be found in the cluster. */
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
