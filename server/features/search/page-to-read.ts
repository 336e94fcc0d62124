import { setImmediate } from 'node:timers/promises';
import { plainAnchor } from '#contract/anchor.ts';
import { type Segment, type Snippet, type SnippetSection, scorePageSnippets } from '#server/engine/index.ts';

/** A page that can be read, from the index or just fetched. */
export interface PageToRead {
  /** The page's address without fragment. */
  url: string;
  title: string;
  /** Null for a page that is in no module. */
  moduleId: string | null;
  fetchedAt: number;
  /** In reading order. */
  snippets: Snippet[];
  /** Returns each snippet's relevance to the query it matches best; for a part of the page, only that part's. */
  relevanceTo(queries: string[], part?: SectionRange): number[];
}

/** Most passages and characters a read chooses from: cutting a larger page would delay other requests. */
const passagesMax = 5_000;
const charactersMax = 3_000_000;

/**
 * Returns the part of a very large page that a read chooses from, and how many passages precede it: the start of the
 * page, or the part that begins with the section that the fragment names.
 */
export function partToRead(page: PageToRead, fragment: string): { page: PageToRead; from: number } {
  const { snippets } = page;
  if (snippets.length <= passagesMax && charactersOf(snippets) <= charactersMax) return { page, from: 0 };
  const from = findSection(page, fragment)?.from ?? 0;
  let to = from;
  for (let left = charactersMax; to < snippets.length && to - from < passagesMax && left > 0; to++) {
    left -= snippets[to]?.text.length ?? 0;
  }
  const part = { from, to };
  const relevanceTo = (queries: string[]) => page.relevanceTo(queries, part);
  return { page: { ...page, snippets: snippets.slice(from, to), relevanceTo }, from };
}

function charactersOf(snippets: readonly Snippet[]): number {
  return snippets.reduce((sum, { text }) => sum + text.length, 0);
}

/** Passages read before yielding to the event loop: a few milliseconds of work. */
const passagesAtOnce = 500;

/** Returns a page's passages in reading order. Other requests are served meanwhile: a page can have tens of thousands. */
export async function passagesOf(segment: Segment, pageIndex: number): Promise<Snippet[]> {
  const { firstSnippet, snippetCount } = segment.page(pageIndex);
  const snippets: Snippet[] = [];
  for (let at = 0; at < snippetCount; at += 1) {
    if (at % passagesAtOnce === passagesAtOnce - 1) await setImmediate();
    snippets.push(segment.snippet(firstSnippet + at));
  }
  return snippets;
}

/** Returns a page of an opened segment. */
export async function pageOfSegment(segment: Segment, pageIndex: number, moduleId: string | null): Promise<PageToRead> {
  const { url, title, fetchedAt } = segment.page(pageIndex);
  return {
    url,
    title,
    moduleId,
    fetchedAt,
    snippets: await passagesOf(segment, pageIndex),
    relevanceTo: (queries, part) => scorePageSnippets(segment, pageIndex, queries, part),
  };
}

/** A section with its subsections: snippet indexes from `from` up to, but not including, `to`. */
export interface SectionRange {
  from: number;
  to: number;
}

/**
 * Finds the section that a fragment names: by its anchor, else by a name that the section defines. Returns undefined if
 * the page has neither.
 */
export function findSection(page: PageToRead, fragment: string): SectionRange | undefined {
  if (fragment === '') return undefined;
  const wanted = fragment.toLowerCase();
  const from = [
    // A passage that begins with a parent heading may contain the section's start; later passages carry only its
    // anchor.
    (snippet: Snippet) => plainAnchor(snippet.anchor) === fragment || sharedSection(snippet, fragment) !== undefined,
    (snippet: Snippet) => snippet.places?.includes(fragment) === true,
    (snippet: Snippet) => plainAnchor(snippet.anchor).toLowerCase() === wanted,
    (snippet: Snippet) => snippet.identifiers.some((name) => name.toLowerCase() === wanted),
  ]
    .map((matches) => page.snippets.findIndex(matches))
    .find((index) => index >= 0);
  if (from === undefined) return pagesOfPdf(page.snippets, fragment);
  if (page.snippets[from]?.places?.includes(fragment)) return { from, to: from + 1 };
  // A page of a PDF includes all sections that begin on it.
  const last = pageOf(fragment) === undefined ? from : page.snippets.findLastIndex(({ anchor }) => anchor === fragment);
  const ends = [from, Math.max(from, last)].map((at) =>
    sectionEnd(page.snippets, at, sectionAt(page.snippets[at] as Snippet, fragment)),
  );
  return { from, to: Math.max(...ends) };
}

/** Returns the section with this anchor, if several share the passage. */
function sharedSection({ sections }: Snippet, anchor: string): SnippetSection | undefined {
  return sections?.find(
    (section) => plainAnchor(section.anchor) === anchor || section.aliases?.includes(anchor) === true,
  );
}

/** Finds `page=12` of a PDF if no passage begins on that page: the preceding passage continues there. */
function pagesOfPdf(snippets: Snippet[], fragment: string): SectionRange | undefined {
  const wanted = pageOf(fragment);
  if (wanted === undefined) return undefined;
  const from = snippets.findLastIndex(({ anchor }) => (pageOf(anchor) ?? Number.POSITIVE_INFINITY) < wanted);
  const isPastEnd = snippets.every(({ anchor }) => (pageOf(anchor) ?? 0) < wanted);
  return from < 0 || isPastEnd ? undefined : { from, to: from + 1 };
}

function pageOf(fragment: string): number | undefined {
  const number = /^page=(\d{1,6})$/.exec(fragment)?.[1];
  return number === undefined ? undefined : Number(number);
}

interface AskedSection extends Pick<Snippet, 'anchor' | 'headingPath'> {
  isEntry: boolean;
}

/**
 * Returns the section that begins at a passage; a passage without a heading at its start is an entry, or a page of a
 * PDF file.
 */
function sectionAt(snippet: Snippet, anchor: string): AskedSection {
  const shared = sharedSection(snippet, anchor);
  if (shared !== undefined) return { ...shared, isEntry: shared.isEntry === true };
  return { ...snippet, isEntry: snippet.sections !== undefined || !beginsWithHeading(snippet) };
}

function beginsWithHeading({ text }: Snippet): boolean {
  return /^\s*#{1,6} /.test(text);
}

/**
 * Returns the end of a section: snippets belong to it while their heading path starts with its heading path. An entry
 * ends where the next one begins; a section also ends at another section of the same name.
 */
function sectionEnd(snippets: Snippet[], from: number, { anchor, headingPath, isEntry }: AskedSection): number {
  const end = snippets.findIndex((snippet, index) => {
    if (index <= from) return false;
    if (!startsWith(snippet.headingPath, headingPath)) return true;
    const isSameDepth = snippet.headingPath.length === headingPath.length && snippet.anchor !== anchor;
    return isSameDepth && (isEntry || beginsWithHeading(snippet));
  });
  return end < 0 ? snippets.length : end;
}

function startsWith(path: string[], prefix: string[]): boolean {
  return prefix.every((heading, depth) => path[depth] === heading);
}

/** Returns the tokens of all passages, without headings. */
export function tokensOfPage(page: PageToRead): number {
  return page.snippets.reduce((sum, snippet) => sum + snippet.tokens, 0);
}
