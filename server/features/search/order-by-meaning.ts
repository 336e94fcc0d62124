import type { SearchHit } from '#server/engine/index.ts';
import type { ModuleView } from '#server/features/catalog/index.ts';
import type { Meaning } from './meaning.ts';

type Hit = SearchHit<ModuleView>;

/** Passages compared per page, those with the best word scores; more do not change results. */
export const passagesCompared = 10;
/** Pages whose passages are compared; lower pages hardly ever reach an answer. */
const pagesCompared = 8;
/** Weight of a passage's similarity to the question, in units of its page's best passage score. */
const passageWeight = 15;
/** Weight of a page's best similarity, in units of the best page's score. */
const pageWeight = 1;

/** A page in the ranking by words. */
interface RankedPage {
  /** Ranked by words. */
  hits: Hit[];
  /** Ranked by words and similarity together; undefined if the passages have no vectors. */
  ordered?: { passages: Hit[]; likeness: number };
}

/**
 * Reorders the passages of the first pages by words and similarity to the question together, and these pages by their
 * best passage's similarity too. `hits` is the ranking by words, `further` more passages of the same pages. A page
 * without vectors keeps its order.
 */
export async function orderByMeaning(
  hits: readonly Hit[],
  further: readonly Hit[],
  question: Float32Array,
  passages: Meaning['passages'],
): Promise<Hit[]> {
  const furtherOf = Map.groupBy(further, pageKeyOf);
  const pages: RankedPage[] = [];
  for (const [key, own] of Map.groupBy(hits, pageKeyOf)) {
    const isCompared = pages.length < pagesCompared;
    const ordered = isCompared ? await compare(furtherOf.get(key) ?? [], question, passages) : undefined;
    pages.push({ hits: own, ...(ordered === undefined ? {} : { ordered }) });
  }
  const least = Math.min(...pages.flatMap(({ ordered }) => ordered?.likeness ?? []));
  const unit = pageWeight * (hits[0]?.score ?? 0);
  return pages.flatMap((page) => placed(page, least, unit)).sort((a, b) => b.score - a.score);
}

function pageKeyOf({ view, pageIndex }: Hit): string {
  return `${view.key} ${pageIndex}`;
}

async function compare(
  page: Hit[],
  question: Float32Array,
  passages: Meaning['passages'],
): Promise<RankedPage['ordered']> {
  const numbers = page.map(({ snippetIndex }) => snippetIndex);
  const likenesses = await passages.likenesses(page[0]?.view.key ?? '', numbers, question);
  if (likenesses === undefined || page.length === 0) return undefined;
  const unit = Math.max(...page.map(({ parts }) => parts.snippet * parts.boost)) || 1;
  const together = page.map((hit, at) => ({
    hit,
    value: hit.score / unit + passageWeight * (likenesses[at] as number),
  }));
  const ordered = together.sort((a, b) => b.value - a.value).map(({ hit }) => hit);
  return { passages: ordered, likeness: Math.max(...likenesses) };
}

/** Scores belong to positions on the page, whichever passage takes the position. */
function placed({ hits, ordered }: RankedPage, least: number, unit: number): Hit[] {
  if (ordered === undefined) return hits;
  const lift = unit * (ordered.likeness - least);
  return hits.map((hit, place) => withScore(ordered.passages[place] ?? hit, hit.score + lift));
}

/** Returns the hit with another score; its text and page are still read on first access. */
function withScore(hit: Hit, score: number): Hit {
  return Object.create(hit, { score: { value: score, enumerable: true } }) as Hit;
}
