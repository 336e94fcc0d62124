import { AppError } from '#server/app-error.ts';
import { countTokens } from '#server/ingest/split/tokens.ts';
import { excerptOf } from './excerpt.ts';
import type { PageToRead, SectionRange } from './page-to-read.ts';
import type { QueryTerm } from './query-terms.ts';
import { linkedText, partText } from './render.ts';
import type { ReadPlan } from './render-read.ts';

export interface PlanReadOptions {
  page: PageToRead;
  /** Most tokens of the rendered read. */
  budget: number;
  section: SectionRange | undefined;
  /** Part of the budget that the section may take whole; more of it is shown in excerpts. */
  sectionShare: number;
  /** How well each snippet answers what is looked for, by index; undefined when nothing is known of it. */
  relevance: number[] | undefined;
  /** Indexes that were sent before and are left out. */
  sentBefore: Set<number>;
  terms: QueryTerm[];
  notes: string[];
  render: (plan: ReadPlan) => string;
}

export interface PlannedRead {
  plan: ReadPlan;
  text: string;
  /** Indexes whose text is whole. */
  whole: Set<number>;
}

/** A page opens with what it is about; more of its beginning is only shown when nothing is known to be looked for. */
const openingTokensMax = 90;
const excerptTokensMin = 24;
const partTokensMax = 70;
const outlineSectionsMax = 12;
/** Tokens set aside for the outline; given back when there is nothing to outline. */
const outlineShare = 0.12;
const outlineTokensMax = 120;
/** A heading above a part, and the mark of the gap before it. */
const headingTokens = 10;
const cutStepTokens = 16;
/** More than documentation has anywhere; a page over this is too long without counting. */
const charactersPerTokenMax = 12;

/**
 * Chooses the parts of a page that fit the budget: all of it, with its links when they fit as well, else the best parts.
 * The rendered text never has more tokens than the budget; one that does not even hold title and address is refused.
 */
export function planRead(options: PlanReadOptions): PlannedRead {
  const everything = indexesOf(options.page).filter((index) => !options.sentBefore.has(index));
  for (const textIn of [linkedText, partText]) {
    const parts = new Map(everything.map((index) => [index, textOf(options, index, textIn)]));
    const tokensMin = [...parts.values()].reduce((sum, text) => sum + text.length, 0) / charactersPerTokenMax;
    if (tokensMin > options.budget) continue;
    const plan = planOf(options, parts);
    const text = options.render(plan);
    if (countTokens(text) <= options.budget) return { plan, text, whole: new Set(everything) };
  }
  return withinBudget(options, chooseParts(options, everything));
}

interface Chosen {
  /** In the order of choice: the last is the first to go. */
  parts: [index: number, text: string][];
  whole: Set<number>;
}

function chooseParts(options: PlanReadOptions, candidates: number[]): Chosen {
  const chosen: Chosen = { parts: [], whole: new Set() };
  const frame = countTokens(options.render(planOf(options, new Map(), 0)));
  let left = options.budget - frame - Math.min(options.budget * outlineShare, outlineTokensMax);
  for (const index of byPriority(options, candidates)) {
    const text = textOf(options, index);
    const room = Math.floor(Math.min(left, roomFor(options, chosen, index)) - headingTokens);
    const isWhole = countTokens(text) <= room;
    const shown = isWhole ? text : excerptOf(text, room, isOpening(options, index) ? [] : options.terms)?.text;
    if (shown === undefined || (!isWhole && room < excerptTokensMin)) continue;
    chosen.parts.push([index, shown]);
    if (isWhole) chosen.whole.add(index);
    left -= countTokens(shown) + headingTokens;
  }
  return chosen;
}

/**
 * Tokens one part may take. Where something is looked for, only the beginning of the named section (or else the first
 * part chosen) may be long: the lines that fit of many parts hold the answer more often than few parts whole.
 */
