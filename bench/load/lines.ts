import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startProduct } from '../../eval/drive/product.ts';
import { type Calls, callAtRate, callDuring, callEach, errorsOf, median, p } from './callers.ts';
import { sectionsPerPage, writeCorpus } from './corpus.ts';
import { get, type Line, type LoadRun, lineOf, ms, ratioTo, searchPath, secondsOf } from './load-run.ts';
import { signInOwner } from './people.ts';

const perSecond = 20;
/** Warm-up before anything is timed: caches are filled, and the code is compiled. */
const warmUpCalls = 200;
/** Number of starts; the median counts. */
const starts = 3;

export async function searchLine(run: LoadRun): Promise<Line> {
  await callEach(get(run, searchPath), run.isQuick ? 40 : warmUpCalls, 2);
  const calls = await callAtRate(get(run, searchPath), perSecond, secondsOf(run, 20));
  const [p50, p95, p99] = [p(calls, 0.5), p(calls, 0.95), p(calls, 0.99)];
  run.idleP95Ms = p95;
  const figures = `p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)} on ${run.snippets} passages, ${calls.refusedMs.length} refused`;
  const isWhole = calls.refusedMs.length === 0;
  return lineOf('load-0001', figures, [isWhole && p50 <= 30 && p95 <= 100 && p99 <= 250, p95 <= 40], errorsOf(calls));
}

export const pacedPerSecond = 10;

export function pacedPages(run: Pick<LoadRun, 'isQuick' | 'secondsEach'>): number {
  return Math.ceil(pacedPerSecond * secondsOf(run, 20));
}

/**
 * Searches from the first page of a run until the run has ended, so that building and swapping the index are included.
 */
export async function indexingBesideLine(run: LoadRun): Promise<Line> {
  const pages = pacedPages(run);
  const indexing = run.product.index(run.site.url, { name: 'beside', maxPages: pages + 1 });
  await Promise.race([run.site.begun, indexing]);
  const begun = performance.now();
  const calls = await callDuring(get(run, searchPath), perSecond, indexing);
  const { fetched } = await indexing;
  const rate = fetched / ((performance.now() - begun) / 1_000);
  const { ratio, words } = ratioTo(run.idleP95Ms ?? 1, calls);
  const missing = fetched === pages + 1 ? '' : `${fetched} of ${pages + 1} pages were read`;
  const figures = `${words}, over ${calls.timesMs.length} searches while ${fetched} pages came at ${rate.toFixed(1)}/s to the end of the run, ${calls.refusedMs.length} refused`;
  const isWhole = calls.refusedMs.length === 0;
  const errors = [errorsOf(calls), missing].filter((told) => told !== '').join(', ');
  return lineOf('load-0002', figures, [isWhole && ratio <= 2, ratio <= 1.3], errors);
}

/** Reads pages of the index, and pages outside it that were fetched recently. */
export async function readLine(run: LoadRun): Promise<Line> {
  const found = await get(run, searchPath)(0);
  const { results } = JSON.parse(Buffer.from(await found.arrayBuffer()).toString('utf8')) as {
    results: { url: string }[];
  };
  const indexed = results.map(({ url }) => url.split('#')[0] ?? url);
  const fetched = [0, 1, 2, 3, 4].map((page) => run.site.apart(page));
  const reading = (urls: string[]) =>
    get(run, (index) => `/api/read?url=${encodeURIComponent(urls[index % urls.length] ?? '')}`);
  const warm = await callEach(reading([...indexed, ...fetched]), indexed.length + fetched.length, 1);
  const seconds = secondsOf(run, 10);
  const [ofIndex, ofMemory] = [
    await callAtRate(reading(indexed), perSecond, seconds),
    await callAtRate(reading(fetched), perSecond, seconds),
  ];
  const worst = Math.max(p(ofIndex, 0.95), p(ofMemory, 0.95));
  const figures = `p95 ${ms(p(ofIndex, 0.95))} of indexed pages, ${ms(p(ofMemory, 0.95))} of pages fetched before`;
  return lineOf('load-0007', figures, [worst <= 80, worst <= 30], errorsOf(warm, ofIndex, ofMemory));
}

