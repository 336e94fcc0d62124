import { type Outcome, searchBudgets } from './ask.ts';

/** Figures of a group of questions. Shares are of 1, tokens are means a question. */
export interface Score {
  count: number;
  pageAt1: number;
  pageAt5: number;
  /** An answer was seen on the path: search, then at most two reads. */
  answer: number;
  /** An answer was in the search result already. */
  answerInSearch: number;
  tokens: number;
  searchTokens: number;
  readsPerQuestion: number;
}

export interface Summary {
  /** All but written questions: the figures that count. */
  headline: Score;
  written: Score;
  all: Score;
  byTier: Record<string, Score>;
  byKind: Record<string, Score>;
  byCorpus: Record<string, Score>;
  /** Search alone, per answer budget, headline questions. */
  atBudget: { budget: number; pageAt5: number; answer: number; tokens: number }[];
  /** Tokens of a path, headline questions: the 95th percentile, and what a client adds that shows the structure as well. */
  path: { p95Tokens: number; besideTokens: number };
  latency: Record<'search' | 'read', { count: number; p50Ms: number; p95Ms: number }>;
  errors: number;
}

export function summarize(outcomes: Outcome[]): Summary {
  const headline = outcomes.filter((outcome) => outcome.tier !== 'written');
  const calls = outcomes.flatMap((outcome) => outcome.calls);
  return {
    headline: scoreOf(headline),
    written: scoreOf(outcomes.filter((outcome) => outcome.tier === 'written')),
    all: scoreOf(outcomes),
    byTier: groups(outcomes, (outcome) => outcome.tier),
    byKind: groups(headline, (outcome) => outcome.kind),
    byCorpus: groups(headline, (outcome) => outcome.corpus),
    atBudget: searchBudgets.map((budget, place) => {
      const rows = (headline.length > 0 ? headline : outcomes).flatMap((outcome) => outcome.atBudget[place] ?? []);
      return {
        budget,
        pageAt5: mean(rows.map((row) => Number(row.hasPage))),
        answer: mean(rows.map((row) => Number(row.hasAnswer))),
        tokens: mean(rows.map((row) => row.tokens)),
      };
    }),
    path: pathOf(headline.length > 0 ? headline : outcomes),
    latency: { search: latencyOf(calls, 'search'), read: latencyOf(calls, 'read') },
    errors: calls.filter((call) => call.isError).length,
  };
}

export function scoreOf(outcomes: Outcome[]): Score {
  const share = (test: (outcome: Outcome) => boolean): number => mean(outcomes.map((outcome) => Number(test(outcome))));
  return {
    count: outcomes.length,
    pageAt1: share(({ pageRank }) => pageRank === 1),
    pageAt5: share(isPageAt5),
    answer: share(isAnswered),
    answerInSearch: share(({ answeredAfter }) => answeredAfter === 1),
    tokens: mean(outcomes.map((outcome) => outcome.tokens)),
    searchTokens: mean(outcomes.map((outcome) => outcome.calls[0]?.tokens ?? 0)),
    readsPerQuestion: mean(outcomes.map((outcome) => outcome.calls.length - 1)),
  };
}

export const isPageAt5 = ({ pageRank }: Pick<Outcome, 'pageRank'>): boolean => pageRank !== null && pageRank <= 5;
export const isAnswered = ({ answeredAfter }: Pick<Outcome, 'answeredAfter'>): boolean => answeredAfter !== null;

/** The value below which the given share of the values lies; 0 of none. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

export function mean(values: number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function pathOf(outcomes: Outcome[]): Summary['path'] {
  const beside = outcomes.map(({ calls }) => calls.reduce((sum, { besideTokens }) => sum + besideTokens, 0));
  const tokens = outcomes.map((outcome) => outcome.tokens);
  return { p95Tokens: percentile(tokens, 0.95), besideTokens: mean(beside) };
}

function latencyOf(calls: Outcome['calls'], tool: 'search' | 'read'): Summary['latency']['search'] {
  const times = calls.filter((call) => call.tool === tool).map((call) => call.ms);
  return { count: times.length, p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) };
}

function groups(outcomes: Outcome[], nameOf: (outcome: Outcome) => string): Record<string, Score> {
  const names = [...new Set(outcomes.map(nameOf))].sort();
  return Object.fromEntries(
    names.map((name) => [name, scoreOf(outcomes.filter((outcome) => nameOf(outcome) === name))]),
  );
}
