import { limits } from '#contract/limits.ts';
import { countTokens } from '#server/ingest/split/index.ts';
import type { Candidate } from './candidates.ts';
import { excerptOf } from './excerpt.ts';
import { createDuplicateFilter, type DuplicateFilter } from './near-duplicates.ts';
import type { QueryTerm } from './query-terms.ts';
import { shownText } from './render.ts';

/** A passage chosen for the answer; `text` is empty when only its address is sent. */
export interface PackedHit {
  candidate: Candidate;
  text: string;
  isWhole: boolean;
}

export interface PackOptions {
  /** Best first. */
  candidates: Candidate[];
  /** Passages the reader has: none that says nearly the same is chosen. */
  sentBefore: Candidate[];
  /** Most tokens of the answer. */
  budget: number;
  /** Most passages. */
  hitsMax: number;
  terms: QueryTerm[];
  /** Tokens of the whole answer for these hits, in their order. */
  tokensOf: (hits: PackedHit[]) => number;
}

/** Addresses alone may take this share of a budget; where they would take more, fewer pages are shown. */
const addressShareMax = 0.5;
/** Each page's passage is allotted this part of what the page before it is. */
const nextPageShare = 0.9;
/**
 * Parts of the budget that the best passage of a page and a further one may take while others wait: the lines that fit
 * of many passages hold the answer more often than few passages whole.
 */
const bestPassageShareMax = 0.16;
const furtherPassageShareMax = 0.07;
const passagesPerPageMax = 4;
/** A larger budget is spread over more pages. */
const tokensPerPageAimed = 800;
/** Tokens a further passage of a page costs besides its text: mark, anchor and headings. */
const furtherPassageTokens = 24;
const furtherExcerptTokensMin = 40;
const cutStepTokens = 12;

/**
 * Chooses what of the candidates is sent: the addresses of several pages, and under each its best passage, whole where
 * its share of the budget allows, else the lines that fit the query best. What is left over makes passages whole and
 * adds further ones. No two passages say nearly the same. The answer never has more tokens than the budget; no
 * hits when none fits.
 */
export function packHits(options: PackOptions): PackedHit[] {
  const filter = createDuplicateFilter();
  for (const { snippet } of options.sentBefore) filter.admit(snippet.text);
  const hits = addressesThatFit(options, filter);
  if (hits.length === 0) return [];
  const left = fillShares(options, hits, options.budget - options.tokensOf(hits));
  makeWhole(hits, addFurther(options, hits, filter, left));
  return withinBudget(options, inPageOrder(hits));
}

/** Gives each hit text within its share; what one does not use goes to the next. Returns what is left over. */
function fillShares(options: PackOptions, hits: PackedHit[], tokens: number): number {
  const weights = hits.map((_, rank) => nextPageShare ** rank);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let carried = 0;
  for (const [rank, hit] of hits.entries()) {
    const share = (tokens * (weights[rank] ?? 0)) / total + carried;
    const room = Math.floor(Math.min(share, options.budget * bestPassageShareMax)) - 2;
    const text = shownText(hit.candidate.snippet);
    hit.isWhole = countTokens(text, room) <= room;
    hit.text = hit.isWhole ? text : (excerptOf(text, room, options.terms) ?? '');
    carried = share - countTokens(hit.text) - 2;
  }
  return carried;
}

/** Spends what is left on the rest of passages that were cut, best first. */
function makeWhole(hits: PackedHit[], tokensLeft: number): void {
  let left = tokensLeft;
  for (const hit of hits) {
    if (hit.isWhole) continue;
    const text = shownText(hit.candidate.snippet);
    const own = countTokens(hit.text);
    const extra = countTokens(text, own + left) - own;
    if (extra > left) continue;
    hit.text = text;
    hit.isWhole = true;
    left -= extra;
  }
}

/** Adds other passages of the pages shown while enough is left for one. Returns what is left over. */
function addFurther(options: PackOptions, hits: PackedHit[], filter: DuplicateFilter, tokensLeft: number): number {
  let left = tokensLeft;
  for (const candidate of options.candidates) {
    const room = Math.floor(
      Math.min(left - furtherPassageTokens, Math.max(furtherExcerptTokensMin, options.budget * furtherPassageShareMax)),
    );
    if (room < furtherExcerptTokensMin || hits.length >= options.hitsMax) break;
    const ofPage = hits.filter((hit) => hit.candidate.pageUrl === candidate.pageUrl);
    if (ofPage.length === 0 || ofPage.length >= passagesPerPageMax) continue;
    if (ofPage.some((hit) => hit.candidate === candidate) || !filter.admit(candidate.snippet.text)) continue;
    const whole = shownText(candidate.snippet);
    const isWhole = countTokens(whole, room) <= room;
    const text = isWhole ? whole : excerptOf(whole, room, options.terms);
    if (text === undefined) continue;
    hits.push({ candidate, text, isWhole });
    left -= countTokens(text) + furtherPassageTokens;
  }
  return left;
}

/** The best passage of each of the first pages, without text yet. */
function addressesThatFit(options: PackOptions, filter: DuplicateFilter): PackedHit[] {
  const hits: PackedHit[] = [];
  const pages = new Set<string>();
  const pagesAimed = Math.max(limits.searchPagesAimed, Math.floor(options.budget / tokensPerPageAimed));
  for (const candidate of options.candidates) {
    if (hits.length >= Math.min(pagesAimed, options.hitsMax)) break;
    if (pages.has(candidate.pageUrl) || !filter.admit(candidate.snippet.text)) continue;
    const hit = { candidate, text: '', isWhole: false };
    const share = hits.length === 0 ? 1 : addressShareMax;
    if (options.tokensOf([...hits, hit]) > options.budget * share) continue;
    pages.add(candidate.pageUrl);
    hits.push(hit);
  }
  return hits;
}

/** Passages of one page together, pages in the order of their best passage. */
function inPageOrder(hits: PackedHit[]): PackedHit[] {
  const pages = new Map<string, PackedHit[]>();
  for (const hit of hits) pages.set(hit.candidate.pageUrl, [...(pages.get(hit.candidate.pageUrl) ?? []), hit]);
  return [...pages.values()].flat();
}

/** Estimates add up parts; only the count of the whole answer decides. */
function withinBudget(options: PackOptions, packed: PackedHit[]): PackedHit[] {
  const hits = [...packed];
  while (hits.length > 0 && options.tokensOf(hits) > options.budget) {
    const lastWithText = hits.findLastIndex((hit) => hit.text !== '');
    const last = hits[lastWithText];
    if (last === undefined || lastWithText < hits.length - 1) {
      hits.pop();
      continue;
    }
    last.text = excerptOf(last.text, countTokens(last.text) - cutStepTokens, options.terms) ?? '';
    last.isWhole = false;
  }
  return hits;
}
