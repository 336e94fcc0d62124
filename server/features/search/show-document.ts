import { plainAnchor } from '#contract/anchor.ts';
import type { Document, DocumentCut, DocumentSnippet } from '#contract/documents.ts';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import type { Snippet, SnippetSection } from '#server/engine/index.ts';
import { type Attempt, requireWithinLimits } from '#server/features/accounts/index.ts';
import { type FoundPage, type ReadableModule, refreshStateOf, type Shelf } from '#server/features/catalog/index.ts';
import { cleanLabel, cleanText } from './clean-text.ts';
import { cutPage } from './cut-page.ts';
import { type DocumentAddress, type FoundDocument, findDocument } from './find-document.ts';
import { findSection, type PageToRead, partToRead, tokensOfPage } from './page-to-read.ts';
import { dedented, linkedText } from './render.ts';

export interface ShowDocumentInput extends DocumentAddress {
  /** Index of the first passage; by default that of the part with the fragment. */
  from?: number | undefined;
  /** Id of the passage to show; if the page has no such passage, the fragment is used. */
  passage?: string | undefined;
  limit?: number | undefined;
  /** With either of these the answer includes a preview of what a read would send. */
  query?: string | undefined;
  tokens?: number | undefined;
}

/**
 * Shows a part of an indexed page with its source and, if a query or a token budget is given, a preview of a read with
 * them. Free and not recorded; previews are limited per visitor network and per account (`too-many-requests`). Throws
 * `document-not-found` for pages that the actor cannot read, whether or not they exist.
 */
export async function showDocument(
  shelf: Shelf,
  ctx: Context,
  input: ShowDocumentInput,
  visitorAddress: string,
): Promise<Document> {
  const document = await findDocument(shelf, ctx, input);
  const { address, page, found } = document;
  const isCutWanted = input.query !== undefined || input.tokens !== undefined;
  if (isCutWanted) await requireWithinLimits(ctx, [attemptOf(ctx, visitorAddress)]);
  const limit = input.limit ?? limits.documentSnippetsPerPart;
  const meant = page.snippets.findIndex(({ id }) => id === input.passage);
  const target = meant >= 0 ? meant : (findSection(page, address.fragment)?.from ?? null);
  const from = input.from ?? (limit === 0 ? 0 : Math.floor((target ?? 0) / limit) * limit);
  const beside = await shelf.pagesBeside(found);
  return {
    url: page.url,
    title: cleanLabel(page.title),
    ...(await provenanceOf(ctx, document)),
    tokens: tokensOfPage(page),
    snippetCount: page.snippets.length,
    snippets: snippetsOf(page, from, limit),
    from,
    target,
    outline: outlineOf(page.title, page.snippets),
    previous: namedOrNull(beside.previous),
    next: namedOrNull(beside.next),
    cut: isCutWanted ? cutOf(document, input) : null,
  };
}

/** Returns the limit's key: visitors are counted by network, users by account. */
function attemptOf({ actor }: Context, visitorAddress: string): Attempt {
  return actor.kind === 'anonymous' ? ['cut-address', visitorAddress] : ['cut-account', actor.userId];
}

async function provenanceOf(ctx: Context, { found, page, others }: FoundDocument) {
  return {
    module: moduleOf(found.module),
    alternatives: others.map((other) => ({
      ...moduleOf(other.module),
      fetchedAt: other.segment.page(other.pageIndex).fetchedAt,
    })),
    fetchedAt: page.fetchedAt,
    revision: revisionOf(found),
    refresh: await refreshStateOf(ctx, found.module),
  };
}

function moduleOf(module: ReadableModule): Document['module'] {
  const { moduleId, displayName, visibility, kind, url, version, lastUpdatedAt } = module;
  return { moduleId, displayName: cleanLabel(displayName), visibility, kind, url, version, lastUpdated: lastUpdatedAt };
}

