import * as limits from '#contract/limits.ts';
import {
  madeAt as benchedAt,
  machine as benchMachine,
  corpora,
  indexing,
  searchOverMcp,
  starts,
  update,
} from '../../../bench/last.json';
import { machine, madeAt, summary } from '../../../eval/baseline.json';

const { agent, cold } = summary.forms;
const budgets = [600, 1_250, 2_500, 5_000] as const;

/** Results of the last evaluation, from the file that later runs are compared with. */
export const quality = {
  measuredOn: madeAt.slice(0, 10),
  machine,
  questions: agent.count,
  packages: Object.keys(summary.byCorpus).length,
  byForm: [
    { name: 'As a coding agent writes it', ...sharesOf(agent.figures) },
    { name: 'As a person types it', ...sharesOf(cold.figures) },
  ],
  tokensMean: agent.figures['tokens of a path'].mean,
  savedMean: limits.baselineTokens - agent.figures['tokens of a path'].mean,
  tokensLeast: agent.tokensLeast,
  tokensMost: agent.tokensMost,
  onPath: agent.figures['on the path'].mean,
  inSearch: agent.figures['in search'].mean,
  byBudget: budgets.map((budget) => ({ budget, answer: agent.figures[`in search at ${budget}`].mean })),
  searchMsP50: summary.latency.search.p50Ms,
  searchMsP95: summary.latency.search.p95Ms,
  byKind: Object.entries(summary.byKind).map(([kind, forms]) => ({
    kind,
    count: forms[0]?.count ?? 0,
    agent: forms.find(({ form }) => form === 'agent')?.onPath ?? 0,
    cold: forms.find(({ form }) => form === 'cold')?.onPath ?? 0,
  })),
  worst: Object.entries(summary.byCorpus)
    .flatMap(([name, forms]) => forms.filter(({ form }) => form === 'agent').map((row) => ({ name, ...row })))
    .reduce((a, b) => (b.onPath < a.onPath ? b : a)),
};

function sharesOf(figures: typeof agent.figures) {
  return {
    inSearch: figures['in search'].mean,
    onPath: figures['on the path'].mean,
    pageAt5: figures['page@5'].mean,
  };
}

/** Histogram of tokens per question, up to the cost of a look-up without search. */
export const tokensPerQuestion = agent.tokenSteps.map((count, place) => {
  const step = limits.baselineTokens / agent.tokenSteps.length;
  return { from: place * step, to: (place + 1) * step, count };
});

/** Results of the last benchmark; medians over its rounds. */
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

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

/** Returns "69%" for 0.687. */
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
