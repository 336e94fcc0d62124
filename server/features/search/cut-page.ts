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
  /** Most tokens of the rendered read, if the caller set a budget. */
  budget: number | undefined;
  /** Tokens of a caller's budget to reserve for data sent beside the text. */
  reservedTokens?: number;
  /** The reader's queries, newest first. */
  queries: string[];
  /** Indexes of passages to omit because the reader has them. */
  sentBefore: Set<number>;
  rendering: ReadRendering;
  /** Fragment of the id in the answer, if it differs from the requested section's. */
  idFragment?: string;
  /** Number of passages before `page` that earlier parts of a document contained. */
  skipped?: number;
}

export interface PageCut extends PlannedRead {
  section: SectionRange | undefined;
  tokens: number;
  wholePageTokens: number;
}

/**
 * Cuts a page for a reader: the whole page if it fits the budget (5,000 tokens by default), else its start and the
 * passages that match the reader's queries; with a fragment, the named section with its subsections. A document for
 * deep research is sent in reading order, with the id of its next part.
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
        next === undefined ? plan : { ...plan, leftOut: [], notes: [`The document continues with id ${next}`] };
      return readRenderings[rendering](page, id, renderRead(page, shown, askedUrl), next);
    },
  });
  return { ...planned, section, tokens: countTokens(planned.text), wholePageTokens: tokensOfPage(page) };
}

/** Returns the fragment of a document's later part, which begins after this many passages. */
function partName(passages: number): string {
  return `part-${passages}`;
}

/** Returns how many passages a document's later part skips; 0 for a fragment that names no part. */
export function passagesSkipped(fragment: string): number {
  return Number(/^part-(\d{1,6})$/.exec(fragment)?.[1] ?? 0);
}

/**
 * Returns the token budget of the text. Deep-research clients receive the text twice, so a caller's budget covers both
 * copies.
 */
function textBudgetOf({ budget, reservedTokens = 0, rendering }: PageCutInput): number {
  if (budget === undefined) return limits.readTokensDefault;
  const tokensMax = budgetOf(budget, limits.readTokensDefault) - reservedTokens;
  return rendering === 'deep-research' ? Math.floor(tokensMax / 2) : tokensMax;
}

/** Returns the queries to match; an unknown fragment is added as a query. */
function queriesToFollow(
  { address: { fragment }, queries }: PageCutInput,
  section: SectionRange | undefined,
): string[] {
  return fragment !== '' && section === undefined ? [fragment.replace(/[-_.]+/g, ' '), ...queries] : queries;
}

function notesOf({ page, address, sentBefore }: PageCutInput, section: SectionRange | undefined): string[] {
  const { fragment } = address;
  const notes: string[] = [];
  // One that begins with a slash is the address of a page that scripts show.
  if (/^[^/]/.test(fragment) && section === undefined)
    notes.push(`There is no section "${fragment.slice(0, 80)}" here.`);
  if (sentBefore.size > 0) {
    const isAll = sentBefore.size === page.snippets.length;
    notes.push(`${isAll ? 'All of this' : 'Part of this'} was sent before. To get it again, read this address again.`);
  }
  return notes;
}
