import { analyze } from '../analysis/analyze.ts';
import { analyzeQuery } from '../analysis/analyze-query.ts';
import { snippetFieldCount, snippetFields } from '../segment/fields.ts';
import { termKey } from '../segment/hash-table.ts';
import type { Segment } from '../segment/segment.ts';
import { eachSnippetTerm } from '../segment/snippet-terms.ts';
import type { Snippet } from '../types.ts';
import { factorsIn } from './concepts.ts';
import { eachStoredTerm } from './stored-terms.ts';
import { defaultWeights as weights } from './weights.ts';

/** Visits every term of one snippet with its field; always in the same order for the same snippet. */
type TermVisitor<Key> = (snippet: number, visit: (field: number, term: Key) => void) => void;

/** The whole page is about its title words, so they distinguish its parts less. */
const titleWordShare = 0.5;

/**
 * Returns each snippet's relevance: its best score over the questions. Rarity is computed within the page, so that
 * words which distinguish its parts count. For texts that are in no segment; analyzes all of them.
 */
export function scoreSnippets(title: string, snippets: readonly Snippet[], queries: readonly string[]): number[] {
  const visit: TermVisitor<string> = (at, sink) => eachSnippetTerm(snippets[at] as Snippet, sink);
  return bestScores({ count: snippets.length, titleWords: wordsOf(title), keyOf: (term) => term, visit }, queries);
}

/** Same as `scoreSnippets` for a page of a segment or a part of it, from its stored terms: thirty times faster. */
export function scorePageSnippets(
  segment: Segment,
  pageIndex: number,
  queries: readonly string[],
  part?: { from: number; to: number },
): number[] {
  const { index } = segment;
  const { title, firstSnippet, snippetCount } = segment.page(pageIndex);
  const { from, to } = part ?? { from: 0, to: snippetCount };
  const visit: TermVisitor<number> = (at, sink) => eachStoredTerm(index.sequence(firstSnippet + from + at), sink);
  return bestScores(
    { count: to - from, titleWords: wordsOf(title), keyOf: (term) => index.findTerm(termKey(term)), visit },
    queries,
  );
}

function wordsOf(title: string): Set<string> {
  return new Set(analyze(title).map(({ term }) => term));
}

/** A page's terms for scoring, from texts or from a segment. */
interface PageTerms<Key> {
  count: number;
  titleWords: ReadonlySet<string>;
  keyOf(term: string): Key | undefined;
  visit: TermVisitor<Key>;
}

function bestScores<Key>(page: PageTerms<Key>, queries: readonly string[]): number[] {
  const best = new Array<number>(page.count).fill(0);
  for (const query of queries) {
    for (const [at, score] of scoresFor(query, page).entries()) best[at] = Math.max(best[at] as number, score);
  }
  return best;
}

function scoresFor<Key>(query: string, page: PageTerms<Key>): number[] {
  const { count, titleWords, visit } = page;
  const analyzed = analyzeQuery(query);
  const ofKind = factorsIn(analyzed, weights);
  const slotOf = new Map<Key, number>();
  const factors: number[] = [];
  for (const { term, kind, share } of analyzed.terms) {
    const key = page.keyOf(term);
    const factor = ofKind[kind] * share * (titleWords.has(term) ? titleWordShare : 1);
    if (key !== undefined && factor > 0) slotOf.set(key, factors.push(factor) - 1);
  }
  const { counts, lengths } = countTerms(count, slotOf, factors.length, visit);
  const averages = snippetFields.map((_, field) => {
    let sum = 0;
    for (let at = 0; at < count; at += 1) sum += lengths[at * snippetFieldCount + field] as number;
    return Math.max(1, sum / Math.max(1, count));
  });
  const frequencyAt = (at: number, slot: number): number => {
    let frequency = 0;
    for (const [field, name] of snippetFields.entries()) {
      const { weight, b } = weights.snippetFields[name];
      const length = (lengths[at * snippetFieldCount + field] as number) / (averages[field] as number);
      frequency +=
        ((counts[(at * factors.length + slot) * snippetFieldCount + field] as number) * weight) / (1 - b + b * length);
    }
    return frequency;
  };
  const scores = new Array<number>(count).fill(0);
  for (const [slot, factor] of factors.entries()) {
    const frequencies = scores.map((_, at) => frequencyAt(at, slot));
    const having = frequencies.filter((frequency) => frequency > 0).length;
    const information = factor * Math.log(1 + (count - having + 0.5) / (having + 0.5));
    for (const [at, frequency] of frequencies.entries()) {
      scores[at] = (scores[at] as number) + (information * frequency) / (weights.snippetK1 + frequency);
    }
  }
  return scores;
}

function countTerms<Key>(count: number, slotOf: Map<Key, number>, slots: number, visit: TermVisitor<Key>) {
  const counts = new Uint16Array(count * slots * snippetFieldCount);
  const lengths = new Uint32Array(count * snippetFieldCount);
  for (let at = 0; at < count; at += 1) {
    visit(at, (field, term) => {
      const place = at * snippetFieldCount + field;
      lengths[place] = (lengths[place] as number) + 1;
      const slot = slotOf.get(term);
      if (slot === undefined) return;
      const cell = (at * slots + slot) * snippetFieldCount + field;
      if ((counts[cell] as number) < 65_535) counts[cell] = (counts[cell] as number) + 1;
    });
  }
  return { counts, lengths };
}
