export { scorePageSnippets, scoreSnippets } from './search/score-snippets.ts';
export { type SearchHit, type SearchOptions, searchSegments } from './search/search-segments.ts';
export type { SegmentView } from './search/segment-view.ts';
export type { RankingWeights } from './search/weights.ts';
export { createSegmentBuilder, type SegmentBuilder } from './segment/builder.ts';
export { SegmentFormatError } from './segment/format.ts';
export { openSegment, type Segment, type SegmentPage } from './segment/segment.ts';
export type { ByteSource, PageRecord, Snippet, SnippetKind } from './types.ts';
