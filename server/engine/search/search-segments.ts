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
  /** Read from the segment on first access. */
  readonly snippet: Snippet;
  /** The id of `snippet`, without reading the rest. */
  readonly snippetId: string;
  /** Read from the segment on first access. */
  readonly page: SegmentPage;
  score: number;
  parts: ScoreParts;
}

export interface SearchOptions {
  /** Most hits; 20 when left out. */
  limit?: number;
  weights?: RankingWeights;
  /** Pages scored in detail; 24 when left out. */
  candidates?: number;
  /** Stretches of the query that name the library: see `analyzeQuery`. */
  names?: readonly string[];
  /** Snippets per page that are scored in detail and may be returned; 8 when left out. */
  snippetsPerPage?: number;
}

/**
 * Ranks the snippets of the views for a question, best first. Rarity and lengths are computed over all views together,
 * as if they were one collection. Deterministic for the same views and query.
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
/** Candidates for a query that is a name, which many pages only mention. */
const pagesOfName = 60;

/** Returns search hits for snippets that `rankSnippets` ranked in the same views. */
export function toHits<View extends SegmentView>(
  views: readonly View[],
  ranked: readonly RankedSnippet[],
): SearchHit<View>[] {
  return ranked.map((snippet) => toHit(views, snippet));
}

/** Ranks as `searchSegments` does, without reading texts and without a limit. */
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
  return name === undefined ? ranked : preferOwnNames(views, ranked, name, query);
}

function toHit<View extends SegmentView>(views: readonly View[], ranked: RankedSnippet): SearchHit<View> {
  const view = views[ranked.view] as View;
  // Texts are read lazily: most hits are never shown, and unpacking their texts would cost as much as ranking them.
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
