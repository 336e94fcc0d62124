import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';

export interface ParsedQuery {
  /** What is searched for, without the source words. */
  text: string;
  /** Which modules may answer: both unless the query says otherwise. */
  visibility: 'any' | 'private' | 'public';
}

const sourceWord = /(^|\s)(?:ref_src|source)\s*[=:]\s*(private|public)(?=\s|$)/gi;

/**
 * Takes `ref_src=private`, `source=private` and `source:private` (and the same with `public`) out of a query.
 * Throws `query-empty` when nothing is left and `query-too-long` over the limit.
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

/** A caller's budget within what is allowed, or the default when there is none. */
export function budgetOf(asked: number | undefined, byDefault: number): number {
  if (asked === undefined || !Number.isFinite(asked)) return byDefault;
  return Math.min(limits.budgetTokensMax, Math.max(limits.budgetTokensMin, Math.floor(asked)));
}
