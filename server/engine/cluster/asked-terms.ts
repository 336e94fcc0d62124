import { analyzeQuery } from '../analysis/analyze-query.ts';
import { factorsIn, synonymsOf } from '../search/concepts.ts';
import { defaultWeights } from '../search/weights.ts';

export interface AskedTerm {
  term: string;
  weight: number;
}

/**
 * What a search cluster is asked for: the terms of the question with their synonyms, weighed as the engine weighs them.
 * Function words count in short questions only.
 */
export function askedTerms(question: string, names: readonly string[] = []): AskedTerm[] {
  const query = analyzeQuery(question, names);
  const factors = factorsIn(query, defaultWeights);
  const synonyms = synonymsOf(query);
  const weights = new Map<string, number>();
  const add = (term: string, weight: number): void => {
    if (weight > 0) weights.set(term, Math.max(weights.get(term) ?? 0, weight));
  };
  for (const { term, kind, share: ownShare } of query.terms) {
    const factor = factors[kind] * ownShare;
    add(term, factor);
    for (const [other, share] of synonyms.get(term) ?? []) add(other, factor * share * defaultWeights.synonym);
  }
  return [...weights].map(([term, weight]) => ({ term: term.toWellFormed(), weight }));
}
