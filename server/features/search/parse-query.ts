import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';

export interface ParsedQuery {
  /** The search text, without source filters. */
  text: string;
  /** Which modules to search: both kinds unless the query restricts it. */
  visibility: 'any' | 'private' | 'public';
}

const sourceWord = /(^|\s)(?:ref_src|source)\s*[=:]\s*(private|public)(?=\s|$)/gi;

/**
 * Removes `ref_src=private`, `source=private` and `source:private` (and the same with `public`) from a query. Throws
 * `query-empty` if nothing is left and `query-too-long` over the limit.
 */
export function parseQuery(query: string): ParsedQuery {
  if (query.length > limits.queryCharactersMax) {
    throw new AppError('query-too-long', {
      values: { length: query.length, limit: limits.queryCharactersMax },
    });
  }
  let visibility: ParsedQuery['visibility'] = 'any';
  const text = query
    .replace(sourceWord, (_, before: string, word: string) => {
      visibility = word.toLowerCase() === 'private' ? 'private' : 'public';
      return before;
    })
    .replace(/\s+/g, ' ')
    .trim();
  if (!/[\p{L}\p{N}\p{S}\p{P}]/u.test(text)) throw new AppError('query-empty');
  return { text, visibility };
}

/** Returns the caller's budget within the allowed range, or the default if there is none. */
export function budgetOf(asked: number | undefined, byDefault: number): number {
  if (asked === undefined || !Number.isFinite(asked)) return byDefault;
  return Math.min(limits.budgetTokensMax, Math.max(limits.budgetTokensMin, Math.floor(asked)));
}
