import type { Context } from '#server/context.ts';
import type { CallMeter } from '#server/features/credits/index.ts';
import type { ReadableModule, Shelf } from '#server/features/library/index.ts';
import type { Outbound } from '#server/platform/outbound/index.ts';
import { type AgentMemory, createAgentMemory } from './agent-memory.ts';
import { previewSearch } from './preview-search.ts';
import type { ReadRendering } from './read-renderings.ts';
import { readUrl } from './read-url.ts';
import { createRemotePages, type PageParser } from './remote-pages.ts';
import { searchDocs } from './search-docs.ts';
import type { SearchRendering, SentBeside } from './search-renderings.ts';
import type { AgentRef, ReadAnswer, ReadUrlInput, SearchAnswer, SearchDocsInput } from './types.ts';

export interface Search {
  /** Searches for an agent, or (without one) for a person: then nothing is remembered and nothing left out. */
  searchDocs(
    ctx: Context,
    input: SearchDocsInput,
    agent: AgentRef | undefined,
    rendering?: SearchRendering,
    beside?: SentBeside,
  ): Promise<SearchAnswer>;
  /** Answers a search whose words are still being typed; costs nothing. */
  previewSearch(ctx: Context, input: SearchDocsInput): Promise<SearchAnswer>;
  readUrl(
    ctx: Context,
    input: ReadUrlInput,
    agent: AgentRef | undefined,
    rendering?: ReadRendering,
  ): Promise<ReadAnswer>;
  /** Modules the caller may search. */
  listModules(ctx: Context): Promise<ReadableModule[]>;
  sessions: Pick<AgentMemory, 'openSession' | 'findSession' | 'endSession'>;
}

/**
 * The verbs of this feature, over one shelf. Without `outbound` and `parser` only indexed pages can be read; without
 * `meter` nothing is charged or recorded.
 */
export function createSearch(deps: {
  shelf: Shelf;
  outbound?: Outbound;
  parser?: PageParser;
  meter?: CallMeter;
}): Search {
  const memory = createAgentMemory();
  const remotePages = createRemotePages(deps);
  const { shelf, meter } = deps;
  return {
    searchDocs: (ctx, input, agent, rendering, beside) =>
      searchDocs({ shelf, memory, meter }, ctx, input, agent, rendering, beside),
    previewSearch: (ctx, input) =>
      previewSearch(
        {
          meter,
          searchPaid: (...args) => searchDocs({ shelf, memory, meter }, ...args, undefined),
          searchFree: (...args) => searchDocs({ shelf, memory }, ...args, undefined),
        },
        ctx,
        input,
      ),
    readUrl: (ctx, input, agent, rendering) =>
      readUrl({ shelf, memory, remotePages, meter }, ctx, input, agent, rendering),
    listModules: (ctx) => shelf.readableModules(ctx),
    sessions: memory,
  };
}
