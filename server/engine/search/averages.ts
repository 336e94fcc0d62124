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
  const sum = (value: (view: SegmentView) => number): number => views.reduce((total, view) => total + value(view), 0);
  const snippets = sum(({ segment }) => segment.snippetCount);
  const pages = sum(({ segment }) => segment.pageCount);
  const snippetTotals = snippetFields.map((_, field) =>
    sum(({ segment }) => segment.index.snippetFieldTotals[field] ?? 0),
  );
  const pageTotals = pageFields.map((_, field) => sum(({ segment }) => segment.index.pageFieldTotals[field] ?? 0));
  return {
    snippet: snippetTotals.map((total) => Math.max(1, total / Math.max(1, snippets))),
    page: [...pageTotals, ...snippetTotals].map((total) => Math.max(1, total / Math.max(1, pages))),
  };
}
