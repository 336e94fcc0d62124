import { limits } from '#contract/limits.ts';
import { countTokens } from '#server/ingest/split/tokens.ts';
import type { Candidate } from './candidates.ts';
import { type Extract, extractOf, textOfRest } from './extract.ts';
import { type ExtractUnit, unitsOf } from './extract-units.ts';
import { createDuplicateFilter, type DuplicateFilter } from './near-duplicates.ts';
import type { QueryTerm } from './query-terms.ts';
import { type PassageText, passageText } from './render.ts';
import type { RestOfPassage } from './sent-lines.ts';

/** A passage chosen for the answer; `text` is empty when only its address is sent. */
export interface PackedHit {
  candidate: Candidate;
  text: string;
  /** Of the text. */
  tokens: number;
  /** All is shown that the reader did not have. */
  isWhole: boolean;
  /** What is shown of a passage that is cut. */
  lines: string[];
}

/** A hit while it is chosen. */
interface OpenHit extends PackedHit {
  /** Where lines of the passage were sent before: the others are all that may be shown. */
  rest: RestOfPassage | undefined;
  /** What would be shown of it whole; made when first asked for, as it is asked for again. */
  whole: PassageText | undefined;
  /** The whole text has at least so many tokens, as far as they were counted. */
  wholeTokensMin: number;
}

