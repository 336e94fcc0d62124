import type { Segment } from '../segment/segment.ts';

/** A segment as one search sees it. */
export interface SegmentView {
  segment: Segment;
  /** Tells views apart. */
  key: string;
  /** Names of the module, as a question might call it. */
  name?: string;
  /** Bit `i & 7` of byte `i >> 3` hides page i, because a newer segment has another version of it. */
  hiddenPages?: Uint8Array;
  /** Ascending; no other page is looked at. Left out: all are. */
  onlyPages?: Uint32Array;
  /** Multiplies all scores of this view; 1 when left out. */
  boost?: number;
}

/** Returns true if a page is in such a bit set. */
export function isHidden(hiddenPages: Uint8Array | undefined, pageIndex: number): boolean {
  return hiddenPages !== undefined && ((hiddenPages[pageIndex >> 3] ?? 0) & (1 << (pageIndex & 7))) !== 0;
}

/** Returns true if a page is not hidden and has something to show. */
export function isServed({ segment, hiddenPages }: SegmentView, pageIndex: number): boolean {
  const { pageFirst } = segment.index;
  return pageFirst[pageIndex + 1] !== pageFirst[pageIndex] && !isHidden(hiddenPages, pageIndex);
}
