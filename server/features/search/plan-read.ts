import { AppError } from '#server/app-error.ts';
import { countTokens } from '#server/ingest/split/tokens.ts';
import { cutPassage } from './cut-passage.ts';
import type { PageToRead, SectionRange } from './page-to-read.ts';
import { blocksOf, finer } from './passage-blocks.ts';
import type { QueryTerm } from './query-terms.ts';
import { linkedText, partText } from './render.ts';
import type { ReadPlan } from './render-read.ts';

export interface PlanReadOptions {
  page: PageToRead;
  /** Most tokens of the rendered read. */
  budget: number;
  section: SectionRange | undefined;
  /** Most tokens of a read whose section was sent before, which shows the rest of the page. */
  restTokensMax: number;
  /** How well each snippet answers the reader's queries, by index; undefined without queries. */
  relevance: number[] | undefined;
  /** Sends the page from its start without gaps, as far as the budget goes. */
  isInOrder: boolean;
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
  /** Blocks shown of the one passage that is cut, by its index. */
  cut: Map<number, string[]>;
}

/** A page that is cut begins with its start, up to this many tokens. */
const openingTokensMax = 300;
/** Beside a section stand passages near it that answer at least this share as well as the page's best… */
const nearRelevanceMin = 0.5;
/** …at most so many passages away… */
const nearPassages = 6;
/** …up to this many tokens. */
const nearTokensMax = 1_000;
const outlineSectionsMax = 5;
/** Tokens set aside for the outline and the notes. */
const outlineTokens = 60;
/** A heading above a part, and the mark of the gap before it. */
const headingTokens = 10;
/** More than documentation has anywhere; a page over this is too long without counting. */
const charactersPerTokenMax = 12;

/**
 * Chooses the parts of a page that are sent, each whole: the section that was asked for, else the page; where that does
 * not fit the budget, its start and then what answers best. The rendered text never has more tokens than the budget; one
 * that does not even hold title and address is refused.
 */
export function planRead(options: PlanReadOptions): PlannedRead {
  const { page, section, sentBefore, budget } = options;
  const unsent = page.snippets.map((_, index) => index).filter((index) => !sentBefore.has(index));
  const asked = unsent.filter((index) => isInside(section, index));
  // A read of a section that was sent already wants what else the page says.
  const wanted = section === undefined || asked.length === 0 ? unsent : asked;
  const isRest = section !== undefined && asked.length === 0;
  if (!isRest) {
    for (const textIn of [linkedText, partText]) {
      const parts = new Map(wanted.map((index) => [index, textOf(page, index, textIn)]));
      const charactersOf = [...parts.values()].reduce((sum, text) => sum + text.length, 0);
      if (charactersOf / charactersPerTokenMax > budget) continue;
      const plan = planOf(options, section === undefined ? parts : withNear(options, parts, unsent));
      const text = options.render(plan);
      if (countTokens(text) <= budget) return { plan, text, whole: new Set(plan.parts.keys()), cut: new Map() };
    }
  }
  return isRest
    ? withinBudget({ ...options, budget: Math.min(budget, options.restTokensMax) }, restInOrder(options, unsent))
    : withinBudget(options, byPriority(options, wanted));
}

/** What answers best; without queries what follows the section, then what stands before it. */
function restInOrder({ relevance, section }: PlanReadOptions, unsent: number[]): number[] {
  if (relevance !== undefined) return bestFirst(relevance, unsent);
  const isAfter = (index: number): boolean => index >= (section?.to ?? 0);
  return [...unsent.filter(isAfter), ...unsent.filter((index) => !isAfter(index))];
}

/** The start, then what answers best; without queries in reading order. */
function byPriority({ page, relevance }: PlanReadOptions, indexes: number[]): number[] {
  if (relevance === undefined) return indexes;
  let opening = 0;
  const isStart = (index: number, at: number): boolean => {
    opening += tokensOf(page, index);
    return at === 0 || opening <= openingTokensMax;
  };
  const start = indexes.filter((index, at) => at < 3 && isStart(index, at));
  return [
    ...start,
    ...bestFirst(
      relevance,
      indexes.filter((index) => !start.includes(index)),
    ),
  ];
}

function bestFirst(relevance: number[], indexes: number[]): number[] {
  return indexes.toSorted((a, b) => (relevance[b] ?? 0) - (relevance[a] ?? 0) || a - b);
}

