import type { SearchHit, Snippet } from '#server/engine/index.ts';
import type { ModuleView, ReadableModule } from '#server/features/catalog/index.ts';

/** A passage that may answer a query. */
export interface Candidate {
  /** As the engine found it. */
  readonly hit: SearchHit<ModuleView>;
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
  readonly score: number;
  /** Place of the passage in its segment: passages of a page follow each other in its order. */
  readonly place: number;
  /** Share of what is asked that the passage and its page's title have, 0 to 1. */
  readonly coverage: number;
  /** Estimated from the average length of the passages of its segment. */
  readonly pageTokens: number;
}

/** A private passage that matches goes before a public one that matches about as well. */
const privateBoost = 1.6;

export function toCandidate(hit: SearchHit<ModuleView>): Candidate {
  const { module, segment } = hit.view;
  return {
    hit,
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
    place: hit.snippetIndex,
    coverage: hit.parts.coverage,
    score: hit.score * (module.visibility === 'private' ? privateBoost : 1),
    get pageTokens() {
      return Math.round((hit.page.snippetCount * segment.tokenCount) / segment.snippetCount);
    },
  };
}
