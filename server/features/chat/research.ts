import type { ChatCitation, ChatUsage } from '#contract/chat.ts';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import type { ChatDependencies } from './dependencies.ts';

/** What was found for one question, numbered in the order it was found, of one search the best first. */
export interface Research {
  readonly citations: readonly ChatCitation[];
  /** Whether the searches and reads one question may have are used up. */
  isOver(): boolean;
  /** Searches; answers the passages that fit, those that were found before too. Refuses as a search does. */
  search(query: string): Promise<ChatCitation[]>;
  /** Reads on in the page of a passage; undefined when there is no passage of that number. */
  read(number: number): Promise<ChatCitation | undefined>;
  /** What it took so far. */
  usage(): Pick<ChatUsage, 'searches' | 'reads' | 'documentationTokens' | 'credits'>;
}

/** Begins to look for what answers a question; everything goes through the asker's own search and read. */
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
      // Of a page they come in its order: the best, which stands for an answer where no model writes one, may be its last.
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

/** A search as chats make it: the same words are the same search, so that a retry is known for one. */
export function searchOf(query: string, moduleId: string | undefined) {
  return { query: query.slice(0, limits.queryCharactersMax), budget: limits.chatSearchTokens, module: moduleId };
}
