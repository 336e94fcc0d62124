import type { SearchHit } from '#server/engine/index.ts';
import type { ModuleView } from '#server/features/catalog/index.ts';
import type { Meaning } from './meaning.ts';

type Hit = SearchHit<ModuleView>;

/** Passages of a page that are compared, the best by their words; more change nothing. */
export const passagesCompared = 10;
/** Pages whose passages are compared; those below hardly ever reach an answer. */
const pagesCompared = 8;
/** What a passage gains by its likeness to the question, in scores of the best passage of its page. */
const passageWeight = 15;
/** What a page gains by that of its best passage, in scores of the best page. */
const pageWeight = 1;

/** A page of the ranking by words. */
interface RankedPage {
  /** In the order of their words. */
  hits: Hit[];
  /** In the order of words and likeness together; undefined where passages have no vectors. */
  ordered?: { passages: Hit[]; likeness: number };
}

/**
 * Orders the passages of the first pages by their words and their likeness to the question together, and these pages by that of their
 * best passage as well. `hits` are the ranking by words, `further` more passages of the same pages. A page without vectors stays
 * as it was.
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

/** Scores stay with the places of a page, whichever passages stand there. */
function placed({ hits, ordered }: RankedPage, least: number, unit: number): Hit[] {
  if (ordered === undefined) return hits;
  const lift = unit * (ordered.likeness - least);
  return hits.map((hit, place) => withScore(ordered.passages[place] ?? hit, hit.score + lift));
}

/** Texts and pages are still read when first asked for. */
function withScore(hit: Hit, score: number): Hit {
  return Object.create(hit, { score: { value: score, enumerable: true } }) as Hit;
}
