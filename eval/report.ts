import type { JobRun } from '#contract/library.ts';
import type { Verdict } from './compare.ts';
import type { Estimate, Summary } from './score.ts';

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
  /** Null if an earlier run's index was used. */
  indexing: IndexingFigures | null;
  summary: Summary;
}

/** Prints the report for people. */
export function printReport({ summary, indexing, surface, items }: RunReport): void {
  if (indexing !== null) printIndexing(indexing);
  for (const [form, { count, figures, p95Tokens }] of Object.entries(summary.forms)) {
    console.log(`${form} form, ${count} questions of ${items} (mean and its 95 % interval)`);
    for (const [name, figure] of Object.entries(figures)) console.log(`  ${name.padEnd(22)} ${shown(figure)}`);
    console.log(`  ${'p95 tokens of a path'.padEnd(22)} ${p95Tokens}\n`);
  }
  console.log('by documentation set: questions, page@5, in search, on the path');
  for (const [corpus, rows] of Object.entries(summary.byCorpus)) {
    for (const { form, count, pageAt5, inSearch, onPath } of rows) {
      const shares = [pageAt5, inSearch, onPath].map((share) => share.toFixed(2).padStart(6)).join('');
      console.log(`  ${corpus.padEnd(24)} ${form.padEnd(6)}${String(count).padStart(4)}${shares}`);
    }
  }
  console.log(`\na client that shows its model the structure as well adds ${summary.besideTokens.toFixed(0)} tokens`);
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
  console.log('\ncompared question by question: before, now, difference with its 95 % interval, more and less');
  for (const { form, measure, before, now, difference, won, lost, verdict } of verdicts) {
    const change = [difference.mean, difference.low, difference.high].map((value) => signed(value)).join(' ');
    console.log(
      `  ${form.padEnd(6)}${measure.padEnd(22)} ${number(before)} ${number(now)}  ${change}  +${won} -${lost}  ${verdict}`,
    );
  }
}

function printIndexing({ pages, seconds, pagesPerSecond, peakMemoryBytes, diskBytes, corpora }: IndexingFigures): void {
  for (const corpus of corpora) {
    console.log(
      `${corpus.name.padEnd(24)} ${String(corpus.pages).padStart(6)} pages ${String(corpus.snippets).padStart(7)} snippets` +
        ` ${corpus.seconds.toFixed(1).padStart(7)} s  skipped ${corpus.skipped}, failed ${corpus.failed}`,
    );
  }
  const memory = peakMemoryBytes === null ? 'memory not measured' : `peak memory ${megabytes(peakMemoryBytes)}`;
  console.log(
    `indexed ${pages} pages in ${seconds.toFixed(0)} s, ${pagesPerSecond.toFixed(1)} pages/s, ${memory}, disk ${megabytes(diskBytes)}\n`,
  );
}

function shown({ mean, low, high }: Estimate): string {
  return `${number(mean)}  [${number(low)}, ${number(high)}]`;
}

const number = (value: number): string => value.toFixed(Math.abs(value) >= 10 ? 0 : 3).padStart(6);
const signed = (value: number): string => `${value >= 0 ? '+' : ''}${number(value).trim()}`.padStart(7);
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
