import { foldText } from './fold.ts';
import { sharesInLongText, type TermPlace } from './long-text.ts';
import { scanTerms } from './scan.ts';
import { isFillerTerm, isStopTerm } from './stop-words.ts';

/** How a term entered the query; the ranking gives each kind its own weight. */
export type QueryTermKind = 'word' | 'filler' | 'stop' | 'whole' | 'part' | 'name';

export interface QueryTerm {
  term: string;
  kind: QueryTermKind;
  /**
   * Factor on the weight of the term's kind: 1, except in long texts, where it depends on the term's surroundings and
   * frequency.
   */
  share: number;
}

export interface AnalyzedQuery {
  /** Each term once, in the order of first appearance. */
  terms: QueryTerm[];
  /** Words and name parts in reading order, with repeats. */
  sequence: string[];
}

/** Text beyond this length is ignored: a longer query is a pasted file. */
export const queryCharactersMax = 6_000;
/** Most terms looked up for one query. */
export const queryTermsMax = 96;

const qualified = /(?<![\p{L}\p{N}_])((?:\p{Ll}[\p{L}\p{N}_]*(?:\.|::)){2,20})(?=\p{Lu})/gu;

/**
 * Returns the terms of a question, analyzed exactly as documents are, each with its kind: a whole name, a name part, a
 * plain word, or a word that only frames a question. `names` are stretches of the query that only say which library is
 * meant; packages before a class count as `names` too.
 */
export function analyzeQuery(query: string, names: readonly string[] = []): AnalyzedQuery {
  // Folding makes eighteen characters of some.
  const text = foldText(query.slice(0, queryCharactersMax)).slice(0, queryCharactersMax);
  const terms = new Map<string, QueryTerm>();
  const sequence: string[] = [];
  const add = (term: string, kind: QueryTermKind): void => {
    if (!terms.has(term)) terms.set(term, { term, kind, share: 1 });
  };
  const places: TermPlace[] = [];
  scanTerms(text, true, (term, _, kind) => {
    if (kind !== 'whole') sequence.push(term);
    places.push({ term, place: sequence.length - 1 });
    add(term, kind === 'whole' ? 'whole' : kindOfWord(term, kind));
  });
  for (const [term, share] of sharesInLongText(places, sequence) ?? []) {
    const known = terms.get(term);
    if (known !== undefined) known.share = share;
  }
  for (const name of [...names, ...qualifiersIn(text)]) {
    scanTerms(foldText(name), true, (term) => {
      const known = terms.get(term);
      if (known !== undefined) known.kind = 'name';
    });
  }
  return { terms: weightiest([...terms.values()]), sequence };
}

/** Returns the `queryTermsMax` terms with the largest shares, in query order; of equal shares, the first terms. */
function weightiest(terms: QueryTerm[]): QueryTerm[] {
  if (terms.length <= queryTermsMax) return terms;
  const kept = new Set([...terms].sort((a, b) => b.share - a.share).slice(0, queryTermsMax));
  return terms.filter((term) => kept.has(term));
}

function kindOfWord(term: string, kind: 'word' | 'part'): QueryTermKind {
  if (isStopTerm(term)) return 'stop';
  if (kind === 'part') return 'part';
  return isFillerTerm(term) ? 'filler' : 'word';
}

/**
 * Returns the packages before a class (`org.example.text.` of `org.example.text.Parser`): they are on every page of the
 * package.
 */
function qualifiersIn(text: string): string[] {
  return [...text.matchAll(qualified)].map(([, qualifier]) => qualifier as string);
}
