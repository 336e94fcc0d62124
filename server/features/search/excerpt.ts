import { countTokens } from '#server/ingest/split/tokens.ts';
import type { QueryTerm } from './query-terms.ts';

/** Shorter excerpts say nothing that the heading does not. */
const usefulTokensMin = 12;
/** What a window has to hold more for each line it begins later. */
const leadTokensMax = 16;
const laterShare = 0.05;

interface Unit {
  text: string;
  tokens: number;
  /** The opening line of the code block this line is in. */
  fence: string | undefined;
}

/** Part of a passage, with its o200k tokens. */
export interface Excerpt {
  text: string;
  tokens: number;
}

/**
 * The run of whole lines (of long paragraphs: whole sentences) of a passage that holds most of the terms, in at most
 * `tokensMax` tokens; code keeps its fence. Undefined when nothing useful fits.
 */
export function excerptOf(text: string, tokensMax: number, terms: QueryTerm[]): Excerpt | undefined {
  if (tokensMax < usefulTokensMin) return undefined;
  const units = unitsOf(text);
  const lead = leadOf(units, tokensMax);
  const termsIn = units.map(({ text: unit }) => termsOf(unit, terms));
  let window = bestWindow(units, tokensMax, termsIn, terms);
  const hasLead = lead !== undefined && window !== undefined && window.from > 0;
  if (hasLead) window = bestWindow(units, tokensMax - lead.tokens, termsIn, terms);
  if (window === undefined) return undefined;
  const start = hasLead && window.from > 0 ? `${lead.text}\n` : '';
  for (let to = window.to; to > window.from; to--) {
    const cut = start + assemble(units, window.from, to);
    const tokens = countTokens(cut);
    if (tokens <= tokensMax) return tokens >= usefulTokensMin ? { text: cut, tokens } : undefined;
  }
  return undefined;
}

/** A short first line, such as a signature, says whose text follows: it is kept where it costs little. */
function leadOf(units: Unit[], tokensMax: number): Unit | undefined {
  const first = units[0];
  if (first === undefined || first.tokens > leadTokensMax || first.tokens * 3 > tokensMax) return undefined;
  return first.text.trim() === '' || isFenceLine(first.text) ? undefined : first;
}

interface Window {
  from: number;
  to: number;
}

/**
 * The window that holds most of the terms. Passages say what they are about in their first lines, so a later window has
 * to hold more to be preferred.
 */
function bestWindow(units: Unit[], tokensMax: number, termsIn: number[][], terms: QueryTerm[]): Window | undefined {
  let best: (Window & { score: number }) | undefined;
  const held = new TermsHeld(termsIn, terms);
  for (let from = 0; from < units.length; from++) {
    const to = endWithin(units, from, tokensMax);
    const score = held.scoreOf(from, to) / (1 + laterShare * from);
    if (to > from && (best === undefined || score > best.score)) best = { from, to, score };
    if (to === units.length) break;
  }
  return best;
}

/** Numbers of the terms a text has. */
function termsOf(text: string, terms: QueryTerm[]): number[] {
  const lower = text.toLowerCase();
  return terms.flatMap(({ stem }, at) => (lower.includes(stem) ? [at] : []));
}

/** Weight of the terms in a window that moves over the units, without looking at all of it again. */
class TermsHeld {
  readonly #terms: QueryTerm[];
  /** Numbers of the terms in each unit. */
  readonly #inUnit: number[][];
  /** Units of the window that have each term. */
  readonly #counts: number[];
  #from = 0;
  #to = 0;
  #score = 0;

  constructor(inUnit: number[][], terms: QueryTerm[]) {
    this.#inUnit = inUnit;
    this.#terms = terms;
    this.#counts = terms.map(() => 0);
  }

  /** Windows are asked for from the first to the last; only `to` may go back. */
  scoreOf(from: number, to: number): number {
    while (this.#to < to) this.#change(this.#to++, 1);
    while (this.#to > Math.max(to, this.#from)) this.#change(--this.#to, -1);
    while (this.#from < Math.min(from, this.#to)) this.#change(this.#from++, -1);
    if (this.#from < from) this.#from = this.#to = from;
    return to > from ? this.#score : 0;
  }

  #change(unit: number, by: 1 | -1): void {
    for (const term of this.#inUnit[unit] ?? []) {
      const before = this.#counts[term] as number;
      this.#counts[term] = before + by;
      if (before === 0 || before + by === 0) this.#score += by * (this.#terms[term]?.weight ?? 0);
    }
  }
}

function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const isFence = isFenceLine(line);
    const inside = fence;
    if (isFence) fence = fence === undefined ? line : undefined;
    const pieces = inside === undefined && !isFence && line.length > 240 ? sentencesOf(line) : [line];
    for (const piece of pieces) {
      units.push({ text: piece, tokens: countTokens(piece) + 1, fence: inside });
    }
  }
  return units;
}

function sentencesOf(line: string): string[] {
  return line.split(/(?<=[.!?:;])\s+(?=[\p{Lu}\p{N}`*("'[])/u);
}

function endWithin(units: Unit[], from: number, tokensMax: number): number {
  // Room for the dots at both ends, and for a fence that has to be added.
  let left = tokensMax - 3 - (units[from]?.fence === undefined ? 0 : 8);
  let to = from;
  while (to < units.length) {
    left -= units[to]?.tokens ?? 0;
    if (left < 0) break;
    to++;
  }
  return to;
}

function isFenceLine(line: string): boolean {
  return /^\s*(?:```|~~~)/.test(line);
}

/** The lines between two places, with the fence of code that they begin or end in, and dots where text is left out. */
function assemble(units: Unit[], windowFrom: number, windowTo: number): string {
  let from = windowFrom;
  let to = windowTo;
  while (from < to && endsCode(units[from])) from += 1;
  while (to > from && beginsCode(units[to - 1])) to -= 1;
  const lines = units.slice(from, to).map((unit) => unit.text);
  const opening = units[from]?.fence;
  if (opening !== undefined) lines.unshift(opening);
  const open = to < units.length ? units[to]?.fence : undefined;
  if (open !== undefined) lines.push(/^\s*(?:`{3,}|~{3,})/.exec(open)?.[0] ?? '```');
  const body = lines.join('\n').replace(/^\n+|\s+$/g, '');
  return `${from > 0 ? '…\n' : ''}${body}${to < units.length ? '\n…' : ''}`;
}

function beginsCode(unit: Unit | undefined): boolean {
  return unit !== undefined && unit.fence === undefined && isFenceLine(unit.text);
}

function endsCode(unit: Unit | undefined): boolean {
  return unit !== undefined && unit.fence !== undefined && isFenceLine(unit.text);
}
