import type { RankedSnippet, ScoreParts, SegmentView, SharedSegment } from '#server/engine/index.ts';

/** The start parameters of the ranking thread. */
export interface RankThreadData {
  unusedMs: number;
}

/** A view as sent to the ranking thread. */
export interface SentView extends Omit<SegmentView, 'segment'> {
  /** Absent if the thread already has the segment. */
  shared?: SharedSegment;
}

export interface RankRequest {
  id: number;
  views: SentView[];
  query: string;
  names: readonly string[];
  /** Most snippets. */
  limit: number;
}

export type RankAnswer =
  | { kind: 'ready' }
  | { kind: 'ranked'; id: number; rows: Float64Array<ArrayBuffer> }
  /** A view was sent without its segment, which the thread has closed. */
  | { kind: 'unknown'; id: number }
  | { kind: 'failed'; id: number };

const places = ['view', 'page', 'snippet', 'score'] as const;
/** All parts of a score; the type ensures that none is missing. */
const parts = Object.keys({
  snippet: 0,
  page: 0,
  coverage: 0,
  title: 0,
  boost: 0,
} satisfies ScoreParts) as (keyof ScoreParts)[];
const rowLength = places.length + parts.length;

/** Encodes the ranking as consecutive numbers, whose buffer can be transferred instead of copying each object. */
export function toRows(ranked: readonly RankedSnippet[]): Float64Array<ArrayBuffer> {
  const rows = new Float64Array(ranked.length * rowLength);
  let at = 0;
  for (const snippet of ranked) {
    for (const place of places) rows[at++] = snippet[place];
    for (const part of parts) rows[at++] = snippet.parts[part];
  }
  return rows;
}

export function fromRows(rows: Float64Array): RankedSnippet[] {
  return Array.from({ length: rows.length / rowLength }, (_, row) => {
    const valueAt = (column: number) => rows[row * rowLength + column] as number;
    const [view, page, snippet, score] = places.map((_place, column) => valueAt(column)) as [
      number,
      number,
      number,
      number,
    ];
    const values = parts.map((part, column) => [part, valueAt(places.length + column)] as const);
    return { view, page, snippet, score, parts: Object.fromEntries(values) as Record<keyof ScoreParts, number> };
  });
}
