import { hasAnswer } from './answer-match.ts';
import type { Agent, ToolAnswer } from './drive/agent.ts';
import type { Question } from './question.ts';

/** Answer budgets, in tokens, at which search alone is measured as well. */
export const searchBudgets = [500, 1_000, 2_000, 4_000] as const;

/** What one question brought. */
export interface Outcome {
  id: string;
  corpus: string;
  kind: string;
  tier: string;
  /** Place of the first gold page among the distinct pages of the search, from 1; null when absent. */
  pageRank: number | null;
  /** Calls after which an answer had been seen: 1 the search, 2 and 3 the reads; null never. */
  answeredAfter: number | null;
  /** Tokens of all tool results on the path. */
  tokens: number;
  calls: { tool: 'search' | 'read'; tokens: number; besideTokens: number; ms: number; isError: boolean }[];
  /** Per budget of `searchBudgets`: whether the search alone brought a gold page among the first five, and an answer. */
  atBudget: { budget: number; hasPage: boolean; hasAnswer: boolean; tokens: number }[];
}

/** Asks as the method says: search; while no answer was seen, read the first result, then the second. */
export async function ask(question: Question, newAgent: () => Promise<Agent>): Promise<Outcome> {
  const calls: Outcome['calls'] = [];
  const note = (tool: 'search' | 'read', { tokens, besideTokens, ms, isError }: ToolAnswer): void => {
    calls.push({ tool, tokens, besideTokens, ms, isError });
  };
  const agent = await newAgent();
  const found = await agent.search(question.query);
  note('search', found);
  let answeredAfter = hasAnswer(found.text, question.answer_any) ? 1 : null;
  for (const url of found.urls.slice(0, 2)) {
    if (answeredAfter !== null) break;
    const page = await agent.read(url);
    note('read', page);
    if (hasAnswer(page.text, question.answer_any)) answeredAfter = calls.length;
  }
  await agent.close();
  const { id, corpus, kind, tier } = question;
  return {
    ...{ id, corpus, kind, tier },
    pageRank: goldRank(question, found.urls),
    answeredAfter,
    tokens: calls.reduce((sum, call) => sum + call.tokens, 0),
    calls,
    atBudget: await askAtBudgets(question, newAgent),
  };
}

async function askAtBudgets(question: Question, newAgent: () => Promise<Agent>): Promise<Outcome['atBudget']> {
  const rows: Outcome['atBudget'] = [];
  for (const budget of searchBudgets) {
    const agent = await newAgent();
    const found = await agent.search(question.query, budget);
    const rank = goldRank(question, found.urls);
    rows.push({
      budget,
      hasPage: rank !== null && rank <= 5,
      hasAnswer: hasAnswer(found.text, question.answer_any),
      tokens: found.tokens,
    });
    await agent.close();
  }
  return rows;
}

/** Place of the first gold page among the distinct pages of these addresses. */
export function goldRank(question: Pick<Question, 'corpus' | 'gold'>, urls: string[]): number | null {
  const wanted = new Set(question.gold.map((page) => withoutIndex(`${question.corpus}/${page}`)));
  const pages = [...new Set(urls.map(pageOf))];
  const place = pages.findIndex((page) => wanted.has(page));
  return place < 0 ? null : place + 1;
}

/** `corpus/path` of an address; pages of our own documentation, a folder, have the name of their module in place of a host. */
function pageOf(url: string): string {
  const { protocol, hostname, pathname } = new URL(url);
  const path = decodeURIComponent(pathname);
  return withoutIndex(protocol === 'folder:' ? hostname + path : path.slice(1));
}

/** A folder and its index file are one page; which address a site links to is its own choice. */
function withoutIndex(path: string): string {
  return path.replace(/(^|\/)index\.html$/, '$1');
}