/** Passages near the section that answer nearly as well as the best of the page, best first. */
function nearTo({ page, relevance, section }: PlanReadOptions, indexes: number[]): number[] {
  if (relevance === undefined || section === undefined) return [];
  const best = Math.max(0, ...relevance);
  const isNear = (index: number): boolean =>
    !isInside(section, index) &&
    index >= section.from - nearPassages &&
    index < section.to + nearPassages &&
    best > 0 &&
    (relevance[index] ?? 0) >= best * nearRelevanceMin;
  let left = nearTokensMax;
  return bestFirst(relevance, indexes.filter(isNear)).filter((index) => {
    const tokens = tokensOf(page, index) + headingTokens;
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}

function withNear(options: PlanReadOptions, parts: Map<number, string>, unsent: number[]): Map<number, string> {
  let left = options.budget - countTokens(options.render(planOf(options, parts)));
  const together = new Map(parts);
  for (const index of nearTo(options, unsent)) {
    const text = textOf(options.page, index);
    const tokens = countTokens(text) + headingTokens;
    if (tokens > left) continue;
    together.set(index, text);
    left -= tokens;
  }
  return together;
}

/** Takes whole parts in their order of priority while they fit; the first is cut between blocks where it does not. */
function withinBudget(options: PlanReadOptions, order: number[]): PlannedRead {
  const { page, budget, terms } = options;
  const parts = new Map<number, string>();
  const cut: PlannedRead['cut'] = new Map();
  const frame = countTokens(options.render(planOf(options, parts, 0)));
  let left = budget - frame - Math.min(outlineTokens, budget * 0.1);
  for (const index of order) {
    const text = textOf(page, index);
    const tokens = countTokens(text, left) + headingTokens;
    if (tokens <= left) {
      parts.set(index, text);
      left -= tokens;
    } else if (options.isInOrder && parts.size > 0) {
      break;
    } else if (parts.size === 0) {
      const blocks = blocksOf(text);
      const room = left - headingTokens;
      const shorter = cutPassage(blocks, room, terms) ?? cutPassage(finer(blocks), room, terms);
      if (shorter === undefined) continue;
      parts.set(index, shorter.text);
      cut.set(index, shorter.blocks);
      left = 0;
    }
  }
  for (let outlineMax = outlineSectionsMax; ; ) {
    const plan = planOf(options, parts, outlineMax);
    const text = options.render(plan);
    if (countTokens(text) <= budget) {
      return { plan, text, whole: new Set([...parts.keys()].filter((index) => !cut.has(index))), cut };
    }
    const last = [...parts.keys()].at(-1);
    if (outlineMax > 0) outlineMax -= 1;
    else if (last !== undefined) parts.delete(last);
    else return bareMinimum(options);
  }
}

/** When not even the title and the list of sections fit. */
function bareMinimum(options: PlanReadOptions): PlannedRead {
  const plan: ReadPlan = { ...planOf(options, new Map(), 0), notes: [], leftOut: [], sentBefore: [] };
  const text = options.render(plan);
  if (countTokens(text) <= options.budget) return { plan, text, whole: new Set(), cut: new Map() };
  throw new AppError('invalid-input', {
    values: { reason: 'the budget is too small for this page; allow more tokens' },
  });
}

/** What is left out is named by relevance; without queries, in reading order. */
function planOf(
  { page, sentBefore, notes, relevance }: PlanReadOptions,
  parts: Map<number, string>,
  outlineMax = outlineSectionsMax,
): ReadPlan {
  const leftOut = page.snippets.map((_, index) => index).filter((index) => !parts.has(index) && !sentBefore.has(index));
  return {
    parts,
    sentBefore: [...sentBefore],
    leftOut: relevance === undefined ? leftOut : bestFirst(relevance, leftOut),
    outlineMax,
    notes,
  };
}

function tokensOf(page: PageToRead, index: number): number {
  return page.snippets[index]?.tokens ?? 0;
}

function textOf(page: PageToRead, index: number, textIn = partText): string {
  const snippet = page.snippets[index];
  return snippet === undefined ? '' : textIn(snippet);
}

function isInside(section: SectionRange | undefined, index: number): boolean {
  return section !== undefined && index >= section.from && index < section.to;
}
