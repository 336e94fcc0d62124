import { analyze } from '../analysis/analyze.ts';
import { analyzeQuery } from '../analysis/analyze-query.ts';
import { factorsIn, synonymsOf } from '../search/concepts.ts';
import { eachStoredTerm } from '../search/stored-terms.ts';
import { defaultWeights } from '../search/weights.ts';
import { addressText } from '../segment/address-text.ts';
import { type SnippetField, snippetFields } from '../segment/fields.ts';
import type { Segment, SegmentIndex } from '../segment/segment.ts';

/** A snippet as stored in a search cluster: all its terms in one field. */
export interface PooledSnippet {
  snippet: number;
  page: number;
  url: string;
  isFirstOfPage: boolean;
  /** Separated by spaces; each term is repeated as often as it counts. */
  terms: string;
}

/** How often a term counts, by field; pooling fields before saturation ranks as well as BM25F does. */
const titleCount = 4;
const fieldCounts: Record<SnippetField, number> = { headings: 3, identifiers: 2, body: 1, code: 1 };
const countOf = snippetFields.map((field) => fieldCounts[field]);

/** Yields a segment's snippets in order, from the terms found when the segment was built. */
export function* pooledSnippets(segment: Segment): Generator<PooledSnippet> {
  const { index } = segment;
  const names = new Map<number, string>();
  const nameOf = (term: number): string => {
    const known = names.get(term);
    if (known !== undefined) return known;
    const name = index.termText(term).toWellFormed();
    names.set(term, name);
    return name;
  };
  for (let page = 0; page < segment.pageCount; page += 1) {
    const end = index.pageFirst[page + 1] as number;
    const first = index.pageFirst[page] as number;
    if (end === first) continue;
    const { url, inboundAnchors } = segment.page(page);
    const ofPage = pageTerms(index, page, url, inboundAnchors ?? [], nameOf);
    for (let snippet = first; snippet < end; snippet += 1) {
      const terms = [...ofPage];
      eachStoredTerm(index.sequence(snippet), (field, term) => {
        const name = nameOf(term);
        for (let count = countOf[field] as number; count > 0; count -= 1) terms.push(name);
      });
      yield { snippet, page, url, isFirstOfPage: snippet === first, terms: terms.join(' ') };
    }
  }
}

/** Returns the terms that every snippet of a page gets from the page. */
function pageTerms(
  index: SegmentIndex,
  page: number,
  url: string,
  inboundAnchors: readonly string[],
  nameOf: (term: number) => string,
): string[] {
  const selfTerms = new Set(index.selfTerms);
  const terms: string[] = [];
  eachTitleTerm(index.title(page), (term) => {
    const name = nameOf(term);
    if (!selfTerms.has(name)) for (let count = titleCount; count > 0; count -= 1) terms.push(name);
  });
  for (const text of [addressText(url), ...inboundAnchors]) {
    for (const { term } of analyze(text)) terms.push(term.toWellFormed());
  }
  return terms;
}

/** Visits the terms of a stored title, where each term carries a bit that says whether it shares its position. */
function eachTitleTerm(bytes: Uint8Array, visit: (term: number) => void): void {
  for (let at = 0; at < bytes.length; ) {
    let byte = bytes[at++] as number;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] as number;
      value |= (byte & 127) << shift;
    }
    visit(value >>> 1);
  }
}

export interface AskedTerm {
  term: string;
  weight: number;
}

/**
 * Returns the terms to query a search cluster with: the question's terms and their synonyms, with the engine's weights.
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
