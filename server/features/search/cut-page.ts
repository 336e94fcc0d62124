import * as limits from '#contract/limits.ts';
import { countTokens } from '#server/ingest/split/tokens.ts';
import type { AskedAddress } from './page-addresses.ts';
import { findSection, type PageToRead, type SectionRange, tokensOfPage } from './page-to-read.ts';
import { budgetOf } from './parse-query.ts';
import { type PlannedRead, planRead } from './plan-read.ts';
import { queryTerms } from './query-terms.ts';
import { type ReadRendering, readRenderings } from './read-renderings.ts';
import { withAnchor } from './render.ts';
import { renderRead } from './render-read.ts';

export interface PageCutInput {
  page: PageToRead;
  address: AskedAddress;
  /** Most tokens of the rendered read, as the caller named them. */
  budget: number | undefined;
  /** Of a budget that is named, what something beside the text takes. */
  reservedTokens?: number;
  /** The reader's queries, newest first. */
  queries: string[];
  /** Indexes of passages that are left out because the reader has them. */
  sentBefore: Set<number>;
  rendering: ReadRendering;
  /** Fragment of the answer's id, where it is not the one that is looked for. */
  idFragment?: string;
  /** Passages before those of `page`, which earlier parts of a document had. */
  skipped?: number;
}

export interface PageCut extends PlannedRead {
  section: SectionRange | undefined;
  tokens: number;
  wholePageTokens: number;
}

/**
 * Cuts a page for a reader: whole up to the budget (5,000 tokens by default), else its start and what the reader's queries
 * match; with a fragment, the section it names with its subsections. A document for deep research goes on in reading order, and
 * names the id of what follows.
 */
export function cutPage(input: PageCutInput): PageCut {
  const { page, address, sentBefore, rendering, skipped = 0 } = input;
  const section = findSection(page, address.fragment);
  const queries = queriesToFollow(input, section);
  const askedUrl = address.candidates[0] ?? page.url;
  const isDocument = rendering === 'deep-research' && section === undefined;
  const id = withAnchor(page.url, input.idFragment ?? address.fragment);
  const planned = planRead({
    page,
    budget: textBudgetOf(input),
    section,
    restTokensMax: input.budget === undefined ? limits.readRestTokensMax : Number.POSITIVE_INFINITY,
    relevance: queries.length === 0 ? undefined : page.relevanceTo(queries),
    isInOrder: isDocument,
    sentBefore,
    terms: queryTerms(queries),
    notes: notesOf(input, section),
    render: (plan) => {
      const [following] = isDocument ? plan.leftOut : [];
      const next = following === undefined ? undefined : withAnchor(page.url, partName(skipped + following));
      const shown =
        next === undefined ? plan : { ...plan, leftOut: [], notes: [`The document goes on with id ${next}`] };
      return readRenderings[rendering](page, id, renderRead(page, shown, askedUrl), next);
    },
  });
  return { ...planned, section, tokens: countTokens(planned.text), wholePageTokens: tokensOfPage(page) };
}

/** Names where a later part of a document begins: after so many passages. */
function partName(passages: number): string {
  return `part-${passages}`;
}

/** Returns how many passages a later part of a document skips; 0 for an address that names no part. */
export function passagesSkipped(fragment: string): number {
  return Number(/^part-(\d{1,6})$/.exec(fragment)?.[1] ?? 0);
}

/** Deep-research clients are sent the answer twice: who names a budget pays for both from it. */
function textBudgetOf({ budget, reservedTokens = 0, rendering }: PageCutInput): number {
  if (budget === undefined) return limits.readTokensDefault;
  const tokensMax = budgetOf(budget, limits.readTokensDefault) - reservedTokens;
  return rendering === 'deep-research' ? Math.floor(tokensMax / 2) : tokensMax;
}

/** An unknown fragment is looked for too. */
function queriesToFollow(
  { address: { fragment }, queries }: PageCutInput,
  section: SectionRange | undefined,
): string[] {
  return fragment !== '' && section === undefined ? [fragment.replace(/[-_.]+/g, ' '), ...queries] : queries;
}

function notesOf({ page, address, sentBefore }: PageCutInput, section: SectionRange | undefined): string[] {
  const { fragment } = address;
  const notes: string[] = [];
  if (fragment !== '' && section === undefined) notes.push(`There is no section "${fragment.slice(0, 80)}" here.`);
  if (sentBefore.size > 0) {
    const isAll = sentBefore.size === page.snippets.length;
    notes.push(`${isAll ? 'All of this' : 'Part of this'} was sent before. To have it again, read this address again.`);
  }
  return notes;
}