function revisionOf({ segment, pageIndex }: FoundPage): string | null {
  const { revision } = segment.page(pageIndex);
  return revision === undefined || revision === '' ? null : cleanLabel(revision);
}

function snippetsOf(page: PageToRead, from: number, limit: number): DocumentSnippet[] {
  let tokensBefore = page.snippets.slice(0, from).reduce((sum, { tokens }) => sum + tokens, 0);
  return page.snippets.slice(from, from + limit).map((snippet, at) => {
    const { id, anchor, kind, tokens, text } = snippet;
    const before = tokensBefore;
    tokensBefore += tokens;
    return {
      index: from + at,
      id,
      anchor: plainAnchor(anchor),
      headingPath: snippet.headingPath.map((heading) => cleanLabel(heading)),
      kind,
      text: dedented(linkedText(snippet)),
      tokens,
      tokensBefore: before,
      isCleaned: cleanText(text) !== text,
    };
  });
}

function namedOrNull(page: { url: string; title: string } | undefined): { url: string; title: string } | null {
  return page === undefined ? null : { url: page.url, title: cleanLabel(page.title) };
}

function cutOf({ page: whole, address }: FoundDocument, { query, tokens }: ShowDocumentInput): DocumentCut {
  const { page, from } = partToRead(whole, address.fragment);
  const said = query?.trim() ?? '';
  const queries = said === '' ? [] : [said];
  const cut = cutPage({ page, address, budget: tokens, queries, sentBefore: new Set(), rendering: 'text' });
  const wholePageTokens = tokensOfPage(whole);
  const tokensAt = (index: number) => page.snippets[index]?.tokens ?? 0;
  return {
    query: said,
    text: cut.text,
    tokens: cut.tokens,
    wholePageTokens,
    kept: [...cut.plan.parts.keys()]
      .sort((a, b) => a - b)
      .map((index) => ({ index: from + index, isWhole: cut.whole.has(index) })),
    leftOutTokens: wholePageTokens - tokensOfPage(page) + cut.plan.leftOut.reduce((sum, at) => sum + tokensAt(at), 0),
  };
}

type Entry = Document['outline'][number];

/**
 * Returns a page's headings in reading order, each with the tokens below it. Headings that only repeat the title are
 * omitted and, if there are too many, the innermost too.
 */
function outlineOf(title: string, snippets: Snippet[]): Entry[] {
  const entries: Entry[] = [];
  let open: { heading: string; entry: Entry | undefined }[] = [];
  for (const { index, headingPath, anchor, tokens } of snippets.flatMap(sectionsOf)) {
    const known = open.findIndex(({ heading }, depth) => heading !== headingPath[depth]);
    open = open.slice(0, known < 0 ? headingPath.length : known);
    for (const [depth, heading] of headingPath.entries()) {
      if (depth < open.length) continue;
      const text = cleanLabel(heading);
      const isTitle = depth === 0 && text === cleanLabel(title);
      // A passage's anchor is that of its nearest heading.
      const own = depth === headingPath.length - 1 ? plainAnchor(anchor) : '';
      const entry = isTitle || text === '' ? undefined : { text, depth, anchor: own, index, tokens: 0 };
      if (entry !== undefined) entries.push(entry);
      open.push({ heading, entry });
    }
    for (const { entry } of open) if (entry !== undefined) entry.tokens += tokens;
  }
  return withinBound(entries);
}

/** Returns the sections that share a passage, or the passage itself. */
function sectionsOf(snippet: Snippet, index: number): (SnippetSection & { index: number })[] {
  const { headingPath, anchor, tokens } = snippet;
  return (snippet.sections ?? [{ headingPath, anchor, tokens }]).map((section) => ({ ...section, index }));
}

function withinBound(entries: Entry[]): Entry[] {
  let kept = entries;
  for (let deepest = 8; kept.length > limits.documentOutlineMax && deepest > 0; deepest -= 1) {
    kept = kept.filter(({ depth }) => depth < deepest);
  }
  return kept.slice(0, limits.documentOutlineMax);
}
