import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { residentBytes } from '../../eval/drive/processes.ts';
import { callAtRate, errorsOf } from './callers.ts';
import { writeCorpus } from './corpus.ts';
import { type Line, type LoadRun, searchIn } from './lines.ts';

const sessions = 200;
const sampleMs = 10_000;
/** Memory and handles may be so much higher in the last third than in the middle one. */
const growthMax = 1.1;

interface Sample {
  bytes: number;
  handles: number;
}

/** Sessions that search in turn and modules that are indexed again and again, for so long; memory and handles watched. */
export async function soak(run: LoadRun, minutes: number): Promise<Line> {
  const ends = performance.now() + minutes * 60_000;
  const samples: Sample[] = [];
  const watching = watch(run, ends, samples);
  const indexing = indexUntil(run, ends);
  const searching = callAtRate(searchIn(run, sessions), 10, minutes * 60);
  const [calls, runs] = await Promise.all([searching, indexing, watching]);
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  const bytes = median(last.map((sample) => sample.bytes)) / median(middle.map((sample) => sample.bytes));
  // Replaced segments are closed once a minute: handles rise and fall, and only what is left at the lowest is a leak.
  const fewest = (of: Sample[]) => Math.min(...of.map((sample) => sample.handles));
  const handles = fewest(last) / fewest(middle);
  const errors = errorsOf(calls);
  const figures = `${calls.timesMs.length} searches of ${sessions} sessions, ${runs} runs; memory ${bytes.toFixed(2)} x, handles ${handles.toFixed(2)} x of the middle third; errors: ${errors || 'none'}`;
  process.stdout.write(`soak  ${figures}\n`);
  const passes = errors === '' && bytes <= growthMax && handles <= growthMax;
  return { id: 'soak', measure: `${minutes} minutes`, figures, passes, isGood: passes };
}

async function watch(run: LoadRun, ends: number, samples: Sample[]): Promise<void> {
  while (performance.now() < ends) {
    const handles = readdirSync(`/proc/${run.product.pid}/fd`).length;
    samples.push({ bytes: residentBytes(run.product.pid) ?? 0, handles });
    await delay(Math.min(sampleMs, Math.max(0, ends - performance.now())));
  }
}

async function indexUntil(run: LoadRun, ends: number): Promise<number> {
  let runs = 0;
  for (; performance.now() < ends; runs += 1) {
    // A few modules, indexed in turn with other texts: each run replaces what was there.
    const folder = join(run.folder, `soak-${runs % 4}`);
    writeCorpus(folder, 50, runs);
    await run.product.index(folder, { name: `soak-${runs % 4}` });
  }
  return runs;
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
