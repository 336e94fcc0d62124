import { analyzeQuery } from '../analysis/analyze-query.ts';
import { askedName } from '../analysis/asked-name.ts';
import type { SegmentPage } from '../segment/segment.ts';
import type { Snippet } from '../types.ts';
import { collectPages } from './collect-pages.ts';
import { conceptsOf } from './concepts.ts';
import { averageLengths, lengthNorms } from './length-norms.ts';
import { preferOwnNames } from './own-names.ts';
import { type RankedSnippet, rerank, type ScoreParts } from './rerank.ts';
import { routeViews } from './routing.ts';
import type { SegmentView } from './segment-view.ts';
import { defaultWeights, type RankingWeights } from './weights.ts';

export interface SearchHit<View extends SegmentView = SegmentView> {
  view: View;
  snippetIndex: number;
  pageIndex: number;
  /** Read from the segment when first asked for. */
  readonly snippet: Snippet;
  /** The id of `snippet`, without reading the rest. */
  readonly snippetId: string;
  /** Read from the segment when first asked for. */
  readonly page: SegmentPage;
  score: number;
  /** What the score is made of. */
  parts: ScoreParts;
}

export interface SearchOptions {
  /** Most hits; 20 when left out. */
  limit?: number;
  weights?: RankingWeights;
  /** Pages that are looked at closely; 24 when left out. */
  candidates?: number;
  /** Stretches of the query that name the library: see `analyzeQuery`. */
  names?: readonly string[];
  /** Snippets of one page that are looked at closely and may be returned; 8 when left out. */
  snippetsPerPage?: number;
}

/**
 * Ranks the snippets of the views for a question, best first. Rarity and lengths are those of all views together, as if
 * they were one collection. Same views and query, same answer.
 */
export function searchSegments<View extends SegmentView>(
  views: readonly View[],
  query: string,
  options: SearchOptions = {},
): SearchHit<View>[] {
  return toHits(views, rankSnippets(views, query, options).slice(0, options.limit ?? limitDefault));
}

const limitDefault = 20;
const pagesDefault = 24;
const snippetsPerPageDefault = 8;
/** A name stands on many pages that only mention it. */
const pagesOfName = 60;

/** `searchSegments` of what was ranked before, in the same views. */
export function toHits<View extends SegmentView>(
  views: readonly View[],
  ranked: readonly RankedSnippet[],
): SearchHit<View>[] {
  return ranked.map((snippet) => toHit(views, snippet));
}

/** `searchSegments` without the texts, and without a limit. */
export function rankSnippets(
  views: readonly SegmentView[],
  query: string,
  options: Omit<SearchOptions, 'limit'> = {},
): RankedSnippet[] {
  const weights = options.weights ?? defaultWeights;
  const analyzed = analyzeQuery(query, options.names);
  const { concepts, unknown } = conceptsOf(views, analyzed, weights);
  if (concepts.length === 0) return [];
  const name = askedName(query, options.names);
  const candidates = collectPages({
    views,
    concepts,
    boosts: routeViews(views, concepts, weights),
    norms: lengthNorms(weights, averageLengths(views)),
    weights,
    pagesMax: options.candidates ?? (name === undefined ? pagesDefault : pagesOfName),
    snippetsPerPage: options.snippetsPerPage ?? snippetsPerPageDefault,
  });
  const ranked = rerank(views, candidates, concepts, unknown, weights);
  return name === undefined ? ranked : preferOwnNames(views, ranked, name);
}

function toHit<View extends SegmentView>(views: readonly View[], ranked: RankedSnippet): SearchHit<View> {
  const view = views[ranked.view] as View;
  // Most hits of a search are never shown; unpacking their texts would cost as much as ranking them.
  let snippet: Snippet | undefined;
  let snippetId: string | undefined;
  let page: SegmentPage | undefined;
  return {
    view,
    snippetIndex: ranked.snippet,
    pageIndex: ranked.page,
    get snippet() {
      return (snippet ??= view.segment.snippet(ranked.snippet));
    },
    get snippetId() {
      return (snippetId ??= snippet?.id ?? view.segment.snippetId(ranked.snippet));
    },
    get page() {
      return (page ??= view.segment.page(ranked.page));
    },
    score: ranked.score,
    parts: ranked.parts,
  };
}
