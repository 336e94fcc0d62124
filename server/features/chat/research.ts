import type { ChatCitation, ChatUsage } from '#contract/chat.ts';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import type { ChatDependencies } from './dependencies.ts';

/** The passages found for a question, numbered in the order found; those of one search best first. */
export interface Research {
  readonly citations: readonly ChatCitation[];
  /** Returns true if the question's searches and reads are used up. */
  isOver(): boolean;
  /** Searches and returns the matching passages, including those found before. Throws like a search. */
  search(query: string): Promise<ChatCitation[]>;
  /** Reads the page of a passage; undefined if there is no passage with that number. */
  read(number: number): Promise<ChatCitation | undefined>;
  /** Returns the usage so far. */
  usage(): Pick<ChatUsage, 'searches' | 'reads' | 'documentationTokens' | 'credits'>;
}

/** Starts the research for a question; all calls use the asker's own search and read. */
export function beginResearch(
  ctx: Context,
  { question, moduleId }: { question: string; moduleId: string | undefined },
  { search }: ChatDependencies,
): Research {
  const citations: ChatCitation[] = [];
  const spent = { searches: 0, reads: 0, documentationTokens: 0 };
  const add = (found: Omit<ChatCitation, 'number'>): ChatCitation => {
    const known = citations.find(({ url, text }) => url === found.url && text === found.text);
    if (known !== undefined) return known;
    const citation = { number: citations.length + 1, ...found };
    citations.push(citation);
    return citation;
  };
  return {
    citations,
    isOver: () => spent.searches + spent.reads >= limits.chatToolCallsMax,
    async search(query) {
      spent.searches += 1;
      const answer = await search.searchDocs(ctx, searchOf(query, moduleId), undefined);
      // Results are in page order, so the best one of a page, which is quoted if no model writes, may be its last.
      const hits = answer.results.filter(({ text }) => text !== '').sort((a, b) => b.score - a.score);
      if (hits.length > 0) spent.documentationTokens += answer.tokens;
      return hits.map(({ url, passageId, title, headingPath, moduleId: from, moduleName, visibility, text, tokens }) =>
        add({ url, passageId, title, headingPath, moduleId: from, moduleName, visibility, text, tokens }),
      );
    },
    async read(number) {
      const passage = citations.find((known) => known.number === number);
      if (passage === undefined) return undefined;
      spent.reads += 1;
      const page = await search.readUrl(
        ctx,
        { url: passage.url, query: question, budget: limits.chatReadTokens },
        undefined,
      );
      spent.documentationTokens += page.tokens;
      const { moduleId: from, moduleName, visibility, headingPath } = passage;
      const { url, title, text, tokens } = page;
      return add({ url, title, headingPath, moduleId: from, moduleName, visibility, text, tokens });
    },
    usage: () => ({ ...spent, credits: search.creditsOf(ctx) }),
  };
}

/** Returns the arguments of a chat's search: equal for equal queries, so that a retry is recognized. */
export function searchOf(query: string, moduleId: string | undefined) {
  return { query: query.slice(0, limits.queryCharactersMax), budget: limits.chatSearchTokens, module: moduleId };
}
