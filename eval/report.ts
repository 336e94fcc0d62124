import type { JobRun } from '#contract/library.ts';
import type { Verdict } from './compare.ts';
import type { Score, Summary } from './score.ts';

export interface IndexingFigures {
  pages: number;
  seconds: number;
  pagesPerSecond: number;
  peakMemoryBytes: number | null;
  diskBytes: number;
  corpora: {
    name: string;
    pages: number;
    snippets: number;
    failed: number;
    skipped: number;
    skipReasons: JobRun['skipReasons'];
    seconds: number;
  }[];
}

export interface RunReport {
  madeAt: string;
  machine: string;
  items: string;
  surface: { definitionTokens: number; instructionTokens: number };
  /** Null when the index of an earlier run was used. */
  indexing: IndexingFigures | null;
  summary: Summary;
}

/** The report as lines for people. */
export function printReport(report: RunReport): void {
  const { summary, indexing, surface } = report;
  if (indexing !== null) printIndexing(indexing);
  console.log(row('', ['n', 'page@1', 'page@5', 'answer', 'in search', 'tokens', 'search', 'reads']));
  const totals = {
    'real questions (headline)': summary.headline,
    'written questions': summary.written,
    all: summary.all,
  };
  for (const [name, score] of Object.entries(totals)) if (score.count > 0) console.log(scoreRow(name, score));
  for (const [title, group] of Object.entries({
    tier: summary.byTier,
    kind: summary.byKind,
    corpus: summary.byCorpus,
  })) {
    if (Object.keys(group).length > 0) console.log('');
    for (const [name, score] of Object.entries(group)) console.log(scoreRow(`${title} ${name}`, score));
  }
  console.log('\nsearch alone, by answer budget');
  for (const { budget, pageAt5, answer, tokens } of summary.atBudget) {
    console.log(
      `  ${String(budget).padStart(5)} tokens: page@5 ${share(pageAt5)}, answer ${share(answer)}, ${tokens.toFixed(0)} used`,
    );
  }
  const { p95Tokens, besideTokens } = summary.path;
  console.log(
    `\na path: p95 ${p95Tokens} tokens; a client that shows its model the structure as well adds ${besideTokens.toFixed(0)} on the mean`,
  );
  for (const tool of ['search', 'read'] as const) {
    const { count, p50Ms, p95Ms } = summary.latency[tool];
    console.log(
      `${tool}: ${count} calls, p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms as the client sees it`,
    );
  }
  console.log(`tools: ${surface.definitionTokens} tokens of definitions, ${surface.instructionTokens} of instructions`);
  if (summary.errors > 0) console.log(`${summary.errors} calls ended with an error result`);
}

export function printVerdicts(verdicts: Verdict[]): void {
  console.log('\ncompared with the baseline');
  for (const { figure, before, now, isDrop, reason } of verdicts) {
    const digits = figure === 'tokens' ? 0 : 3;
    console.log(
      `  ${isDrop ? 'DROP' : 'ok  '} ${figure}: ${before.toFixed(digits)} -> ${now.toFixed(digits)} (${reason})`,
    );
  }
}

function printIndexing({ pages, seconds, pagesPerSecond, peakMemoryBytes, diskBytes, corpora }: IndexingFigures): void {
  for (const corpus of corpora) {
    console.log(
      `${corpus.name.padEnd(12)} ${String(corpus.pages).padStart(6)} pages ${String(corpus.snippets).padStart(7)} snippets` +
        ` ${corpus.seconds.toFixed(1).padStart(7)} s  skipped ${corpus.skipped}, failed ${corpus.failed}`,
    );
  }
  const memory = peakMemoryBytes === null ? 'memory not measured' : `peak memory ${megabytes(peakMemoryBytes)}`;
  console.log(
    `indexed ${pages} pages in ${seconds.toFixed(0)} s, ${pagesPerSecond.toFixed(1)} pages/s, ${memory}, disk ${megabytes(diskBytes)}\n`,
  );
}

function scoreRow(name: string, score: Score): string {
  const { count, pageAt1, pageAt5, answer, answerInSearch, tokens, searchTokens, readsPerQuestion } = score;
  return row(name, [
    String(count),
    ...[pageAt1, pageAt5, answer, answerInSearch].map(share),
    tokens.toFixed(0),
    searchTokens.toFixed(0),
    readsPerQuestion.toFixed(2),
  ]);
}

const row = (name: string, cells: string[]): string =>
  name.padEnd(26) + cells.map((cell) => cell.padStart(10)).join('');
const share = (value: number): string => value.toFixed(3);
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
