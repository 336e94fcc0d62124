import { pageFields, snippetFields } from '../segment/fields.ts';
import { lengthOfCode } from '../segment/length-code.ts';
import type { SegmentView } from './segment-view.ts';
import type { FieldWeight, RankingWeights } from './weights.ts';

/** Average lengths over all views. */
export interface AverageLengths {
  /** Per snippet field. */
  snippet: number[];
  /** Per page field, then per snippet field summed over a page. */
  page: number[];
}

/**
 * Returns average lengths as if all views were one collection. The average is at least one term, for fields that are
 * nearly always empty.
 */
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

/** For each field, by length code: the weight of one occurrence of a term in a field of that length. */
export interface LengthNorms {
  snippet: [Float64Array, Float64Array, Float64Array, Float64Array];
  /** In the order of `pageFields`, then `snippetFields`. */
  page: PageNorms;
}

type PageNorms = [...LengthNorms['snippet'], Float64Array, Float64Array, Float64Array];

/** The most recent norms: searches of the same modules share them. */
let last: { weights: RankingWeights; averages: AverageLengths; norms: LengthNorms } | undefined;

export function lengthNorms(weights: RankingWeights, averages: AverageLengths): LengthNorms {
  if (last !== undefined && last.weights === weights && areEqual(last.averages, averages)) return last.norms;
  const norms = makeNorms(weights, averages);
  last = { weights, averages, norms };
  return norms;
}

function areEqual(a: AverageLengths, b: AverageLengths): boolean {
  const isSame = (values: number[], others: number[]) => values.every((value, at) => value === others[at]);
  return isSame(a.snippet, b.snippet) && isSame(a.page, b.page);
}

function makeNorms(weights: RankingWeights, averages: AverageLengths): LengthNorms {
  return {
    snippet: snippetFields.map((field, at) =>
      norm(weights.snippetFields[field], averages.snippet[at] as number),
    ) as LengthNorms['snippet'],
    page: [...pageFields, ...snippetFields].map((field, at) =>
      norm(weights.pageFields[field], averages.page[at] as number),
    ) as PageNorms,
  };
}

function norm({ weight, b }: FieldWeight, average: number): Float64Array {
  return lengthOfCode.map((length) => weight / (1 - b + (b * length) / average));
}
