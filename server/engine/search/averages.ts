import { pageFields, snippetFields } from '../segment/fields.ts';
import type { SegmentView } from './segment-view.ts';

/** Average lengths over all views. */
export interface AverageLengths {
  /** Per snippet field. */
  snippet: number[];
  /** Per page field, then per snippet field summed over a page. */
  page: number[];
}

/** Lengths as if all views were one collection. A field that is nearly always empty averages one term. */
export function averageLengths(views: readonly SegmentView[]): AverageLengths {
  let snippets = 0;
  let pages = 0;
  const snippetTotals = snippetFields.map(() => 0);
  const pageTotals = pageFields.map(() => 0);
  for (const { segment } of views) {
    snippets += segment.snippetCount;
    pages += segment.pageCount;
    addTo(snippetTotals, segment.index.snippetFieldTotals);
    addTo(pageTotals, segment.index.pageFieldTotals);
  }
  return {
    snippet: snippetTotals.map((total) => Math.max(1, total / Math.max(1, snippets))),
    page: [...pageTotals, ...snippetTotals].map((total) => Math.max(1, total / Math.max(1, pages))),
  };
}

function addTo(totals: number[], more: readonly number[]): void {
  for (let field = 0; field < totals.length; field += 1) totals[field] = (totals[field] as number) + (more[field] ?? 0);
}
