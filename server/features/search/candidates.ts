import { searchSegments } from '#server/engine/index.ts';
import type { ModuleView } from '#server/features/catalog/index.ts';
import { type Candidate, toCandidate } from './candidate.ts';
import type { Meaning } from './meaning.ts';
import { orderByMeaning, passagesCompared } from './order-by-meaning.ts';
import { type Ranker, rankHere } from './rank-thread.ts';

/** What is asked: the whole query, and the stretches of it that name the library that is searched. */
export interface Asked {
  text: string;
  names?: readonly string[];
}

/** Passages asked of the engine: what was sent before and near-duplicates are taken out of these. */
const candidatesAsked = 60;

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
