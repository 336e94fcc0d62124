import { baselineTokens } from './limits.ts';

/** Tokens that calls saved: each search that found something counts at the baseline, and all that was sent is taken off. */
export function savedTokensOf(answeredSearches: number, tokensSent: number): number {
  return Math.max(0, answeredSearches * baselineTokens - tokensSent);
}
