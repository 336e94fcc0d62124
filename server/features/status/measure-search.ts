import { errorTable } from '#contract/errors.ts';
import { AppError } from '#server/app-error.ts';
import type { Search } from '#server/features/search/index.ts';
import type { LatencyCounts, LatencyKind } from './latency-counts.ts';

/**
 * The same search, with the time of each finished search and read counted. What a caller did wrong is no call; what we
 * did wrong is one that failed. Searches of words that are still being typed are not counted.
 */
export function measureSearch(search: Search, counts: LatencyCounts): Search {
  const timed = async <Answer>(kind: LatencyKind, work: () => Promise<Answer>): Promise<Answer> => {
    const startedAt = performance.now();
    try {
      const answer = await work();
      counts.record(kind, performance.now() - startedAt, false);
      return answer;
    } catch (error) {
      if (isOurs(error)) counts.record(kind, performance.now() - startedAt, true);
      throw error;
    }
  };
  return {
    ...search,
    searchDocs: (...args) => timed('search', () => search.searchDocs(...args)),
    tryPublicSearch: (...args) => timed('search', () => search.tryPublicSearch(...args)),
    readUrl: (...args) => timed('read', () => search.readUrl(...args)),
  };
}

function isOurs(error: unknown): boolean {
  return !(error instanceof AppError) || errorTable[error.code].status >= 500;
}
