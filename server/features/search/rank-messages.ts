import type { RankedSnippet, ScoreParts, SegmentView, SharedSegment } from '#server/engine/index.ts';

/** What the thread is started with. */
export interface RankThreadData {
  unusedMs: number;
}

/** A view as it goes to the thread that ranks. */
export interface SentView extends Omit<SegmentView, 'segment'> {
  /** Left out where the thread has it already. */
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
  /** A view came without its segment, which is closed by now. */
  | { kind: 'unknown'; id: number }
  | { kind: 'failed'; id: number };

const places = ['view', 'page', 'snippet', 'score'] as const;
/** All of them, which the type sees to. */
const parts = Object.keys({
  snippet: 0,
  page: 0,
  coverage: 0,
  title: 0,
  boost: 0,
} satisfies ScoreParts) as (keyof ScoreParts)[];
const rowLength = places.length + parts.length;

/** As numbers one after another, whose memory is handed over where objects would be copied one by one. */
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