export async function emptyStartLine(run: LoadRun): Promise<Line> {
  const times: number[] = [];
  for (let start = 0; start < (run.isQuick ? 1 : starts); start += 1) {
    const product = await startProduct(join(run.folder, `empty-${start}`), '127.0.0.1:9');
    times.push(product.readyMs);
    await product.stop();
  }
  const middle = median(times);
  return lineOf('load-0010', `${times.map(ms).join(', ')}`, [middle <= 3_000, middle <= 1_000]);
}

export async function fullStartLine(run: LoadRun): Promise<Line> {
  const times: number[] = [];
  const all: Calls[] = [];
  for (let start = 0; start < (run.isQuick ? 1 : starts); start += 1) {
    await run.product.stop();
    run.product = await startProduct(run.product.dataFolder, run.site.host);
    const begun = performance.now();
    all.push(await callEach(get(run, searchPath), 1, 1));
    times.push(run.product.readyMs + performance.now() - begun);
  }
  const middle = median(times);
  const figures = `${times.map(ms).join(', ')} with ${run.snippets} passages`;
  return lineOf('load-0011', figures, [middle <= 5_000, middle <= 2_000], errorsOf(...all));
}

const screens = ['/dashboard', '/resources', '/search', '/keys', '/account', '/activity'];
const readings = ['/api/session', '/api/modules', '/api/jobs', '/api/credits', '/api/keys', '/api/credits/savings'];

export async function webLine(run: LoadRun): Promise<Line> {
  const headers = { ...(await signInOwner(run)) };
  const ask = (paths: string[]) => (index: number) =>
    fetch(`${run.product.origin}${paths[index % paths.length]}`, { headers, redirect: 'error' });
  const both = screens.flatMap((screen, at) => [screen, readings[at] ?? screen]);
  const warm = await callEach(ask(both), both.length, 1);
  const asked = await callAtRate(ask(both), perSecond, secondsOf(run, 15));
  const p95 = p(asked, 0.95);
  const figures = `p95 ${ms(p95)} of ${both.length} screens and calls in turn`;
  return lineOf('load-0012', figures, [p95 <= 150, p95 <= 50], errorsOf(warm, asked));
}

/** Compares searches on an index ten times as large (three times in a quick run) with those on the previous index. */
export async function largeLine(run: LoadRun): Promise<Line> {
  const factor = run.isQuick ? 3 : 10;
  const warmUp = run.isQuick ? 40 : warmUpCalls;
  const perModule = 15_000;
  const seconds = secondsOf(run, 20);
  await callEach(get(run, searchPath), warmUp, 2);
  const before = await callAtRate(get(run, searchPath), perSecond, seconds);
  const begun = performance.now();
  const pages = (run.snippets / sectionsPerPage) * (factor - 1);
  for (let begin = 0; begin < pages; begin += perModule) {
    const folder = join(run.folder, `large-${begin}`);
    writeCorpus(folder, Math.min(perModule, Math.ceil(pages - begin)), begin + 1_000_003);
    await run.product.index(folder, { name: `large-${begin}`, maxPages: 20_000 });
    rmSync(folder, { recursive: true });
  }
  const indexedIn = (performance.now() - begun) / 1_000;
  await callEach(get(run, searchPath), warmUp, 2);
  const after = await callAtRate(get(run, searchPath), perSecond, seconds);
  const whole = (await run.product.modules()).reduce((sum, module) => sum + module.snippetCount, 0);
  const { ratio, words } = ratioTo(p(before, 0.95), after);
  const refused = before.refusedMs.length + after.refusedMs.length;
  const figures = `${words}, on ${whole} passages and ${run.snippets}, ${refused} refused (indexed in ${indexedIn.toFixed(0)} s)`;
  return lineOf('load-0003', figures, [refused === 0 && ratio <= 3, ratio <= 1.5], errorsOf(before, after));
}
