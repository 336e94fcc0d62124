import type { AnalyzedQuery, QueryTermKind } from '../analysis/analyze-query.ts';
import { stemWord } from '../analysis/stem.ts';
import { synonymsAt } from '../analysis/synonyms.ts';
import type { SegmentView } from './segment-view.ts';
import { type FoundTerm, TermLookup } from './term-lookup.ts';
import type { RankingWeights } from './weights.ts';

/** A concept of the query: a term and its alternatives. At least one view has at least one of them. */
export interface Concept {
  kind: QueryTermKind;
  /** The term as written in the query; possibly in no view. */
  term: string;
  /** Terms that some view has, with the weight of one occurrence. */
  alternatives: { term: FoundTerm; weight: number }[];
  /** Most the concept can add to a snippet's and to a page's score. */
  snippetWeight: number;
  pageWeight: number;
  /** What the concept adds to a page whose whole title is the term. */
  namedWeight: number;
  /** Weight of the concept in the query's coverage. */
  coverageWeight: number;
}

/** Shorter words, and those with other characters than letters, form another word by chance when joined. */
const joinable = /^[a-z]{3,}$/;

/**
 * A query of at most this many terms, not counting library names, is a name or a heading: `with statement`, `for else
 * loop`.
 */
const shortQueryTermsMax = 4;

/**
 * Returns the factor of each kind of term in a query. Function words count in short queries, and fully if the query has
 * nothing else; library names count like other words only in a query that is nothing but names.
 */
export function factorsIn({ terms }: AnalyzedQuery, weights: RankingWeights): Record<QueryTermKind, number> {
  const has = (...kinds: QueryTermKind[]): boolean => terms.some(({ kind }) => kinds.includes(kind));
  const hasWords = has('word', 'filler', 'whole', 'part');
  const isShort = terms.filter(({ kind }) => kind !== 'name').length <= shortQueryTermsMax;
  if (hasWords) return isShort ? { ...weights.terms, stop: weights.shortQueryStop } : weights.terms;
  return { ...weights.terms, stop: 1, name: has('stop') ? weights.terms.name : 1 };
}

/**
 * Returns the concepts in query order, and the total information of query terms that no view has, with the rarity of a
 * term that is in no snippet.
 */
export function conceptsOf(
  views: readonly SegmentView[],
  query: AnalyzedQuery,
  weights: RankingWeights,
): { concepts: Concept[]; unknown: number } {
  const factors = factorsIn(query, weights);
  const synonyms = synonymsOf(query);
  const lookup = new TermLookup(views);
  const concepts: Concept[] = [];
  // Without a named library, too many pages have a word of the question as their title.
  const hasLibrary = query.terms.some(({ kind }) => kind === 'name');
  let unknown = 0;
  for (const { term, kind, share: ownShare } of query.terms) {
    const factor = factors[kind] * ownShare;
    if (factor <= 0) continue;
    const own = lookup.find(term);
    const others = [...(synonyms.get(term) ?? [])]
      .map(([name, share]) => ({ term: lookup.find(name), share }))
      .filter((other) => other.term.pageInformation > 0);
    const isMisspelt = own.pageInformation === 0 && others.length === 0 && isSubject(kind);
    const meant = isMisspelt ? neighboursOf(term, lookup).map((near) => ({ term: near, share: 1 })) : others;
    const concept = makeConcept(own, meant, isMisspelt ? weights.misspelt : weights.synonym);
    if (concept === undefined) {
      // A small index lacks function words by chance, and manuals rarely contain a number from an error: a missing one
      // says nothing about coverage.
      if (kind !== 'stop' && kind !== 'filler' && !/^\d/.test(term))
        unknown += factor * lookup.smoothed(lookup.informationOfUnknown);
      continue;
    }
    concepts.push({
      kind,
      term,
      alternatives: concept.alternatives,
      snippetWeight: factor * concept.snippetInformation,
      pageWeight: factor * concept.pageInformation,
      namedWeight:
        hasLibrary && isSubject(kind)
          ? weights.named * factor * (lookup.informationOfOnePage - own.pageInformation)
          : 0,
      coverageWeight: factor * lookup.smoothed(concept.snippetInformation),
    });
  }
  return { concepts, unknown };
}

