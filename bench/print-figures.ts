import { percentile } from '../eval/score.ts';
import type { IndexingFigure, StartFigures } from './installation.ts';
import type { Latency } from './latency.ts';
import { callersAtOnce, type SearchFigures } from './searching.ts';
import type { UpdateFigures } from './updating.ts';

interface Figures {
  machine: string;
  indexing: IndexingFigure[];
  starts: StartFigures;
  searchInProcess: SearchFigures & { openMs: number; residentBytes: number };
  searchOverMcp: SearchFigures;
  update: UpdateFigures;
}

/** Prints the figures for people; for repetitions, the median with minimum and maximum. */
export function printFigures({ machine, indexing, starts, searchInProcess, searchOverMcp, update }: Figures): void {
  const numbers = (pick: (figure: IndexingFigure) => number | null): number[] =>
    indexing.map(pick).filter((value) => value !== null);
  console.log(machine);
  console.log(
    `indexing      ${spread(
      numbers((figure) => figure.pagesPerSecond),
      1,
    )} pages/s`,
  );
  console.log(
    `              ${spread(
      numbers((figure) => figure.megabytesPerSecond),
      2,
    )} MB/s`,
  );
  for (const [place, { name }] of (indexing[0]?.corpora ?? []).entries()) {
    console.log(
      `  ${name.padEnd(12)}${spread(
        numbers((figure) => figure.corpora[place]?.pagesPerSecond ?? null),
        1,
      )} pages/s`,
    );
  }
  console.log(
    `memory, peak  ${spread(
      numbers((figure) => inMegabytes(figure.peakMemoryBytes)),
      0,
    )} MB`,
  );
  console.log(
    `memory, after ${spread(
      numbers((figure) => inMegabytes(figure.idleMemoryBytes)),
      0,
    )} MB`,
  );
  console.log(
    `disk          ${spread(
      numbers((figure) => inMegabytes(figure.diskBytes)),
      0,
    )} MB`,
  );
  console.log(`start, cold   ${spread(starts.coldMs, 0)} ms`);
  console.log(`start, warm   ${spread(starts.warmMs, 0)} ms`);
  printSearch('in process', searchInProcess);
  console.log(`  opened and first search after ${searchInProcess.openMs.toFixed(0)} ms`);
  printSearch('over MCP', searchOverMcp);
  console.log(`update seen   ${spread(update.commandToVisibleMs, 0)} ms after the command`);
  for (const [name, values] of [
    ['was sent', update.fetchedToVisibleMs],
    ['was sent, until the search has answered', update.fetchedToFoundMs],
  ] as const) {
    console.log(
      `              ${spread(values, 0)} ms after the page ${name}, p95 ${percentile(values, 0.95).toFixed(0)}`,
    );
  }
  console.log(`              ${spread(update.longestSearchMs, 0)} ms the longest search meanwhile`);
}

function printSearch(how: string, { alone, crowded, crowdedPerSecond }: SearchFigures): void {
  console.log(`search ${how}: alone ${latency(alone)}`);
  console.log(`  ${callersAtOnce} at once ${latency(crowded)}, ${crowdedPerSecond.toFixed(0)} a second`);
}

function latency({ p50Ms, p95Ms, p99Ms }: Latency): string {
  return `p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
}

function spread(values: number[], digits: number): string {
  if (values.length === 0) return 'not measured';
  const of = (value: number): string => value.toFixed(digits);
  return `${of(percentile(values, 0.5))} (${of(Math.min(...values))} to ${of(Math.max(...values))})`;
}

function inMegabytes(bytes: number | null): number | null {
  return bytes === null ? null : bytes / 1e6;
}
