import { plainAnchor } from '#contract/anchor.ts';
import { type Segment, type Snippet, type SnippetSection, scorePageSnippets } from '#server/engine/index.ts';

/** A page as it can be read, whether from the index or fetched now. */
export interface PageToRead {
  /** Without fragment. */
  url: string;
  title: string;
  /** Null for a page that is in no module. */
  moduleId: string | null;
  fetchedAt: number;
  /** In reading order. */
  snippets: Snippet[];
  /** How well each snippet answers the best fitting of these queries; of a part of the page, where one is named. */
  relevanceTo(queries: string[], part?: SectionRange): number[];
}

/** A read chooses among so many passages and characters at most: a larger page would hold up everyone while it is cut. */
const passagesMax = 5_000;
const charactersMax = 3_000_000;

/**
 * Returns the part of a very large page that a read chooses from, and how many passages are before it: it begins with the page, or
 * with the section that the fragment names.
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

/** A page of an opened segment. */
export function pageOfSegment(segment: Segment, pageIndex: number, moduleId: string | null): PageToRead {
  const { url, title, fetchedAt } = segment.page(pageIndex);
  return {
    url,
    title,
    moduleId,
    fetchedAt,
    snippets: segment.pageSnippets(pageIndex),
    relevanceTo: (queries, part) => scorePageSnippets(segment, pageIndex, queries).slice(part?.from, part?.to),
  };
}

/** A section with its subsections: snippet indexes from `from` up to, not including, `to`. */
export interface SectionRange {
  from: number;
  to: number;
}

/**
 * The section a fragment names: by its anchor, else by a name the section defines. Undefined when the page has neither.
 */
export function findSection(page: PageToRead, fragment: string): SectionRange | undefined {
  if (fragment === '') return undefined;
  const wanted = fragment.toLowerCase();
  const from = [
    // A passage that begins with a heading above the section's may hold its start: later ones have its anchor alone.
    (snippet: Snippet) => plainAnchor(snippet.anchor) === fragment || sharedSection(snippet, fragment) !== undefined,
    (snippet: Snippet) => snippet.places?.includes(fragment) === true,
    (snippet: Snippet) => plainAnchor(snippet.anchor).toLowerCase() === wanted,
    (snippet: Snippet) => snippet.identifiers.some((name) => name.toLowerCase() === wanted),
  ]
    .map((matches) => page.snippets.findIndex(matches))
    .find((index) => index >= 0);
  if (from === undefined) return pagesOfPdf(page.snippets, fragment);
  if (page.snippets[from]?.places?.includes(fragment)) return { from, to: from + 1 };
  // A page of a PDF holds what begins on it, however many sections that is.
  const last = pageOf(fragment) === undefined ? from : page.snippets.findLastIndex(({ anchor }) => anchor === fragment);
  const ends = [from, Math.max(from, last)].map((at) =>
    sectionEnd(page.snippets, at, sectionAt(page.snippets[at] as Snippet, fragment)),
  );
  return { from, to: Math.max(...ends) };
}

/** The one of several sections in a passage that has this anchor. */
function sharedSection({ sections }: Snippet, anchor: string): SnippetSection | undefined {
  return sections?.find(
    (section) => plainAnchor(section.anchor) === anchor || section.aliases?.includes(anchor) === true,
  );
}

/** `page=12` of a PDF on which no passage begins: the one before it goes on there. */
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

/** A passage that begins with a heading is the start of its section; any other is an entry, or a page of a PDF file. */
function sectionAt(snippet: Snippet, anchor: string): AskedSection {
  const shared = sharedSection(snippet, anchor);
  if (shared !== undefined) return { ...shared, isEntry: shared.isEntry === true };
  return { ...snippet, isEntry: snippet.sections !== undefined || !beginsWithHeading(snippet) };
}

function beginsWithHeading({ text }: Snippet): boolean {
  return /^\s*#{1,6} /.test(text);
}

/**
 * Snippets belong to a section while their headings begin with its headings: all entries to the section they stand in. An entry
 * ends where another begins, and a section where another of the same name does.
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

/** Tokens of all passages, without headings. */
export function tokensOfPage(page: PageToRead): number {
  return page.snippets.reduce((sum, snippet) => sum + snippet.tokens, 0);
}