export interface PackOptions {
  /** Best first. */
  candidates: Candidate[];
  /** Passages the reader has: none that says nearly the same is chosen. */
  sentBefore: Candidate[];
  /** Of candidates of which lines were sent: what is left. */
  rests: ReadonlyMap<Candidate, RestOfPassage>;
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
/** Each page's passage is allotted at most this part of what the page before it is. */
const nextPageShare = 0.9;
/**
 * Parts of the budget that the best passage of a page and a further one may take while others wait: the lines that fit
 * of many passages hold the answer more often than few passages whole.
 */
const bestPassageShareMax = 0.1;
/** In a small budget fewer passages are better than shorter ones. */
const bestPassageTokensMin = 80;
const furtherPassageShareMax = 0.05;
const passagesPerPageMax = 4;
/** A larger budget is spread over more pages. */
const tokensPerPageAimed = 800;
/** Tokens a further passage of a page costs besides its text: mark, anchor and headings. */
const furtherPassageTokens = 16;
const furtherExcerptTokensMin = 40;
const cutStepTokens = 12;
const nothingSent: ReadonlySet<number> = new Set();
/** Longer passages hardly ever fit: their lines are counted at once, which tells. */
const tokenCharactersUsual = 6;
/** The empty line between two pages. */
const betweenAddressesTokens = 1;

/**
 * Chooses what of the candidates is sent: the addresses of several pages, and under each its best passage, whole where
 * its share of the budget allows, else the sentences that fit the query best. What is left over makes passages whole and
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

function openHit(candidate: Candidate, { rests }: PackOptions): OpenHit {
  const rest = rests.get(candidate);
  return { candidate, text: '', tokens: 0, isWhole: false, lines: [], rest, ...unseen };
}

const unseen = { whole: undefined, wholeTokensMin: 0 };

function wholeOf(hit: OpenHit): PassageText {
  const { candidate, rest } = hit;
  return (hit.whole ??=
    rest === undefined
      ? passageText(candidate.snippet, candidate.title)
      : { text: textOfRest(rest), titleAbove: rest.above });
}

/** All of the passage: those that were sent are left out where it is cut. */
function unitsOfHit(hit: OpenHit): ExtractUnit[] {
  return hit.rest?.units ?? unitsOf(wholeOf(hit).text);
}

/** What of it fits into `room`. */
function cutWithin(hit: OpenHit, units: ExtractUnit[], room: number, terms: QueryTerm[]): Extract | undefined {
  return extractOf(units, room, terms, hit.rest ?? { sent: nothingSent, above: wholeOf(hit).titleAbove });
}

/** Shows the passage whole where it has at most `room` tokens, else what of it fits. */
function showWithin(hit: OpenHit, room: number, terms: QueryTerm[]): void {
  const { text } = wholeOf(hit);
  if (text.length <= room * tokenCharactersUsual && showWhole(hit, room)) return;
  const units = unitsOfHit(hit);
  const sent = hit.rest?.sent;
  // Joined by the ends of their lines, units never have fewer tokens than without them.
  hit.wholeTokensMin = units.reduce((sum, unit, at) => (sent?.has(at) === true ? sum : sum + unit.tokens - 1), 0);
  if (hit.wholeTokensMin > room || !showWhole(hit, room)) show(hit, cutWithin(hit, units, room, terms));
}

/** False, and nothing shown, when the passage has more tokens than `room`. */
function showWhole(hit: OpenHit, room: number): boolean {
  const { text } = wholeOf(hit);
  const tokens = countTokens(text, room);
  hit.isWhole = tokens <= room;
  if (hit.isWhole) show(hit, { text, tokens, lines: [] });
  return hit.isWhole;
}

function show(hit: OpenHit, { text, tokens, lines }: Extract = { text: '', tokens: 0, lines: [] }): void {
  hit.text = text;
  hit.tokens = tokens;
  hit.lines = lines;
}

/** Gives each hit text within its share; what one does not use goes to the next. Returns what is left over. */
function fillShares(options: PackOptions, hits: OpenHit[], tokensLeft: number): number {
  const weights = hits.map((_, rank) => nextPageShare ** rank);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let carried = 0;
  for (const [rank, hit] of hits.entries()) {
    const share = (tokensLeft * (weights[rank] ?? 0)) / total + carried;
    const most = options.budget * bestPassageShareMax * (weights[rank] ?? 0);
    const room = Math.floor(Math.min(share, Math.max(bestPassageTokensMin, most))) - 2;
    showWithin(hit, room, options.terms);
    carried = share - hit.tokens - 2;
  }
  return carried;
}

/** Spends what is left on the rest of passages that were cut, best first. */
function makeWhole(hits: OpenHit[], tokensLeft: number): void {
  let left = tokensLeft;
  for (const hit of hits) {
    if (hit.isWhole || hit.wholeTokensMin > hit.tokens + left) continue;
    const { text } = wholeOf(hit);
    const tokens = countTokens(text, hit.tokens + left);
    const extra = tokens - hit.tokens;
    if (extra > left) continue;
    show(hit, { text, tokens, lines: [] });
    hit.isWhole = true;
    left -= extra;
  }
}

/** Adds other passages of the pages shown while enough is left for one. Returns what is left over. */
function addFurther(options: PackOptions, hits: OpenHit[], filter: DuplicateFilter, tokensLeft: number): number {
  let left = tokensLeft;
  for (const candidate of options.candidates) {
    const room = Math.floor(
      Math.min(left - furtherPassageTokens, Math.max(furtherExcerptTokensMin, options.budget * furtherPassageShareMax)),
    );
    if (room < furtherExcerptTokensMin || hits.length >= options.hitsMax) break;
    const ofPage = hits.filter((hit) => hit.candidate.pageKey === candidate.pageKey);
    if (ofPage.length === 0 || ofPage.length >= passagesPerPageMax) continue;
    if (ofPage.some((hit) => hit.candidate === candidate) || !filter.admit(candidate.snippet.text)) continue;
    const hit = openHit(candidate, options);
    showWithin(hit, room, options.terms);
    if (hit.text === '') continue;
    hits.push(hit);
    left -= hit.tokens + furtherPassageTokens;
  }
  return left;
}

/** The best passage of each of the first pages, without text yet. */
function addressesThatFit(options: PackOptions, filter: DuplicateFilter): OpenHit[] {
  const hits: OpenHit[] = [];
  const pages = new Set<string>();
  // Each address is counted by itself: counting the growing answer anew for every candidate would be quadratic.
  const empty = options.tokensOf([]);
  let spent = empty;
  const pagesAimed = Math.max(limits.searchPagesAimed, Math.floor(options.budget / tokensPerPageAimed));
  for (const candidate of options.candidates) {
    if (hits.length >= Math.min(pagesAimed, options.hitsMax)) break;
    if (pages.has(candidate.pageUrl) || !filter.admit(candidate.snippet.text)) continue;
    const hit = openHit(candidate, options);
    const share = hits.length === 0 ? 1 : addressShareMax;
    const added = options.tokensOf([hit]) - empty + (hits.length === 0 ? 0 : betweenAddressesTokens);
    if (spent + added > options.budget * share) continue;
    spent += added;
    pages.add(candidate.pageUrl);
    hits.push(hit);
  }
  return hits;
}

/** Passages of one page together, pages in the order of their best passage. */
function inPageOrder(hits: OpenHit[]): OpenHit[] {
  const pages = new Map<string, OpenHit[]>();
  for (const hit of hits) pages.set(hit.candidate.pageUrl, [...(pages.get(hit.candidate.pageUrl) ?? []), hit]);
  return [...pages.values()].flat();
}

/** Estimates add up parts; only the count of the whole answer decides. */
function withinBudget(options: PackOptions, packed: OpenHit[]): PackedHit[] {
  const hits = [...packed];
  while (hits.length > 0 && options.tokensOf(hits) > options.budget) {
    const lastWithText = hits.findLastIndex((hit) => hit.text !== '');
    const last = hits[lastWithText];
    if (last === undefined || lastWithText < hits.length - 1) {
      hits.pop();
      continue;
    }
    show(last, cutWithin(last, unitsOfHit(last), last.tokens - cutStepTokens, options.terms));
    last.isWhole = false;
  }
  return hits;
}
