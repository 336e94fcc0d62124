import type { Segment } from '../segment/segment.ts';

/** A segment as seen by one search. */
export interface SegmentView {
  segment: Segment;
  key: string;
  /** Names of the module that a question might use. */
  name?: string;
  /** Bit `i & 7` of byte `i >> 3` hides page i, because a newer segment has another version of the page. */
  hiddenPages?: Uint8Array;
  /** The only pages to search, ascending; all pages when left out. */
  onlyPages?: Uint32Array;
  /** Factor for all scores of this view; 1 when left out. */
  boost?: number;
}

/** Returns true if the bit set contains the page. */
export function isHidden(hiddenPages: Uint8Array | undefined, pageIndex: number): boolean {
  return hiddenPages !== undefined && ((hiddenPages[pageIndex >> 3] ?? 0) & (1 << (pageIndex & 7))) !== 0;
}

/** Returns true if a page is not hidden and has snippets. */
export function isServed({ segment, hiddenPages }: SegmentView, pageIndex: number): boolean {
  const { pageFirst } = segment.index;
  return pageFirst[pageIndex + 1] !== pageFirst[pageIndex] && !isHidden(hiddenPages, pageIndex);
}
