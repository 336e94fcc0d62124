import { type Outcome, searchBudgets } from './ask.ts';
import { type Form, forms } from './question.ts';

/** The measures of an outcome: hits count 1 or 0, tokens count as they are. */
export const measures: Record<string, (outcome: Outcome) => number> = {
  'page@1': ({ pageRank }) => Number(pageRank === 1),
  'page@5': ({ pageRank }) => Number(pageRank !== null && pageRank <= 5),
  ...Object.fromEntries(
    searchBudgets.map((budget, place) => [
      `in search at ${budget}`,
      (outcome: Outcome) => Number(outcome.atBudget[place]?.hasAnswer ?? false),
    ]),
  ),
  'in search': ({ answeredAfter }) => Number(answeredAfter === 1),
  'on the path': ({ answeredAfter }) => Number(answeredAfter !== null),
  'tokens of a path': ({ tokens }) => tokens,
  'tokens of the search': ({ calls }) => calls[0]?.tokens ?? 0,
  reads: ({ calls }) => calls.length - 1,
  'from other libraries': ({ results, foreignResults }) => (results === 0 ? 0 : foreignResults / results),
  'rightly (un)answered': ({ form, results }) => Number((form === 'nothing') === (results === 0)),
};

/** A mean with its 95 % interval: percentiles of the means of resampled questions. */
export interface Estimate {
  mean: number;
  low: number;
  high: number;
}

export interface FormSummary {
  count: number;
  figures: Record<string, Estimate>;
  p95Tokens: number;
  /** Tokens of the cheapest and the most expensive path. */
  tokensLeast: number;
  tokensMost: number;
  /** Histogram of paths by tokens: 0 up to 500, 500 up to 1,000 and so on. */
  tokenSteps: number[];
}

export interface Summary {
  /** All questions except those close to the documentation's words. */
  forms: Partial<Record<Form, FormSummary>>;
  /** page@5, and answers in the search and on the path, by corpus. */
  byCorpus: Record<string, { form: Form; count: number; pageAt5: number; inSearch: number; onPath: number }[]>;
  /** Share answered on the path, by kind of question. */
  byKind: Record<string, { form: Form; count: number; onPath: number }[]>;
  /** Tokens added to a path by a client that also shows its model the structured content. */
  besideTokens: number;
  latency: Record<'search' | 'read', { count: number; p50Ms: number; p95Ms: number }>;
  errors: number;
}

export function summarize(outcomes: Outcome[]): Summary {
  const headline = outcomes.filter(({ tier }) => tier !== 'written');
  const counted = headline.length > 0 ? headline : outcomes;
  const calls = outcomes.flatMap((outcome) => outcome.calls);
  const beside = counted.map((outcome) => outcome.calls.reduce((sum, { besideTokens }) => sum + besideTokens, 0));
  return {
    forms: Object.fromEntries(
      forms.flatMap((form) => {
        const rows = counted.filter((outcome) => outcome.form === form);
        return rows.length === 0 ? [] : [[form, summaryOf(rows)]];
      }),
    ),
    byCorpus: byCorpus(counted),
    byKind: byKind(counted),
    besideTokens: mean(beside),
    latency: { search: latencyOf(calls, 'search'), read: latencyOf(calls, 'read') },
    errors: calls.filter((call) => call.isError).length,
  };
}

function summaryOf(rows: Outcome[]): FormSummary {
  const figures = Object.entries(measures).map(([name, measure]) => [name, estimate(rows.map(measure))] as const);
  const tokens = rows.map((row) => row.tokens);
  const tokenSteps = new Array<number>(tokenStepsMax).fill(0);
  for (const spent of tokens) {
    const step = Math.min(tokenStepsMax - 1, Math.floor(spent / tokenStep));
    tokenSteps[step] = (tokenSteps[step] as number) + 1;
  }
  return {
    count: rows.length,
    figures: Object.fromEntries(figures),
    p95Tokens: percentile(tokens, 0.95),
    tokensLeast: Math.min(...tokens),
    tokensMost: Math.max(...tokens),
    tokenSteps,
  };
}

/** Steps up to 10,000 tokens, the assumed cost of a look-up without a search. */
const tokenStep = 500;
const tokenStepsMax = 20;

function byKind(outcomes: Outcome[]): Summary['byKind'] {
  const groups = [...Map.groupBy(outcomes, ({ kind }) => kind)].sort(([, a], [, b]) => b.length - a.length);
  return Object.fromEntries(
    groups.map(([kind, rows]) => [
      kind,
      forms.flatMap((form) => {
        const own = rows.filter((row) => row.form === form);
        const onPath = mean(own.map(({ answeredAfter }) => Number(answeredAfter !== null)));
        return own.length === 0 ? [] : [{ form, count: own.length, onPath }];
      }),
    ]),
  );
}

function byCorpus(outcomes: Outcome[]): Summary['byCorpus'] {
  const groups = Map.groupBy(outcomes, ({ corpus }) => corpus);
  return Object.fromEntries(
    [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([corpus, rows]) => [
        corpus,
        forms.flatMap((form) => {
          const own = rows.filter((row) => row.form === form);
          const share = (name: string): number => mean(own.map(measures[name] as (outcome: Outcome) => number));
          const shares = { pageAt5: share('page@5'), inSearch: share('in search'), onPath: share('on the path') };
          return own.length === 0 ? [] : [{ form, count: own.length, ...shares }];
        }),
      ]),
  );
}

const resamples = 2_000;
const intervalTail = 0.025;

/** Returns the mean of the values with its 95 % interval by bootstrap; the same values give the same interval. */
export function estimate(values: readonly number[]): Estimate {
  const random = randomFrom(values.length);
  const means = Array.from({ length: values.length === 0 ? 0 : resamples }, () => {
    let sum = 0;
    for (let at = 0; at < values.length; at += 1) sum += values[Math.floor(random() * values.length)] as number;
    return sum / values.length;
  });
  return { mean: mean(values), low: percentile(means, intervalTail), high: percentile(means, 1 - intervalTail) };
}

/** Returns a generator of numbers in [0, 1), determined by the seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns the value below which the given share of the values lies; 0 for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function latencyOf(calls: Outcome['calls'], tool: 'search' | 'read'): Summary['latency']['search'] {
  const times = calls.filter((call) => call.tool === tool).map((call) => call.ms);
  return { count: times.length, p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) };
}
