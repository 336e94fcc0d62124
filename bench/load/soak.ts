import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { residentBytes } from '../../eval/drive/processes.ts';
import { callAtRate, errorsOf, median } from './callers.ts';
import { writeCorpus } from './corpus.ts';
import { type Line, type LoadRun, lineOf, mb } from './load-run.ts';
import { signInOwner } from './people.ts';
import { searchIn } from './session-lines.ts';

const sessions = 200;
const sampleMs = 1_000;
/** Invariant I10 of the fault list: memory and open files return to the earlier level plus 10 %. */
const growthMax = 1.1;
const streamsAtOnce = 20;
const streamMs = 5_000;
/** Warm-up under load until everything that is opened once is open; then the earlier level is measured. */
const warmUpMinutes = 2;
/**
 * Replaced segments are closed once calls that began with them are over (80 seconds) and the next sweep has run (a
 * minute at most).
 */
const restMs = 180_000;

interface Sample {
  atMs: number;
  bytes: number;
  handles: number;
}

/**
 * Runs searching sessions, repeatedly indexed modules, and live event readers that come and go, for some minutes, while
 * memory and handles are watched. During the first third, caches fill and code is compiled, so the last third's memory
 * is compared with the middle third's. Handles rise and fall with the pace of indexing, because replaced segments stay
 * open for a moment; so they are counted at rest, after a little of the load and after all of it.
 */
export async function soak(run: LoadRun, minutes: number): Promise<Line> {
  const warmUp = await load(run, warmUpMinutes, 0);
  const handlesBefore = await handlesAtRest(run);
  const { calls, runs, streams, samples } = await load(run, minutes, warmUp.runs);
  const handlesAfter = await handlesAtRest(run);
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  const bytesOf = (of: Sample[]) => median(of.map(({ bytes }) => bytes));
  const [bytes, handles] = [bytesOf(last) / bytesOf(middle), handlesAfter / handlesBefore];
  const all = [warmUp.calls, calls];
  const refused = all.reduce((sum, { refusedMs }) => sum + refusedMs.length, 0);
  const told = [errorsOf(...all), refused === 0 ? '' : `${refused} x refused`];
  const errors = told.filter((words) => words !== '').join(', ');
  const peak = Math.max(...samples.map((sample) => sample.handles));
  const work = `${calls.timesMs.length} searches of ${sessions} sessions, ${runs} runs, ${streams} streams in ${minutes} minutes`;
  const memory = `memory ${bytes.toFixed(3)} x of the middle third (${mb(bytesOf(middle))} to ${mb(bytesOf(last))}, ${mb(slope([...middle, ...last]))} an hour)`;
  const figures = `${work}; ${memory}, handles at rest ${handles.toFixed(2)} x (${handlesBefore} to ${handlesAfter}; at most ${peak} under load)`;
  const passes = bytes <= growthMax && handles <= growthMax;
  return lineOf('soak', figures, [passes, passes], errors);
}

/** Runs the full load for some minutes; runs are numbered from `firstRun`, because each number has its own texts. */
async function load(run: LoadRun, minutes: number, firstRun: number) {
  const ends = performance.now() + minutes * 60_000;
  const samples: Sample[] = [];
  const [calls, runs, streams] = await Promise.all([
    callAtRate(searchIn(run, sessions), 10, minutes * 60),
    indexUntil(run, ends, firstRun),
    streamUntil(run, ends),
    watch(run, ends, samples),
  ]);
  return { calls, runs, streams, samples };
}

/** Returns the product's open files and connections while it is idle. */
async function handlesAtRest(run: LoadRun): Promise<number> {
  await delay(restMs);
  return handlesOf(run);
}

function handlesOf({ product }: LoadRun): number {
  return readdirSync(`/proc/${product.pid}/fd`).length;
}

async function watch(run: LoadRun, ends: number, samples: Sample[]): Promise<void> {
  while (performance.now() < ends) {
    const bytes = residentBytes(run.product.pid) ?? 0;
    samples.push({ atMs: performance.now(), bytes, handles: handlesOf(run) });
    await delay(Math.min(sampleMs, Math.max(0, ends - performance.now())));
  }
}

async function indexUntil(run: LoadRun, ends: number, firstRun: number): Promise<number> {
  let runs = firstRun;
  for (; performance.now() < ends; runs += 1) {
    // A few modules, indexed in turn with different texts: each run replaces the previous content.
    const folder = join(run.folder, `soak-${runs % 4}`);
    writeCorpus(folder, 50, runs);
    await run.product.index(folder, { name: `soak-${runs % 4}` });
  }
  return runs - firstRun;
}

/** Connects live event readers that disconnect abruptly; returns their number. */
async function streamUntil(run: LoadRun, ends: number): Promise<number> {
  const headers = { ...(await signInOwner(run)) };
  let streams = 0;
  while (performance.now() < ends) {
    const leaving = new AbortController();
    const opened = Array.from({ length: streamsAtOnce }, async () => {
      const { ok, status } = await fetch(`${run.product.origin}/api/live`, { headers, signal: leaving.signal });
      if (!ok) throw new Error(`A stream of live events was answered ${status}.`);
    });
    await Promise.all(opened);
    streams += streamsAtOnce;
    await delay(Math.min(streamMs, Math.max(0, ends - performance.now())));
    leaving.abort();
  }
  return streams;
}

/** Returns the memory growth per hour, by least squares. */
function slope(samples: Sample[]): number {
  const mean = (of: number[]) => of.reduce((sum, value) => sum + value, 0) / of.length;
  const [atMs, bytes] = [mean(samples.map((sample) => sample.atMs)), mean(samples.map((sample) => sample.bytes))];
  const over = samples.reduce((sum, sample) => sum + (sample.atMs - atMs) * (sample.bytes - bytes), 0);
  return (over / samples.reduce((sum, sample) => sum + (sample.atMs - atMs) ** 2, 0)) * 3_600_000;
}
