import { analyze } from '../analysis/analyze.ts';
import { termKey } from '../segment/hash-table.ts';
import type { SegmentView } from './segment-view.ts';

/**
 * Returns an upper bound for the share of each view's snippets that have all words of the text; 0 if a word is unknown
 * there.
 */
export function wordShares(views: readonly SegmentView[], text: string): number[] {
  const terms = [...new Set(analyze(text).map(({ term }) => term))];
  return views.map(({ segment }) => {
    const frequencies = terms.map((term) => {
      const id = segment.index.findTerm(termKey(term));
      return id === undefined ? 0 : segment.index.snippetFrequency(id);
    });
    return segment.snippetCount === 0 ? 0 : Math.min(...frequencies, segment.snippetCount) / segment.snippetCount;
  });
}

/** Returns the views in which most page titles have each word of the text, so that the text names the whole module. */
export function viewsTitled<View extends SegmentView>(views: readonly View[], text: string): View[] {
  const terms = analyze(text).map(({ term }) => term);
  const hasAll = ({ segment }: View): boolean => terms.every((term) => segment.index.selfTerms.includes(term));
  return terms.length === 0 ? [] : views.filter(hasAll);
}
