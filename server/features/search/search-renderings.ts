import type { SearchHit, SearchOutput } from '#contract/search.ts';
import { countTokens } from '#server/ingest/split/tokens.ts';
import { cleanLabel } from './clean-text.ts';
import { createPagesCounter, placeLine, renderPages, renderPassages, type ShownPage } from './render.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Copies older than this are labelled as old: the site may have changed. */
const oldAfterDays = 180;

export type HitToRender = Omit<SearchHit, 'tokens'>;

/** Renders the answer from the hits, in their order, and notes for the reader. */
type Renderer = (hits: HitToRender[], notes: string[], now: number) => string;

/** Counts the o200k tokens of a rendered answer, for many answers that share passages. */
export type AnswerCounter = (hits: HitToRender[], notes: string[]) => number;

/** Text for agents; JSON for deep-research clients; or text as clients of the older interface show it. */
export type SearchRendering = 'text' | 'deep-research' | 'overviews';

/** Data sent beside the text, which may count against the reader's budget too. */
export interface SentBeside {
  /** True if it repeats the text. */
  isCopy: boolean;
  /** Returns the fewest tokens sent for these hits, if it is not a copy. */
  tokensOf: (hits: HitToRender[]) => number;
  /** Returns the tokens sent beside this answer, for the ledger. */
  sentWith: (answer: SearchOutput) => number;
}

export const nothingBeside: SentBeside = { isCopy: false, tokensOf: () => 0, sentWith: () => 0 };

/** Returns the o200k tokens of a structure sent as JSON. */
export function tokensInJson(structure: Record<string, unknown>): number {
  return countTokens(JSON.stringify(structure));
}

/** A page of the answer: the address of its best passage, its headings, and the text of all its passages. */
export interface PageResult {
  url: string;
  title: string;
  text: string;
  moduleId: string;
}

export const searchRenderings: Record<SearchRendering, Renderer> = {
  text: (hits, notes, now) => renderPages(pagesOf(hits, now), notes),
  'deep-research': (hits) =>
    JSON.stringify({ results: toPageResults(hits).map(({ url, title, text }) => ({ id: url, title, text, url })) }),
  // Count the text that such a client makes of the answer, since its reader pays for that.
  overviews: (hits, notes) =>
    [
      ...toPageResults(hits).map(
        (page) => `overview: ${overviewOf(page)}\nurl: ${page.url}\nmoduleId: ${page.moduleId}`,
      ),
      ...notes.map((note) => `overview: ${note}\nurl: \nmoduleId: `),
    ].join('\n\n'),
};

/** `tokensOf` counts a passage. */
export function answerCounter(
  rendering: SearchRendering,
  now: number,
  tokensOf: (passage: string) => number,
): AnswerCounter {
  if (rendering !== 'text') return (hits, notes) => countTokens(searchRenderings[rendering](hits, notes, now));
  const count = createPagesCounter(tokensOf);
  return (hits, notes) => count(pagesOf(hits, now), notes);
}

/** Returns one result per page, in hit order, with the address of its best passage. */
export function toPageResults(hits: HitToRender[]): PageResult[] {
  return pagesOf(hits, 0).map(({ best, ...page }) => ({
    url: best.url,
    title: placeLine([best.title, ...best.headingPath]) + (page.remark === '' ? '' : ` (${page.remark})`),
    text: renderPassages(page.title, page.passages),
    moduleId: best.moduleId,
  }));
}

/** Joins headings and text: clients of the older interface show only this field and the address of a result. */
export function overviewOf({ title, text }: Pick<PageResult, 'title' | 'text'>): string {
  return text === '' ? title : `${title}\n${text}`;
}

function pagesOf(hits: HitToRender[], now: number): (ShownPage & { best: HitToRender })[] {
  const pages = new Map<string, ShownPage & { best: HitToRender }>();
  for (const hit of hits) {
    const fragmentAt = hit.url.indexOf('#');
    const url = fragmentAt < 0 ? hit.url : hit.url.slice(0, fragmentAt);
    const anchor = fragmentAt < 0 ? '' : hit.url.slice(fragmentAt + 1);
    const page = pages.get(url) ?? { url, title: hit.title, remark: remarkOf(hit, now), passages: [], best: hit };
    pages.set(url, page);
    page.passages.push({ anchor, headingPath: hit.headingPath, text: hit.text });
    if (hit.score > page.best.score) page.best = hit;
  }
  return [...pages.values()];
}

function remarkOf(hit: HitToRender, now: number): string {
  const days = Math.floor((now - hit.fetchedAt) / dayMs);
  return [
    hit.version === null ? '' : `version ${cleanLabel(hit.version, 30)}`,
    hit.visibility === 'private' ? `private: ${cleanLabel(hit.moduleName, 60)}` : '',
    hit.fetchedAt > 0 && days > oldAfterDays ? `read ${Math.round(days / 30)} months ago` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}
