import * as limits from '#contract/limits.ts';
import { countTokens } from '#server/ingest/split/tokens.ts';
import type { Candidate } from './candidates.ts';
import { cutPassage } from './cut-passage.ts';
import { createDuplicateFilter } from './near-duplicates.ts';
import { blocksOf, finer, isBody, isHeading, type PassageBlock, renderBlocks, traceOf } from './passage-blocks.ts';
import type { QueryTerm } from './query-terms.ts';
import { passageText } from './render.ts';

/** A passage chosen for the answer. */
export interface PackedHit {
  candidate: Candidate;
  text: string;
  /** o200k_base tokens of the text. */
  tokens: number;
  /** All of the passage is shown that the reader does not have. */
  isWhole: boolean;
  /** Sentences and lines shown of a passage that is cut. */
  blocks: string[];
}

export interface PackOptions {
  /** Best first. */
  candidates: Candidate[];
  /** Passages the reader has: none that says nearly the same is chosen. */
  sentBefore: Candidate[];
  /** Traces of the sentences and lines that the reader has of candidates that were cut, by id of the passage. */
  sentBlocks: ReadonlyMap<string, ReadonlySet<string>>;
  /** Most tokens of the answer. */
  budget: number;
  /** Most passages. */
  hitsMax: number;
  terms: QueryTerm[];
  /** Tokens of the whole answer for these hits, in their order. */
  tokensOf: (hits: PackedHit[]) => number;
}

// Fitted on the project's own questions.
/** Most of the budget that one passage takes; the best one may take all of it. */
const passageShareMax = 0.5;
/** A passage is cut to no fewer tokens than this. */
const cutTokensMin = 100;
/** Passages of a smaller share of the best one's score are left out. */
const scoreShareMin = 0.42;
/** Set aside for the addresses of further pages. */
const addressesTokensMax = 80;
const addressesShareMax = 0.06;
/** Text that is sent as JSON has more tokens than the text itself: what is too long is made shorter, so many times. */
const fitAttempts = 3;
/** Shorter blocks are said twice without harm. */
const repeatedCharactersMin = 120;

/**
 * Chooses what is sent: the best passages, whole, until the budget is full. One that is too long for its share is cut
 * between blocks around the block that answers best. What one passage says is not said again by another. Passages of a page stand
 * together, in the page's order, where the best of them ranks. The answer never has more tokens than the budget; no hits
 * when none fits.
 */
export function packHits(options: PackOptions): PackedHit[] {
  const filter = createDuplicateFilter();
  for (const { snippet } of options.sentBefore) filter.admit(snippet.text);
  const hits: PackedHit[] = [];
  const said = new SaidBefore();
  const repeating = new Set<string>();
  const reserved = Math.min(addressesTokensMax, options.budget * addressesShareMax);
  const budget = options.budget - reserved;
  const notesTokens = options.tokensOf([]);
  let left = budget - notesTokens;
  const least = leastScoreOf(options);
  for (const candidate of options.candidates) {
    if (hits.length >= options.hitsMax || left < cutTokensMin) break;
    if (candidate.score < least) break;
    const share = hits.length === 0 ? 1 : passageShareMax;
    const tokensMax = Math.min(left, budget * share);
    // Alone, a passage has its whole address; among others of its page, an anchor.
    const addressTokens = options.tokensOf([addressOf(candidate)]) - notesTokens;
    const room = Math.floor(tokensMax - addressTokens) - 1;
    const fitted = fit(candidate, hits, room, said.traces(), options);
    if (fitted === undefined) continue;
    if (!filter.admit(candidate.snippet.text, candidate.title)) {
      repeating.add(candidate.pageKey);
      continue;
    }
    hits.push(fitted.hit);
    left = budget - fitted.spent;
    said.add(fitted.hit);
  }
  return inPageOrder([...hits, ...furtherPages(options, hits, repeating)]);
}

/** Traces of the longer blocks that an answer says already. Most answers have few passages: they are read when asked for. */
class SaidBefore {
  #unread: string[] = [];
  readonly #traces = new Set<string>();

  add({ text }: PackedHit): void {
    this.#unread.push(text);
  }