const isSubject = (kind: QueryTermKind): boolean => kind === 'word' || kind === 'whole';

function makeConcept(own: FoundTerm, others: { term: FoundTerm; share: number }[], synonymWeight: number) {
  const isKnown = own.pageInformation > 0;
  if (!isKnown && (others.length === 0 || synonymWeight === 0)) return undefined;
  // No view has the word: its synonyms stand in for it, with their own rarity.
  const factor = isKnown ? 1 : synonymWeight;
  const snippetInformation = isKnown
    ? own.snippetInformation
    : Math.max(...others.map(({ term }) => term.snippetInformation));
  const pageInformation = isKnown ? own.pageInformation : Math.max(...others.map(({ term }) => term.pageInformation));
  const alternatives = isKnown ? [{ term: own, weight: 1 }] : [];
  if (synonymWeight > 0) {
    for (const { term, share } of others) {
      // A common synonym of a rare word must not inherit its rarity.
      const rarity = Math.min(1, term.pageInformation / pageInformation);
      alternatives.push({ term, weight: share * rarity * (isKnown ? synonymWeight : 1) });
    }
  }
  return {
    alternatives,
    snippetInformation: factor * snippetInformation,
    pageInformation: factor * pageInformation,
  };
}

/**
 * Returns synonyms for each word of the query, with the share of the meaning each carries. Two adjacent words may also
 * be written as one: `clockskew`.
 */
export function synonymsOf(query: AnalyzedQuery): Map<string, Map<string, number>> {
  const asked = new Map(query.terms.map(({ term, kind }) => [term, kind]));
  const found = new Map<string, Map<string, number>>();
  const isWord = (term: string): boolean => asked.get(term) === 'word' || asked.get(term) === 'filler';
  const add = (word: string, other: string, share: number): void => {
    if (asked.has(other)) return;
    const known = found.get(word) ?? new Map<string, number>();
    found.set(word, known.set(other, Math.max(known.get(other) ?? 0, share)));
  };
  for (let at = 0; at < query.sequence.length; at += 1) {
    const pair = query.sequence.slice(at, at + 2);
    if (pair.length === 2 && pair.every((term) => isWord(term) && joinable.test(term)))
      for (const word of pair) add(word, pair.join(''), 1);
    for (const { length, others } of synonymsAt(query.sequence, at)) {
      const word = query.sequence.slice(at, at + length).find(isWord);
      if (word === undefined) continue;
      for (const words of others) for (const other of words) add(word, other, 1 / words.length);
    }
  }
  return found;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** Shorter words have too many neighbours with another meaning. */
const lettersMin = 5;
const lettersMax = 24;
const termsMax = 2;
/** Letters at the end of a word that decide its stem, in nearly all words. */
const endingMax = 3;

/**
 * Returns terms of the views that are one edit away from an unknown term: one letter added, missing, wrong or swapped
 * with its neighbour; most common first. Assumes that the first letter is right, as in nearly all misspellings. Looks
 * up about 50 terms per letter.
 */
function neighboursOf(term: string, lookup: TermLookup): FoundTerm[] {
  if (term.length < lettersMin || term.length > lettersMax || !/^[a-z][a-z_]*$/.test(term)) return [];
  const found: FoundTerm[] = [];
  const meant = oneEditFrom(term);
  const start = term.slice(0, -endingMax);
  // The index has stems: `histroy` has none, but `history` is `histori`.
  for (const one of [...meant]) if (one.startsWith(start)) meant.add(stemWord(one));
  for (const one of meant) {
    const known = lookup.find(one);
    if (known.pageInformation > 0) found.push(known);
  }
  return found.sort((a, b) => a.pageInformation - b.pageInformation).slice(0, termsMax);
}

function oneEditFrom(term: string): Set<string> {
  const made = new Set<string>();
  for (let at = 1; at <= term.length; at += 1) {
    const [before, rest] = [term.slice(0, at), term.slice(at)];
    for (const letter of letters) {
      made.add(before + letter + rest);
      if (rest !== '') made.add(before + letter + rest.slice(1));
    }
    if (rest !== '') made.add(before + rest.slice(1));
    if (rest.length > 1) made.add(before + rest[1] + rest[0] + rest.slice(2));
  }
  made.delete(term);
  return made;
}
