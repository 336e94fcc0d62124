import * as limits from '#contract/limits.ts';
import type { ReadOutput } from '#contract/search.ts';
import type { Showcase, TriedSearch } from '#contract/try-search.ts';
import { type Context, isProgram } from '#server/context.ts';
import type { ReadableModule, Shelf } from '#server/features/catalog/index.ts';
import type { CallMeter } from '#server/features/credits/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import type { Outbound } from '#server/platform/outbound/index.ts';
import { traced } from '#server/platform/tracing.ts';
import { type AgentMemory, createAgentMemory } from './agent-memory.ts';
import { nearestModules } from './choose-modules.ts';
import { isNamed } from './choose-versions.ts';
import { cleanLabel } from './clean-text.ts';
import { type DocumentAddress, findDocument } from './find-document.ts';
import { type ListModulePagesInput, listModulePages, listPages } from './list-pages.ts';
import type { Meaning } from './meaning.ts';
import type { Ranker } from './rank-thread.ts';
import type { ReadRendering } from './read-renderings.ts';
import { readUrl } from './read-url.ts';
import { createRemotePages, type PageParser, type RemotePages } from './remote-pages.ts';
import { linkedText } from './render.ts';
import { renderRead } from './render-read.ts';
import { searchDocs } from './search-docs.ts';
import type { SearchRendering, SentBeside } from './search-renderings.ts';
import { type ShowDocumentInput, showDocument } from './show-document.ts';
import { createShowcase } from './showcase.ts';
import { tryPublicSearch } from './try-public-search.ts';
import type { AgentRef, ReadAnswer, ReadUrlInput, SearchAnswer, SearchDocsInput } from './types.ts';
import { answerWhich, askWhich, isWhichOpen } from './which-library.ts';

export interface Search {
  /** Searches for an agent or, without one, for a person: then nothing is remembered or omitted. */
  searchDocs(
    ctx: Context,
    input: SearchDocsInput,
    agent: AgentRef | undefined,
    rendering?: SearchRendering,
    beside?: SentBeside,
  ): Promise<SearchAnswer>;
  /** Searches while the user is still typing; free. */
  previewSearch(ctx: Context, input: SearchDocsInput): Promise<SearchAnswer>;
  /** Searches the public index for a visitor without an account, identified by network address. */
  tryPublicSearch(ctx: Context, input: { query: string }, address: string): Promise<TriedSearch>;
  /** Returns the documentation that visitors can try. */
  showcase(ctx: Context): Promise<Showcase>;
  readUrl(
    ctx: Context,
    input: ReadUrlInput,
    agent: AgentRef | undefined,
    rendering?: ReadRendering,
    tokensBeside?: (answer: ReadOutput) => number,
  ): Promise<ReadAnswer>;
  /** Shows an indexed page to a person for free; visitors are counted by `visitorAddress`. */
  showDocument(ctx: Context, input: ShowDocumentInput, visitorAddress: string): ReturnType<typeof showDocument>;
  documentMarkdown(ctx: Context, input: DocumentAddress): ReturnType<typeof documentMarkdown>;
  /** Returns some of a module's pages, for people. */
  listModulePages(ctx: Context, input: ListModulePagesInput): ReturnType<typeof listModulePages>;
  /** Returns the modules the caller can search. */
  listModules(ctx: Context): Promise<ReadableModule[]>;
  /** Returns the modules that match a library name. */
  findLibraries(ctx: Context, name: string, count: number): Promise<ReadableModule[]>;
  /** Returns some of a module's pages. */
  listPages(ctx: Context, input: { moduleId: string; from: number; count: number }): ReturnType<typeof listPages>;
  sessions: Pick<AgentMemory, 'openSession' | 'findSession' | 'endSession'>;
  /** Asks the user at a client which of several libraries or versions a search means. */
  which: {
    ask(ctx: Context, input: SearchDocsInput, agent: AgentRef): ReturnType<typeof askWhich>;
    answer: typeof answerWhich;
    isOpen: typeof isWhichOpen;
  };
}

/**
 * What the search calls need. Without `outbound` and `parser` only indexed pages can be read; without `meter` nothing
 * is charged or recorded; without `meaning` ranking uses words only; without `ranker` it runs on the caller's thread.
 */
export interface SearchParts {
  shelf: Shelf;
  outbound?: Outbound;
  parser?: PageParser;
  meter?: CallMeter;
  meaning?: Meaning | undefined;
  ranker?: Ranker | undefined;
  /** Does slow work of a call outside its turn. */
  aside?: <T>(ctx: Context, work: () => Promise<T>) => Promise<T>;
}

