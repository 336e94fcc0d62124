import { foldText } from './fold.ts';
import { sharesInLongText, type TermPlace } from './long-text.ts';
import { scanTerms } from './scan.ts';
import { isFillerTerm, isStopTerm } from './stop-words.ts';

/** How a term came to be in the query; the ranking gives each its own weight. */
export type QueryTermKind = 'word' | 'filler' | 'stop' | 'whole' | 'part' | 'name';

export interface QueryTerm {
  term: string;
  kind: QueryTermKind;
  /** Times what its kind counts: 1, but in a long text by where and how often it stands there. */
  share: number;
}

export interface AnalyzedQuery {
  /** Each term once, in the order of first appearance. */
  terms: QueryTerm[];
  /** Words and parts of names in reading order, with repeats. */
  sequence: string[];
}

/** What lies beyond is not read: a longer query is a pasted file. */
export const queryCharactersMax = 6_000;
/** Terms looked up for one query. */
export const queryTermsMax = 96;

const qualified = /(?<![\p{L}\p{N}_])((?:\p{Ll}[\p{L}\p{N}_]*(?:\.|::)){2,})(?=\p{Lu})/gu;

/**
 * The terms of a question, analyzed exactly as documents are, with what each is: a name's whole, its parts, plain words,
 * and words that only frame a question. `names` are stretches of the query that say which library is meant, and nothing of
 * what is asked about it; packages before a class are taken for such.
 */
export function analyzeQuery(query: string, names: readonly string[] = []): AnalyzedQuery {
  const text = foldText(query.slice(0, queryCharactersMax));
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

/** The terms that are looked up, in their order: of equal ones the first. */
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

/** Packages before a class (`org.example.text.` of `org.example.text.Parser`): they stand on every page of the package. */
function qualifiersIn(text: string): string[] {
  return [...text.matchAll(qualified)].map(([, qualifier]) => qualifier as string);
}
