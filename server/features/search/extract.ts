import { countTokens } from '#server/ingest/split/tokens.ts';
import type { Excerpt } from './excerpt.ts';
import { type ExtractUnit, linesOfUnit } from './extract-units.ts';
import type { QueryTerm } from './query-terms.ts';
import type { KnownOfPassage, RestOfPassage } from './sent-lines.ts';

/** With the lines that it is made of. */
export interface Extract extends Excerpt {
  lines: string[];
}

const nothingKnown: KnownOfPassage = { sent: new Set(), above: '' };

/** Shorter ones say nothing that the heading does not. */
const usefulTokensMin = 12;
/** A first line of up to so many tokens, such as a signature, says whose text follows. */
const leadTokensMax = 16;
/** What a unit counts that has none of the terms, at this length and above; terms count 2 to 13. */
const ownWeight = 2;
/** Scraps (`For example:`, a bracket) say little: a shorter unit without terms counts in proportion to its length. */
const ownWeightTokens = 30;
/** Of a unit without letters and digits, such as the rule of a table: it is taken last, beside what is shown. */
const signsWeight = 1e-3;
const hasWord = /[\p{L}\p{N}]/u;
/** A term that has been shown already counts this part of what it counted the last time. */
const shownAgainShare = 0.5;
/** Passages say what they are about at their beginning: what a unit has to hold more for each one before it. */
const laterShare = 0.05;
/** A unit beside a chosen one is easier to read than one behind a gap. */
const besideFactor = 1.2;
/** What a chosen line announces counts this part of the terms that the line was chosen for. */
const announcedShare = 0.5;
/** Longer lines say something by themselves. */
const announcementCharactersMax = 80;
const endsWithColon = /[:：]\s*$/;
const endsSentence = /[.!?。]["')\]]*\s*$/;
/** Long units hold more terms by chance. */
const lengthPower = 0.3;
/** The mark of a gap, with the ends of its lines. */
const gapTokens = 2;

/**
 * The sentences and lines of a passage that hold most of the terms, in their order, in at most `tokensMax` tokens; dots stand
 * where text is left out, code keeps its fence. Undefined when nothing useful fits. Chosen one after the other, each for
 * what it adds to those before (maximal marginal relevance, Carbonell and Goldstein 1998). Holds the answer of a passage
 * more often than a run of its lines of the same length does; such a run (`excerptOf`) is better to read. What is `above` it, and
 * units that were `sent`, by number, the reader has: these are left out, that counts as shown.
 */
export function extractOf(
  units: ExtractUnit[],
  tokensMax: number,
  terms: QueryTerm[],
  known: KnownOfPassage = nothingKnown,
): Extract | undefined {
  if (tokensMax < usefulTokensMin) return undefined;
  const chosen = chooseUnits(units, tokensMax, terms, known);
  // What was chosen last is worth least.
  for (; chosen.length > 0; chosen.pop()) {
    const shown = assemble(units, chosen);
    const tokens = countTokens(shown);
    if (tokens > tokensMax) continue;
    const lines = chosen.flatMap((unit) => linesOfUnit(units[unit] as ExtractUnit));
    return tokens >= usefulTokensMin ? { text: shown, tokens, lines } : undefined;
  }
  return undefined;
}

/** All that the reader does not have of a passage. */
export function textOfRest({ units, sent }: RestOfPassage): string {
  return assemble(
    units,
    [...units.keys()].filter((unit) => !sent.has(unit)),
  );
}

/** Numbers of units in the order of choice. */
function chooseUnits(units: ExtractUnit[], tokensMax: number, terms: QueryTerm[], known: KnownOfPassage): number[] {
  const { sent } = known;
  const chosen: number[] = [];
  const worth = new UnitWorth(units, terms, known);
  let left = tokensMax - gapTokens;
  const take = (unit: number): void => {
    chosen.push(unit);
    left -= worth.take(unit);
  };
  const first = units[0];
  const isLead = first !== undefined && first.tokens <= leadTokensMax && first.tokens * 3 <= tokensMax;
  if (isLead && !sent.has(0) && hasWord.test(first.text)) take(0);
  for (;;) {
    const best = worth.bestWithin(left);
    if (best === undefined) return chosen;
    take(best);
  }
}

/** What each unit would add to those that are chosen. */
class UnitWorth {
  readonly #units: ExtractUnit[];
  /** What each counts without its terms. */
  readonly #ownWorth: number[];
  /** What the worth of each is divided by, for its place and its length. */
  readonly #divisors: number[];
  /** Numbers of the terms in each unit. */
  readonly #termsIn: number[][];
  /** What showing each term once more counts. */
  readonly #termWorth: number[];
  readonly #isChosen: boolean[];
  /** Chosen, or with the reader already. */
  readonly #isTaken: boolean[];
  readonly #openedFences = new Set<number>();
  /** What each counts more because the unit before it, which is chosen, announces it. */
  readonly #announced: number[] = [];

  constructor(units: ExtractUnit[], terms: QueryTerm[], { sent, above }: KnownOfPassage) {
    this.#units = units;
    this.#isTaken = units.map((_, unit) => sent.has(unit));
    this.#ownWorth = units.map(({ text, tokens }) =>
      hasWord.test(text) ? ownWeight * Math.min(1, tokens / ownWeightTokens) : signsWeight,
    );
    this.#divisors = units.map(({ tokens }, unit) => (1 + laterShare * unit) * tokens ** lengthPower);
    const shown = above.toLowerCase();
    this.#termWorth = terms.map(({ weight, stem }) => (shown.includes(stem) ? weight * shownAgainShare : weight));
    this.#isChosen = units.map(() => false);
    this.#termsIn = units.map(({ text }) => termsIn(text.toLowerCase(), terms));
  }

  /** The unit that adds most, of those that take at most so many tokens. */
  bestWithin(tokensMax: number): number | undefined {
    let best: number | undefined;
    let most = 0;
    for (let unit = 0; unit < this.#units.length; unit++) {
      if (this.#isTaken[unit] || this.#costOf(unit) > tokensMax) continue;
      const worth = this.#worthOf(unit);
      if (worth <= most) continue;
      most = worth;
      best = unit;
    }
    return best;
  }

  /** Marks a unit as chosen. Returns the tokens that it takes. */
  take(unit: number): number {
    const cost = this.#costOf(unit);
    const taken = this.#units[unit] as ExtractUnit;
    if (taken.fence !== undefined) this.#openedFences.add(taken.fence.id);
    this.#isChosen[unit] = true;
    this.#isTaken[unit] = true;
    let worth = 0;
    for (const term of this.#termsIn[unit] ?? []) {
      worth += this.#termWorth[term] as number;
      this.#termWorth[term] = (this.#termWorth[term] as number) * shownAgainShare;
    }
    if (isAnnouncement(taken)) this.#announced[unit + 1] = worth * announcedShare;
    return cost;
  }

  #worthOf(unit: number): number {
    let sum = (this.#ownWorth[unit] as number) + (this.#announced[unit] ?? 0);
    for (const term of this.#termsIn[unit] ?? []) sum += this.#termWorth[term] as number;
    const isBeside = this.#isBesideChosen(unit);
    if (sum === signsWeight && !isBeside) return 0;
    return (sum * (isBeside ? besideFactor : 1)) / (this.#divisors[unit] as number);
  }

  #costOf(unit: number): number {
    const { tokens, fence } = this.#units[unit] as ExtractUnit;
    const fenceTokens = fence === undefined || this.#openedFences.has(fence.id) ? 0 : fence.tokens;
    return tokens + fenceTokens + (this.#isBesideChosen(unit) ? 0 : gapTokens);
  }

  #isBesideChosen(unit: number): boolean {
    return unit === 0 || this.#isChosen[unit - 1] === true || this.#isChosen[unit + 1] === true;
  }
}

/** `For example:`, the title of a step: what follows is what it is about. */
function isAnnouncement({ text, fence }: ExtractUnit): boolean {
  if (fence !== undefined) return false;
  return endsWithColon.test(text) || (text.length <= announcementCharactersMax && !endsSentence.test(text));
}

/** A loop, as this runs for every line of every passage shown. */
function termsIn(lower: string, terms: QueryTerm[]): number[] {
  const found: number[] = [];
  for (let term = 0; term < terms.length; term++) {
    if (lower.includes((terms[term] as QueryTerm).stem)) found.push(term);
  }
  return found;
}

/** The chosen units in their order: code in the fence it came in, dots where units are left out. */
function assemble(units: ExtractUnit[], chosen: number[]): string {
  let shown = '';
  let last = -1;
  for (const at of [...chosen].sort((a, b) => a - b)) {
    const unit = units[at] as ExtractUnit;
    const before = units[last];
    const isGap = at !== last + 1;
    if (before?.fence?.id === unit.fence?.id) {
      shown += isGap ? gapBetween(shown, unit) : shown === '' ? '' : unit.separator;
    } else {
      if (before?.fence !== undefined) shown += `\n${before.fence.closing}`;
      if (isGap) shown += shown === '' ? '…' : '\n…';
      if (shown !== '') shown += '\n';
      if (unit.fence !== undefined) shown += `${unit.fence.opening}\n`;
    }
    shown += unit.text;
    last = at;
  }
  const end = units[last]?.fence;
  if (end !== undefined) shown += `\n${end.closing}`;
  return last < units.length - 1 ? `${shown}\n…` : shown;
}

/** Sentences of one line stay on one line. */
function gapBetween(shown: string, { separator }: ExtractUnit): string {
  if (shown === '') return '…\n';
  return separator === ' ' ? ' … ' : '\n…\n';
}