  traces(): ReadonlySet<string> {
    for (const { text } of this.#unread.flatMap(blocksOf))
      if (text.length >= repeatedCharactersMin) this.#traces.add(traceOf(text));
    this.#unread = [];
    return this.#traces;
  }
}

/** Passages of a lower score are not sent, whether the best one was sent before or is sent now. Both lists are best first. */
export function leastScoreOf({ candidates, sentBefore }: Pick<PackOptions, 'candidates' | 'sentBefore'>): number {
  return scoreShareMin * Math.max(candidates[0]?.score ?? 0, sentBefore[0]?.score ?? 0);
}

/** Returns true if a passage says more than headings, which are not sent alone. */
export function saysMoreThanHeadings({ snippet, title }: Candidate): boolean {
  const blocks = blocksOf(passageText(snippet, title));
  return blocks.some((_, at) => isBody(blocks, at));
}

/**
 * The addresses of the next best pages, so that the reader sees some pages to choose from, where passages leave room; last of
 * pages that repeat what is sent.
 */
function furtherPages(options: PackOptions, hits: readonly PackedHit[], repeating: ReadonlySet<string>): PackedHit[] {
  const shown = new Set(hits.map(({ candidate }) => candidate.pageKey));
  const further: PackedHit[] = [];
  const repeats = ({ pageKey }: Candidate): boolean => repeating.has(pageKey);
  const others = [...options.candidates.filter((one) => !repeats(one)), ...options.candidates.filter(repeats)];
  for (const candidate of hits.length === 0 ? [] : others) {
    if (shown.size >= limits.searchPagesAimed || hits.length + further.length >= options.hitsMax) break;
    if (shown.has(candidate.pageKey)) continue;
    const hit = addressOf(candidate);
    if (options.tokensOf(inPageOrder([...hits, ...further, hit])) > options.budget) break;
    further.push(hit);
    shown.add(candidate.pageKey);
  }
  return further;
}

function addressOf(candidate: Candidate): PackedHit {
  return { candidate, text: '', tokens: 0, isWhole: false, blocks: [] };
}

/** The passage in at most `roomMax` tokens of text, where the answer keeps to its budget with what is chosen already. */
function fit(
  candidate: Candidate,
  hits: readonly PackedHit[],
  roomMax: number,
  said: ReadonlySet<string>,
  options: PackOptions,
): { hit: PackedHit; spent: number } | undefined {
  const withHit = (hit: PackedHit): number => options.tokensOf(inPageOrder([...hits, hit]));
  let room = roomMax;
  for (let attempt = 0; attempt < fitAttempts; attempt += 1) {
    const hit = show(candidate, room, said, options);
    if (hit === undefined) return undefined;
    const spent = withHit(hit);
    if (spent <= options.budget) return { hit, spent };
    room = Math.min(room, hit.tokens) - (spent - options.budget);
  }
  return undefined;
}

/** The passage as it fits `room`; undefined where it does not, or says nothing new. */
function show(
  candidate: Candidate,
  room: number,
  said: ReadonlySet<string>,
  { sentBlocks, terms }: PackOptions,
): PackedHit | undefined {
  const { snippet, title } = candidate;
  const sent = sentBlocks.get(candidate.snippetId);
  const whole = passageText(snippet, title);
  const blocks = sent === undefined ? blocksOf(whole) : finer(blocksOf(whole));
  const kept = newOf(blocks, said, sent);
  if (!kept.some((at) => isBody(blocks, at))) return undefined;
  const text = kept.length === blocks.length ? whole : renderBlocks(blocks, kept);
  const tokens = countTokens(text, room);
  if (tokens <= room) return { candidate, text, tokens, isWhole: true, blocks: [] };
  if (room < cutTokensMin) return undefined;
  const known = new Set(blocks.flatMap((_, at) => (kept.includes(at) ? [] : [at])));
  const cut =
    cutPassage(blocks, room, terms, known) ?? (known.size === 0 ? cutPassage(finer(blocks), room, terms) : undefined);
  if (cut === undefined) return undefined;
  return { candidate, text: cut.text, tokens: countTokens(cut.text), isWhole: false, blocks: cut.blocks };
}

/** Indexes of the blocks that neither this answer nor an earlier one says. */
function newOf(
  blocks: readonly PassageBlock[],
  said: ReadonlySet<string>,
  sent: ReadonlySet<string> | undefined,
): number[] {
  if (said.size === 0 && sent === undefined) return [...blocks.keys()];
  const isNew: boolean[] = [];
  for (const { text, introducedBy } of blocks) {
    const trace = traceOf(text);
    const isKnown = said.has(trace) || sent?.has(trace) === true;
    const introduction = introducedBy === undefined ? undefined : blocks[introducedBy];
    // What a term means stands with it, though it was said of another.
    const isOfTerm = introduction !== undefined && isNew[introducedBy ?? -1] === true && !isHeading(introduction);
    isNew.push(!isKnown || isOfTerm);
  }
  // A listing of which a part was said is sent as a whole: code with a gap does not run.
  const listingOf = ({ frame }: PassageBlock) => (sent === undefined && frame?.close !== '' ? frame?.id : undefined);
  const newListings = new Set(blocks.flatMap((block, at) => (isNew[at] ? (listingOf(block) ?? []) : [])));
  return blocks.flatMap((block, at) => (isNew[at] || newListings.has(listingOf(block) ?? -1) ? [at] : []));
}

/** Passages of one page together, in its order; pages in the order of their best passage. */
function inPageOrder(hits: readonly PackedHit[]): PackedHit[] {
  const pages = new Map<string, PackedHit[]>();
  for (const hit of hits) pages.set(hit.candidate.pageKey, [...(pages.get(hit.candidate.pageKey) ?? []), hit]);
  return [...pages.values()].flatMap((page) => page.sort((a, b) => a.candidate.place - b.candidate.place));
}
