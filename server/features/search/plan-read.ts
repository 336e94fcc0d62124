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
  /** Each snippet's relevance to the reader's queries, by index; undefined without queries. */
  relevance: number[] | undefined;
  /** Sends the page from its start without gaps, as far as the budget allows. */
  isInOrder: boolean;
  /** Indexes of snippets sent before, which are omitted. */
  sentBefore: Set<number>;
  terms: QueryTerm[];
  notes: string[];
  render: (plan: ReadPlan) => string;
}

export interface PlannedRead {
  plan: ReadPlan;
  text: string;
  /** Indexes of snippets shown whole. */
  whole: Set<number>;
  /** Blocks shown of the one snippet that is cut, by its index. */
  cut: Map<number, string[]>;
}

/** A page that is cut begins with its start, up to this many tokens. */
const openingTokensMax = 300;
/** Passages near a section are added if their relevance is at least this share of the page's best… */
const nearRelevanceMin = 0.5;
/** …at most this many passages away… */
const nearPassages = 6;
/** …up to this many tokens. */
const nearTokensMax = 1_000;
const outlineSectionsMax = 5;
/** Tokens reserved for the outline and the notes. */
const outlineTokens = 60;
/** Tokens of a heading above a part, and of the gap mark before it. */
const headingTokens = 10;
/** More than any documentation has; a page above this exceeds the budget without counting. */
const charactersPerTokenMax = 12;

/**
 * Chooses the parts of a page to send, each whole: the requested section, else the page; if that does not fit the
 * budget, its start and then the most relevant parts. The rendered text never exceeds the token budget; a budget too
 * small for title and address is refused.
 */
export function planRead(options: PlanReadOptions): PlannedRead {
  const { page, section, sentBefore, budget } = options;
  const unsent = page.snippets.map((_, index) => index).filter((index) => !sentBefore.has(index));
  const asked = unsent.filter((index) => isInside(section, index));
  // If the requested section was sent already, the reader wants the rest of the page.
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

/** Returns the snippets by relevance; without queries, first those after the section, then those before it. */
function restInOrder({ relevance, section }: PlanReadOptions, unsent: number[]): number[] {
  if (relevance !== undefined) return bestFirst(relevance, unsent);
  const isAfter = (index: number): boolean => index >= (section?.to ?? 0);
  return [...unsent.filter(isAfter), ...unsent.filter((index) => !isAfter(index))];
}

/** Returns the start, then the rest by relevance; without queries all in reading order. */
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

/** Returns passages near the section that are nearly as relevant as the page's best, best first. */
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

/** Adds whole parts by priority while they fit; if the first does not fit, it is cut at block boundaries. */
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

/** Returns a plan with title and address only, if the title and the list of sections do not fit. */
function bareMinimum(options: PlanReadOptions): PlannedRead {
  const plan: ReadPlan = { ...planOf(options, new Map(), 0), notes: [], leftOut: [], sentBefore: [] };
  const text = options.render(plan);
  if (countTokens(text) <= options.budget) return { plan, text, whole: new Set(), cut: new Map() };
  throw new AppError('invalid-input', {
    values: { reason: 'the budget is too small for this page; allow more tokens' },
  });
}

/** Creates the plan; omitted sections are listed by relevance or, without queries, in reading order. */
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
