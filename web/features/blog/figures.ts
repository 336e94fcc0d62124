import { limits } from '#contract/limits.ts';
import {
  madeAt as benchedAt,
  machine as benchMachine,
  corpora,
  indexing,
  searchOverMcp,
  starts,
  update,
} from '../../../bench/last.json';
import { machine, madeAt, rows, summary } from '../../../eval/baseline.json';

const { all, headline, written } = summary;

/** What the evaluation measured last: the file that later runs are compared with. */
export const quality = {
  measuredOn: madeAt.slice(0, 10),
  machine,
  questions: all.count,
  realQuestions: headline.count,
  writtenQuestions: written.count,
  packages: Object.keys(summary.byCorpus).length,
  answered: all.answer,
  answeredReal: headline.answer,
  answeredWritten: written.answer,
  answeredBySearchAlone: all.answerInSearch,
  pageAt5: all.pageAt5,
  tokensMean: all.tokens,
  searchTokensMean: all.searchTokens,
  savedMean: limits.baselineTokens - all.tokens,
  tokensLeast: Math.min(...rows.map(({ tokens }) => tokens)),
  tokensMost: Math.max(...rows.map(({ tokens }) => tokens)),
  searchMsP50: summary.latency.search.p50Ms,
  searchMsP95: summary.latency.search.p95Ms,
  byBudget: summary.atBudget,
  tokensMeanReal: headline.tokens,
  largestBudget: summary.atBudget.reduce((a, b) => (b.budget > a.budget ? b : a)),
  byKind: Object.entries(summary.byKind)
    .map(([kind, { count, answer }]) => ({ kind, count, answer }))
    .sort((a, b) => b.count - a.count),
  worst: Object.entries(summary.byCorpus)
    .map(([name, { count, answer }]) => ({ name, count, answer }))
    .filter(({ count }) => count >= 5)
    .reduce((a, b) => (b.answer < a.answer ? b : a)),
};

/** How many questions cost how many tokens, in steps up to what a look-up costs without a search. */
export const tokensPerQuestion = (() => {
  const step = 500;
  const places = limits.baselineTokens / step;
  return Array.from({ length: places }, (_, place) => ({
    from: place * step,
    to: (place + 1) * step,
    count: rows.filter(({ tokens }) => tokens >= place * step && tokens < (place + 1) * step).length,
  }));
})();

/** What the benchmark measured last; medians over its rounds. */
export const speed = {
  measuredOn: benchedAt.slice(0, 10),
  machine: benchMachine,
  corpora: corpora.map(({ name }) => name),
  rounds: indexing.length,
  pagesPerSecond: median(indexing.map((round) => round.pagesPerSecond)),
  searchMsP50: searchOverMcp.alone.p50Ms,
  searchMsP95: searchOverMcp.alone.p95Ms,
  searchesPerSecond: searchOverMcp.crowdedPerSecond,
  coldStartMs: median(starts.coldMs),
  fetchedToVisibleMs: median(update.fetchedToVisibleMs),
};

/** The middle one. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

/** 0.687 is 69 %. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
