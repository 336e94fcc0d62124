import { errorTable } from '#contract/errors.ts';
import { AppError } from '#server/app-error.ts';
import type { Search } from './search.ts';

export interface AnsweredCall {
  kind: 'search' | 'read';
  tookMs: number;
  /** True if the call failed with an internal error. */
  isError: boolean;
}

/**
 * Returns the search, extended to announce each search and read when it finishes. Calls that failed through the
 * caller's mistake and searches while typing are not announced.
 */
export function announceAnswers(search: Search, answered: (call: AnsweredCall) => Promise<void>): Search {
  const timed = async <Answer>(kind: AnsweredCall['kind'], work: () => Promise<Answer>): Promise<Answer> => {
    const startedAt = performance.now();
    try {
      const answer = await work();
      await answered({ kind, tookMs: performance.now() - startedAt, isError: false });
      return answer;
    } catch (error) {
      if (isOurs(error)) await answered({ kind, tookMs: performance.now() - startedAt, isError: true });
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
