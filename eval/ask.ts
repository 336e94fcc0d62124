import { hasAnswer } from './answer-match.ts';
import type { Agent, ToolAnswer } from './drive/agent.ts';
import { type Form, forms, type Question } from './question.ts';

/** Token budgets at which the search alone is measured. */
export const searchBudgets = [600, 1_250, 2_500, 5_000] as const;

/** Result of a question in one form. */
export interface Outcome {
  id: string;
  form: Form;
  corpus: string;
  kind: string;
  tier: string;
  fold: number;
  /** Rank of the first gold page among the search's distinct pages, from 1; null if absent. */
  pageRank: number | null;
  /** Number of calls until an answer was seen: 1 for the search, 2 and 3 for the reads; null if never. */
  answeredAfter: number | null;
  /** Tokens of all tool results on the path. */
  tokens: number;
  calls: { tool: 'search' | 'read'; tokens: number; besideTokens: number; ms: number; isError: boolean }[];
  /** For each budget of `searchBudgets`: whether the search alone returned an answer. */
  atBudget: { budget: number; hasAnswer: boolean; tokens: number }[];
  /** Number of search results, and of those from other corpora. */
  results: number;
  foreignResults: number;
}

/**
 * Asks a question in each of its forms: searches; while no answer was seen, reads the first result, then the second.
 */
export async function ask(question: Question, newAgent: () => Promise<Agent>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const form of forms) {
    const query = question.queries[form];
    if (query !== undefined) outcomes.push(await askIn(form, query, question, newAgent));
  }
  return outcomes;
}

async function askIn(form: Form, query: string, question: Question, newAgent: () => Promise<Agent>): Promise<Outcome> {
  const calls: Outcome['calls'] = [];
  const note = (tool: 'search' | 'read', { tokens, besideTokens, ms, isError }: ToolAnswer): void => {
    calls.push({ tool, tokens, besideTokens, ms, isError });
  };
  const agent = await newAgent();
  const found = await agent.search(query);
  note('search', found);
  let answeredAfter = hasAnswer(found.text, question.answer_any) ? 1 : null;
  for (const url of found.urls.slice(0, 2)) {
    if (answeredAfter !== null) break;
    const page = await agent.read(url);
    note('read', page);
    if (hasAnswer(page.text, question.answer_any)) answeredAfter = calls.length;
  }
  await agent.close();
  const { id, corpus, kind, tier, fold } = question;
  return {
    ...{ id, form, corpus, kind, tier, fold },
    pageRank: goldRank(question, found.urls),
    answeredAfter,
    tokens: calls.reduce((sum, call) => sum + call.tokens, 0),
    calls,
    atBudget: await askAtBudgets(query, question, newAgent),
    results: found.urls.length,
    foreignResults: found.urls.filter((url) => !pageOf(url).startsWith(`${corpus}/`)).length,
  };
}

async function askAtBudgets(
  query: string,
  question: Question,
  newAgent: () => Promise<Agent>,
): Promise<Outcome['atBudget']> {
  const rows: Outcome['atBudget'] = [];
  for (const budget of searchBudgets) {
    const agent = await newAgent();
    const found = await agent.search(query, budget);
    rows.push({ budget, hasAnswer: hasAnswer(found.text, question.answer_any), tokens: found.tokens });
    await agent.close();
  }
  return rows;
}

/** Returns the rank of the first gold page among the distinct pages of these addresses. */
export function goldRank(question: Pick<Question, 'corpus' | 'gold'>, urls: string[]): number | null {
  const wanted = new Set(question.gold.map((page) => withoutIndex(`${question.corpus}/${page}`)));
  const pages = [...new Set(urls.map(pageOf))];
  const place = pages.findIndex((page) => wanted.has(page));
  return place < 0 ? null : place + 1;
}

/** Returns `corpus/path` for an address; pages of a folder have their module's name instead of a host. */
function pageOf(url: string): string {
  const { protocol, hostname, pathname } = new URL(url);
  const path = decodeURIComponent(pathname);
  return withoutIndex(protocol === 'folder:' ? hostname + path : path.slice(1));
}

/** Treats a folder and its index file as one page, because sites link to either. */
function withoutIndex(path: string): string {
  return path.replace(/(^|\/)index\.html$/, '$1');
}
