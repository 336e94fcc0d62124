import { baselineTokens } from './limits.ts';

/** Returns the tokens saved: the baseline for each search with results, minus all tokens sent. */
export function savedTokensOf(answeredSearches: number, tokensSent: number): number {
  return Math.max(0, answeredSearches * baselineTokens - tokensSent);
}
