import { type SearchHit, type Snippet, searchSegments } from '#server/engine/index.ts';
import type { ModuleView, ReadableModule } from '#server/features/catalog/index.ts';
import type { Meaning } from './meaning.ts';
import { orderByMeaning, passagesCompared } from './order-by-meaning.ts';
import { type Ranker, rankHere } from './rank-thread.ts';

/** A passage that may answer a query. */
export interface Candidate {
  readonly module: ReadableModule;
  /** Equal for passages of the same page; unlike `pageUrl`, available without reading the page. */
  readonly pageKey: string;
  /** The page's address without fragment. */
  readonly pageUrl: string;
  readonly title: string;
  readonly fetchedAt: number;
  readonly snippet: Snippet;
  /** The id of `snippet`, available without reading the snippet. */
  readonly snippetId: string;
  /** `snippetKeyOf(snippetId)`, available without reading the snippet. */
  readonly snippetKey: number;
  readonly score: number;
  /** Index of the passage in its segment: a page's passages are consecutive, in page order. */
  readonly place: number;
  /** Share of the query that the passage and its page's title cover, 0 to 1. */
  readonly coverage: number;
  /** The page's estimated tokens, from the average passage length in its segment. */
  readonly pageTokens: number;
}

/** A query, and the parts of it that name the library to search. */
export interface Asked {
  text: string;
  names?: readonly string[];
}

/** Most passages requested from the engine, before passages sent earlier and near-duplicates are removed. */
const candidatesAsked = 60;
/** Ranks a private passage above a public one that matches about as well. */
const privateBoost = 1.6;

/** Returns the best matching passages of these views, best first. Their pages and texts are read on first access. */
export async function findCandidates(
  views: ModuleView[],
  { text, names }: Asked,
  ranker: Ranker = rankHere,
): Promise<Candidate[]> {
  const hits = await ranker.rank(views, text, { limit: candidatesAsked, names: names ?? [] });
  return hits.map(toCandidate).sort((a, b) => b.score - a.score);
}

/**
 * Returns the best matching passages as `findCandidates` does, but also ranks each page's passages by their similarity
 * in meaning to the question.
 */
export async function findByMeaning(
  views: ModuleView[],
  { text, names }: Asked,
  question: Float32Array,
  passages: Meaning['passages'],
): Promise<Candidate[]> {
  const limit = Number.POSITIVE_INFINITY;
  const hits = searchSegments(views, text, { limit, names: names ?? [] });
  const further = searchSegments(views, text, { limit, names: names ?? [], snippetsPerPage: passagesCompared });
  return (await orderByMeaning(hits, further, question, passages))
    .slice(0, candidatesAsked)
    .map(toCandidate)
    .sort((a, b) => b.score - a.score);
}

function toCandidate(hit: SearchHit<ModuleView>): Candidate {
  const { module, segment } = hit.view;
  return {
    module,
    pageKey: `${hit.view.key} ${hit.pageIndex}`,
    get pageUrl() {
      return hit.page.url;
    },
    get title() {
      return hit.page.title;
    },
    get fetchedAt() {
      return hit.page.fetchedAt;
    },
    get snippet() {
      return hit.snippet;
    },
    get snippetId() {
      return hit.snippetId;
    },
    snippetKey: segment.snippetKey(hit.snippetIndex),
    place: hit.snippetIndex,
    coverage: hit.parts.coverage,
    score: hit.score * (module.visibility === 'private' ? privateBoost : 1),
    get pageTokens() {
      return Math.round((hit.page.snippetCount * segment.tokenCount) / segment.snippetCount);
    },
  };
}
