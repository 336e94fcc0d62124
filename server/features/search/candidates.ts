import { type SearchHit, type Snippet, searchSegments } from '#server/engine/index.ts';
import type { ModuleView, ReadableModule } from '#server/features/catalog/index.ts';
import type { Meaning } from './meaning.ts';
import { orderByMeaning, passagesCompared } from './order-by-meaning.ts';
import { type Ranker, rankHere } from './rank-thread.ts';

/** A passage that may answer a query. */
export interface Candidate {
  readonly module: ReadableModule;
  /** The same for passages of one page; unlike its address it costs no reading. */
  readonly pageKey: string;
  /** Without fragment. */
  readonly pageUrl: string;
  readonly title: string;
  readonly fetchedAt: number;
  readonly snippet: Snippet;
  /** The id of `snippet`, without reading the rest. */
  readonly snippetId: string;
  /** `snippetKeyOf` of that id, without reading the passage. */
  readonly snippetKey: number;
  readonly score: number;
  /** Place of the passage in its segment: passages of a page follow each other in its order. */
  readonly place: number;
  /** Share of what is asked that the passage and its page's title have, 0 to 1. */
  readonly coverage: number;
  /** Estimated from the average length of the passages of its segment. */
  readonly pageTokens: number;
}

/** What is asked: the whole query, and the stretches of it that name the library that is searched. */
export interface Asked {
  text: string;
  names?: readonly string[];
}

/** Passages asked of the engine: what was sent before and near-duplicates are taken out of these. */
const candidatesAsked = 60;
/** A private passage that matches goes before a public one that matches about as well. */
const privateBoost = 1.6;

/** The passages of these views that match, best first. Their pages and texts are read when first asked for. */
export async function findCandidates(
  views: ModuleView[],
  { text, names }: Asked,
  ranker: Ranker = rankHere,
): Promise<Candidate[]> {
  const hits = await ranker.rank(views, text, { limit: candidatesAsked, names: names ?? [] });
  return hits.map(toCandidate).sort((a, b) => b.score - a.score);
}

/** The same, of each page the passages that are like the question in what they say as well. */
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
