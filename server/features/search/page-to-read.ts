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
  /** How well each snippet answers the best fitting of these queries. */
  relevanceTo(queries: string[]): number[];
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
    relevanceTo: (queries) => scorePageSnippets(segment, pageIndex, queries),
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
    (snippet: Snippet) => snippet.anchor === fragment,
    (snippet: Snippet) => sharedSection(snippet, fragment) !== undefined,
    (snippet: Snippet) => snippet.anchor.toLowerCase() === wanted,
    (snippet: Snippet) => snippet.identifiers.some((name) => name.toLowerCase() === wanted),
  ]
    .map((matches) => page.snippets.findIndex(matches))
    .find((index) => index >= 0);
  if (from === undefined) return pagesOfPdf(page.snippets, fragment);
  const first = page.snippets[from];
  const shared = first && sharedSection(first, fragment);
  return { from, to: sectionEnd(page.snippets, from, shared?.headingPath) };
}

/** The one of several sections in a passage that has this anchor. */
function sharedSection({ sections }: Snippet, anchor: string): SnippetSection | undefined {
  return sections?.find((section) => section.anchor === anchor);
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

/** Snippets belong to a section while their headings begin with its headings and no snippet of it has begun anew. */
function sectionEnd(snippets: Snippet[], from: number, path = snippets[from]?.headingPath): number {
  const first = snippets[from];
  if (first === undefined || path === undefined) return from;
  let to = from + 1;
  while (to < snippets.length) {
    const snippet = snippets[to];
    if (snippet === undefined || !startsWith(snippet.headingPath, path)) break;
    // Terms of one definition list stand under the same headings, each with an anchor of its own.
    const isSibling = snippet.headingPath.length === path.length && snippet.anchor !== first.anchor;
    if (isSibling) break;
    to += 1;
  }
  return to;
}

function startsWith(path: string[], prefix: string[]): boolean {
  return prefix.every((heading, depth) => path[depth] === heading);
}

/** Tokens of all passages, without headings. */
export function tokensOfPage(page: PageToRead): number {
  return page.snippets.reduce((sum, snippet) => sum + snippet.tokens, 0);
}