/** Creates the search calls over one shelf. */
export function createSearch(deps: SearchParts): Search {
  const memory = createAgentMemory();
  const pages = createRemotePages(deps);
  const { shelf, meter, meaning, ranker, aside = (_ctx, work) => work() } = deps;
  const remotePages: RemotePages = { fetch: (ctx, url) => aside(ctx, () => pages.fetch(ctx, url)) };
  return {
    searchDocs: (ctx, input, agent, rendering, beside) =>
      traced('search', async (span) => {
        const deps = { shelf, memory, meter, meaning, ranker };
        const answer = await searchDocs(deps, ctx, input, agent, rendering, beside);
        const { results, tokens, searchedSnippets } = answer;
        span.note({
          'lectern.results': results.length,
          'lectern.tokens': tokens,
          'lectern.searched_snippets': searchedSnippets,
        });
        return answer;
      }),
    previewSearch: (ctx, input) =>
      previewSearch(
        {
          meter,
          searchPaid: (...args) => searchDocs({ shelf, memory, meter, meaning, ranker }, ...args, undefined),
          searchFree: (...args) => searchDocs({ shelf, memory }, ...args, undefined),
        },
        ctx,
        input,
      ),
    tryPublicSearch: (ctx, input, address) => tryPublicSearch(shelf, ctx, input, address),
    showcase: createShowcase(shelf),
    readUrl: (ctx, input, agent, rendering, tokensBeside) =>
      traced('read', async (span) => {
        const deps = { shelf, memory, remotePages, meter };
        const answer = await readUrl(deps, ctx, input, agent, rendering, tokensBeside);
        span.note({ 'lectern.tokens': answer.tokens, 'lectern.is_indexed': answer.moduleId !== null });
        return answer;
      }),
    showDocument: (ctx, input, visitorAddress) => showDocument(shelf, ctx, input, visitorAddress),
    documentMarkdown: (ctx, input) => documentMarkdown(shelf, ctx, input),
    listModulePages: (ctx, input) => listModulePages(shelf, ctx, input),
    listModules: (ctx) => shelf.readableModules(ctx),
    findLibraries: (ctx, name, count) => findLibraries(shelf, ctx, name, count),
    listPages: (ctx, input) => listPages(shelf, ctx, input),
    sessions: memory,
    which: {
      ask: (ctx, input, agent) => askWhich({ shelf, memory, meter, meaning, ranker }, ctx, input, agent),
      answer: answerWhich,
      isOpen: isWhichOpen,
    },
  };
}

/**
 * Returns an indexed page as one Markdown text, like a read without a budget; for a page over 100,000 tokens its
 * beginning, with a note of what is left out. Throws `document-not-found` as `showDocument` does.
 */
export async function documentMarkdown(
  shelf: Shelf,
  ctx: Context,
  input: DocumentAddress,
): Promise<{ url: string; title: string; markdown: string; visibility: 'public' | 'private'; tokens: number }> {
  const { page, found } = await findDocument(shelf, ctx, input);
  const parts = new Map<number, string>();
  const leftOut: number[] = [];
  let tokens = 0;
  for (const [index, snippet] of page.snippets.entries()) {
    tokens += snippet.tokens;
    if (tokens > limits.documentMarkdownTokensMax) leftOut.push(index);
    else parts.set(index, linkedText(snippet));
  }
  const sent = page.snippets.reduce((sum, snippet, index) => sum + (parts.has(index) ? snippet.tokens : 0), 0);
  const plan = { parts, section: undefined, sentBefore: [], leftOut, outlineMax: sectionsNamedMax, notes: [] };
  const markdown = renderRead(page, plan, page.url);
  return { url: page.url, title: cleanLabel(page.title), markdown, visibility: found.module.visibility, tokens: sent };
}

const sectionsNamedMax = 12;

/** Returns the modules that match a library name, best first: exact names, then names that contain it. */
async function findLibraries(shelf: Shelf, ctx: Context, name: string, count: number): Promise<ReadableModule[]> {
  requireRight(ctx, 'docs.search');
  const wanted = name.trim().toLowerCase();
  const readable = await shelf.readableModules(ctx);
  if (wanted === '') return readable.slice(0, count);
  const called = readable.filter((module) => isNamed(module, wanted));
  const near = nearestModules(readable, wanted).filter((module) => !called.includes(module));
  return [...called, ...near].slice(0, count);
}

/** Results shown of an unfinished search to callers who pay for finished ones. */
const placesMax = 5;

/**
 * Returns a search while the user is still typing, which is free and not recorded. Users who pay for searches get only
 * the first results without their passages, which the finished search shows. Programs do not type; their searches count
 * as finished. Refuses callers who cannot pay for a finished search.
 */
export async function previewSearch(
  deps: {
    meter?: CallMeter | undefined;
    /** Runs the search as a charged call; `searchFree` charges nothing. */
    searchPaid(ctx: Context, input: SearchDocsInput): Promise<SearchAnswer>;
    searchFree(ctx: Context, input: SearchDocsInput): Promise<SearchAnswer>;
  },
  ctx: Context,
  input: SearchDocsInput,
): Promise<SearchAnswer> {
  if (isProgram(ctx.actor)) return deps.searchPaid(ctx, input);
  const call = { tool: 'search' as const, args: { ...input }, clientName: '' };
  const admitted = await deps.meter?.admit(ctx, call);
  if (admitted?.isCharged !== true) return deps.searchFree(ctx, input);
  const answer = await deps.searchFree(ctx, { ...input, limit: placesMax });
  const results = answer.results.map((hit) => ({ ...hit, text: '', tokens: 0 }));
  return { ...answer, results, text: '', tokens: 0, isPreview: true };
}
