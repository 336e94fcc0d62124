import { type Snippet, searchSegments } from '#server/engine/index.ts';
import type { ModuleView, ReadableModule } from '#server/features/library/index.ts';
import { createDuplicateFilter } from './near-duplicates.ts';

/** A passage that may answer a query. */
export interface Candidate {
  module: ReadableModule;
  /** Without fragment. */
  pageUrl: string;
  title: string;
  fetchedAt: number;
  snippet: Snippet;
  score: number;
  /** Estimated from the average length of the passages of its segment. */
  pageTokens: number;
}

/** Passages asked of the engine; what was sent before and near-duplicates are taken out of these. */
const candidatesAsked = 60;
/** A private passage that matches goes before a public one that matches about as well. */
const privateBoost = 1.6;

/** The passages of these views that match, best first, without passages that say nearly the same as a better one. */
export function findCandidates(views: ModuleView[], query: string): Candidate[] {
  const hits = searchSegments(views, query, { limit: candidatesAsked });
  const ranked = hits
    .map((hit) => ({
      module: hit.view.module,
      pageUrl: hit.page.url,
      title: hit.page.title,
      fetchedAt: hit.page.fetchedAt,
      snippet: hit.snippet,
      score: hit.score * (hit.view.module.visibility === 'private' ? privateBoost : 1),
      pageTokens: Math.round((hit.page.snippetCount * hit.view.segment.tokenCount) / hit.view.segment.snippetCount),
    }))
    .sort((a, b) => b.score - a.score);
  const filter = createDuplicateFilter();
  return ranked.filter((candidate) => filter.admit(candidate.snippet.text));
}
