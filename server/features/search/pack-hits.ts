import * as limits from '#contract/limits.ts';
import { countTokens } from '#server/ingest/split/tokens.ts';
import type { Candidate } from './candidates.ts';
import { cutPassage } from './cut-passage.ts';
import { createDuplicateFilter } from './near-duplicates.ts';
import {
  blocksOf,
  finer,
  isBody,
  isHeading,
  type PassageBlock,
  renderBlocks,
  traceOf,
  wholesOf,
} from './passage-blocks.ts';
import type { QueryTerm } from './query-terms.ts';
import { passageText } from './render.ts';

/** A passage chosen for the answer. */
export interface PackedHit {
  candidate: Candidate;
  text: string;
  /** o200k_base tokens of `text`. */
  tokens: number;
  /** True if it includes everything in the passage that the reader does not have yet. */
  isWhole: boolean;
  /** Sentences and lines shown of a cut passage. */
  blocks: string[];
}

export interface PackOptions {
  /** Candidates, best first. */
  candidates: Candidate[];
  /** Passages the reader has; near-duplicates of these are not chosen. */
  sentBefore: Candidate[];
  /** Traces of the sentences and lines already sent of candidates that were cut, by passage id. */
  sentBlocks: ReadonlyMap<string, ReadonlySet<string>>;
  /** Most tokens of the answer. */
  budget: number;
  /** Most passages in the answer. */
  hitsMax: number;
  terms: QueryTerm[];
  /** Returns the tokens of the whole answer for these hits, in this order. */
  tokensOf: (hits: PackedHit[]) => number;
}

// Fitted on the project's own questions.
/** Largest share of the budget for one passage; the best one may use all of it. */
const passageShareMax = 0.5;
/** Passages are never cut to fewer tokens. */
const cutTokensMin = 100;
/** Passages that score below this share of the best score are omitted. */
const scoreShareMin = 0.42;
/** Tokens reserved for the addresses of further pages. */
const addressesTokensMax = 80;
const addressesShareMax = 0.06;
/** Attempts to shorten a passage that exceeds the budget: encoded as JSON, a text has more tokens than alone. */
const fitAttempts = 3;
/** Shorter blocks may be repeated. */
const repeatedCharactersMin = 120;

/**
 * Chooses the best passages, whole, until the budget is full. A passage that is too long for its share is cut at block
 * boundaries around the block that answers best. Blocks that one passage contains are not repeated by another. A page's
 * passages are grouped in page order, ranked by the best of them. The answer never exceeds the token budget; no hits if
 * none fits.
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
    // The first passage of a page has its whole address, further ones only an anchor; assume the former.
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

/** Traces of the longer blocks already in the answer. Computed when needed, since most answers have few passages. */
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

/**
 * Returns the lowest score to send, relative to the best passage, even if that was sent before. Both lists are best
 * first.
 */
export function leastScoreOf({ candidates, sentBefore }: Pick<PackOptions, 'candidates' | 'sentBefore'>): number {
  return scoreShareMin * Math.max(candidates[0]?.score ?? 0, sentBefore[0]?.score ?? 0);
}

/** Returns true if a passage contains more than headings, which are not sent alone. */
export function saysMoreThanHeadings({ snippet, title }: Candidate): boolean {
  const blocks = blocksOf(passageText(snippet, title));
  return blocks.some((_, at) => isBody(blocks, at));
}

/**
 * Returns the addresses of the next best pages, as far as there is room, so that the reader has several pages to choose
 * from. Pages that repeat sent passages come last.
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

/** Fits the passage into at most `roomMax` tokens of text, within what the chosen hits leave of the budget. */
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

/** Returns the passage cut to `room`; undefined if it does not fit or adds nothing new. */
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

/** Returns the indexes of the blocks that neither this answer nor an earlier one contains. */
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
    // Keep a term's definition with it, even if the same text was sent for another term.
    const isOfTerm = introduction !== undefined && isNew[introducedBy ?? -1] === true && !isHeading(introduction);
    isNew.push(!isKnown || isOfTerm);
  }
  // Show a listing, table or list whole even if a part is shown elsewhere: code with gaps does not run, and a parameter
  // that is left out seems not to exist.
  const wholes = sent === undefined ? wholesOf(blocks) : [];
  const newWholes = new Set(blocks.flatMap((_, at) => (isNew[at] ? (wholes[at] ?? []) : [])));
  return blocks.flatMap((_, at) => (isNew[at] || newWholes.has(wholes[at] ?? -1) ? [at] : []));
}

/** Groups the passages by page, in page order; pages are in the order of their best passage. */
function inPageOrder(hits: readonly PackedHit[]): PackedHit[] {
  const pages = new Map<string, PackedHit[]>();
  for (const hit of hits) pages.set(hit.candidate.pageKey, [...(pages.get(hit.candidate.pageKey) ?? []), hit]);
  return [...pages.values()].flatMap((page) => page.sort((a, b) => a.candidate.place - b.candidate.place));
}