function roomFor(options: PlanReadOptions, chosen: Chosen, index: number): number {
  if (options.relevance === undefined) return Number.POSITIVE_INFINITY;
  if (isOpening(options, index)) return openingTokensMax;
  if (chosen.whole.size === 0) return Number.POSITIVE_INFINITY;
  if (!isInside(options.section, index)) return partTokensMax;
  const spent = chosen.parts.filter(([other]) => isInside(options.section, other)).map(([, text]) => countTokens(text));
  const left = options.budget * options.sectionShare - spent.reduce((sum, tokens) => sum + tokens, 0);
  return Math.max(left, partTokensMax);
}

function isOpening(options: PlanReadOptions, index: number): boolean {
  return index === 0 && options.relevance !== undefined && !isInside(options.section, index);
}

/** The named section, the opening, then the parts most like what is looked for; without that, in reading order. */
function byPriority(options: PlanReadOptions, candidates: number[]): number[] {
  const { section, relevance } = options;
  const ofSection = candidates.filter((index) => isInside(section, index));
  const sectionTokens = tokensOf(options.page, ofSection);
  const rest = candidates.filter((index) => !isInside(section, index) && index !== 0);
  const opening = candidates.filter((index) => index === 0 && !isInside(section, index));
  if (relevance === undefined) return [...ofSection, ...opening, ...rest];
  const byRelevance = (a: number, b: number) => (relevance[b] ?? 0) - (relevance[a] ?? 0) || a - b;
  const orderedSection = sectionTokens > options.budget ? bestFirst(ofSection, byRelevance) : ofSection;
  return [...orderedSection, ...opening, ...rest.sort(byRelevance)];
}

/** A section that does not fit: its beginning says what it is, then its best parts. */
function bestFirst(indexes: number[], compare: (a: number, b: number) => number): number[] {
  return [...indexes.slice(0, 1), ...indexes.slice(1).sort(compare)];
}

/** Estimates add up parts; only the count of the whole text decides. */
function withinBudget(options: PlanReadOptions, chosen: Chosen): PlannedRead {
  const parts = [...chosen.parts];
  const whole = new Set(chosen.whole);
  let outlineMax = outlineSectionsMax;
  for (;;) {
    const plan = planOf(options, new Map(parts), outlineMax);
    const text = options.render(plan);
    if (countTokens(text) <= options.budget) return { plan, text, whole };
    if (outlineMax > 3) {
      outlineMax -= 3;
      continue;
    }
    const last = parts.pop();
    if (last === undefined) {
      if (outlineMax > 0) outlineMax -= 1;
      else return bareMinimum(options);
      continue;
    }
    whole.delete(last[0]);
    const shorter = excerptOf(last[1], countTokens(last[1]) - cutStepTokens, options.terms)?.text;
    if (shorter !== undefined && parts.length === 0) parts.push([last[0], shorter]);
  }
}

/** When not even the title and the list of sections fit. */
function bareMinimum(options: PlanReadOptions): PlannedRead {
  const plan: ReadPlan = { ...planOf(options, new Map(), 0), notes: [], leftOut: [], sentBefore: [] };
  const text = options.render(plan);
  if (countTokens(text) <= options.budget) return { plan, text, whole: new Set() };
  throw new AppError('invalid-input', {
    values: { reason: 'the budget is too small for this page; allow more tokens' },
  });
}

function planOf(options: PlanReadOptions, parts: Map<number, string>, outlineMax = outlineSectionsMax): ReadPlan {
  return {
    parts,
    section: options.section,
    sentBefore: [...options.sentBefore],
    leftOut: indexesOf(options.page).filter((index) => !parts.has(index) && !options.sentBefore.has(index)),
    outlineMax,
    notes: options.notes,
  };
}

function tokensOf(page: PageToRead, indexes: number[]): number {
  return indexes.reduce((sum, index) => sum + (page.snippets[index]?.tokens ?? 0), 0);
}

function textOf(options: PlanReadOptions, index: number, textIn = partText): string {
  const snippet = options.page.snippets[index];
  return snippet === undefined ? '' : textIn(snippet);
}

function isInside(section: SectionRange | undefined, index: number): boolean {
  return section !== undefined && index >= section.from && index < section.to;
}

function indexesOf(page: PageToRead): number[] {
  return page.snippets.map((_, index) => index);
}
