import { foldText } from './fold.ts';
import { scanTerms } from './scan.ts';
import { isFillerTerm, isStopTerm } from './stop-words.ts';

/** How a term entered the query; the ranking gives each kind its own weight. */
export type QueryTermKind = 'word' | 'filler' | 'stop' | 'whole' | 'part' | 'name';

interface QueryTerm {
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

/** A query of more words is a pasted task: prose around code and data, in which most words are incidental. */
const wordsMin = 25;
/** Words examined on either side of a word to tell prose from code. */
const neighbours = 5;
/**
 * A word's share without function words nearby, and the increase in proportion to function words among its neighbours.
 */
const codeShare = 0.3;
const proseShare = 0.9;
/**
 * Repeated words matter more: the share grows with the number of occurrences up to this maximum, raised to the power
 * below.
 */
const occurrencesMax = 4;
const occurrencesPower = 0.5;

/** A term of a query, with the position of its word. */
interface TermPlace {
  term: string;
  place: number;
}

/**
 * Returns the share of each term in a long text: larger where function words surround it, as in sentences but hardly
 * ever in code or data, and larger if it is repeated. Returns undefined for a text of 25 words or fewer. Fitted on the
 * project's own questions: see README.md.
 */
function sharesInLongText(places: readonly TermPlace[], words: readonly string[]): Map<string, number> | undefined {
  if (words.length <= wordsMin) return undefined;
  const stopsBefore = [0];
  for (const word of words) stopsBefore.push((stopsBefore.at(-1) as number) + (isStopTerm(word) ? 1 : 0));
  const occurrences = new Map<string, number>();
  const shares = new Map<string, number>();
  for (const { term, place } of places) {
    const from = Math.max(0, place - neighbours);
    const to = Math.min(words.length, place + neighbours + 1);
    const stops = ((stopsBefore[to] as number) - (stopsBefore[from] as number)) / (to - from);
    shares.set(term, Math.max(shares.get(term) ?? 0, codeShare + proseShare * stops));
    occurrences.set(term, (occurrences.get(term) ?? 0) + 1);
  }
  for (const [term, share] of shares) {
    shares.set(term, share * Math.min(occurrencesMax, occurrences.get(term) as number) ** occurrencesPower);
  }
  return shares;
}
