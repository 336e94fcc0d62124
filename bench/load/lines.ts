import { join } from 'node:path';
import { residentBytes, watchMemory } from '../../eval/drive/processes.ts';
import { type Product, startProduct } from '../../eval/drive/product.ts';
import { type Ask, callAtOnce, callAtRate, callEach, errorsOf, p } from './callers.ts';
import { queryAt, sectionsPerPage, startCorpusSite, writeCorpus } from './corpus.ts';

/** One line of the measurement: figures in words, and whether they are enough and good. */
export interface Line {
  id: string;
  measure: string;
  figures: string;
  /** Null: was not measured; `figures` says why. */
  passes: boolean | null;
  isGood: boolean | null;
}

export interface LoadRun {
  product: Product;
  key: string;
  folder: string;
  /** Shortens everything: for seeing that it works, not for figures. */
  isQuick: boolean;
  /** Of the corpus that is searched. */
  snippets: number;
  /** Figures of earlier lines that later ones compare with. */
  idleP95Ms?: number;
}

const ms = (value: number) => `${value.toFixed(1)} ms`;
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

function get(run: LoadRun, path: (index: number) => string, key = run.key): Ask {
  return (index) => fetch(`${run.product.origin}${path(index)}`, { headers: { authorization: `Bearer ${key}` } });
}

const searchPath = (index: number) => `/api/search?query=${encodeURIComponent(queryAt(index))}`;

function post(run: LoadRun, body: (index: number) => object, session?: (index: number) => string): Ask {
  return (index) =>
    fetch(`${run.product.origin}/mcp`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${run.key}`, 'content-type': 'application/json' },
        accept: 'application/json, text/event-stream',
        ...(session === undefined ? {} : { 'mcp-session-id': session(index) }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: index, ...body(index) }),
    });
}

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'load', version: '1' } },
};

function lineOf(id: string, measure: string, figures: string, [passes, isGood]: [boolean, boolean], errors = ''): Line {
  const told = errors === '' ? figures : `${figures}; errors: ${errors}`;
  return { id, measure, figures: told, passes: passes && errors === '', isGood: isGood && errors === '' };
}

export async function searchLine(run: LoadRun): Promise<Line> {
  await callEach(get(run, searchPath), 40, 2);
  const calls = await callAtRate(get(run, searchPath), 20, run.isQuick ? 3 : 20);
  const [p50, p95, p99] = [p(calls, 0.5), p(calls, 0.95), p(calls, 0.99)];
  run.idleP95Ms = p95;
  const figures = `p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)} on ${run.snippets} passages`;
  const isEnough = p50 <= 30 && p95 <= 100 && p99 <= 250;
  return lineOf('load-0001', '20 searches a second', figures, [isEnough, isEnough && p95 <= 40], errorsOf(calls));
}

export async function indexingBesideLine(run: LoadRun): Promise<Line> {
  const seconds = run.isQuick ? 3 : 20;
  const folder = join(run.folder, 'beside');
  writeCorpus(folder, 10 * seconds, 7);
  const indexing = run.product.index(folder, { name: 'beside' });
  const calls = await callAtRate(get(run, searchPath), 20, seconds);
  await indexing;
  const ratio = p(calls, 0.95) / (run.idleP95Ms ?? 1);
  const figures = `p95 ${ms(p(calls, 0.95))}, ${ratio.toFixed(2)} x of that without`;
  return lineOf('load-0002', 'searches while pages are indexed', figures, [ratio <= 2, ratio <= 1.3], errorsOf(calls));
}

/** Sessions are rows: what they take is looked at after the process had time to let go of what it needed for a moment. */
export async function sessionMemoryLine(run: LoadRun): Promise<Line> {
  const count = run.isQuick ? 200 : 2_000;
  await callEach(
    post(run, () => initialize),
    50,
    8,
  );
  const before = residentBytes(run.product.pid) ?? 0;
  const calls = await callEach(
    post(run, () => initialize),
    count,
    8,
  );
  const each = ((residentBytes(run.product.pid) ?? 0) - before) / count / 1_000;
  const figures = `${each.toFixed(1)} kB each over ${count}`;
  return lineOf('load-0004', 'memory of a session', figures, [each <= 100, each <= 55], errorsOf(calls));
}

export async function sessionConnectLine(run: LoadRun): Promise<Line> {
  const count = run.isQuick ? 300 : 5_000;
  const calls = await callEach(
    post(run, () => initialize),
    count,
    8,
  );
  const p95 = p(calls, 0.95);
  const isWhole = calls.timesMs.length === count;
  const figures = `p95 ${ms(p95)} over ${count}, ${count - calls.timesMs.length} refused`;
  return lineOf('load-0005', 'connecting', figures, [isWhole && p95 <= 150, isWhole && p95 <= 50], errorsOf(calls));
}

export async function listToolsLine(run: LoadRun): Promise<Line> {
  const opened = await post(run, () => initialize)(0);
  await opened.arrayBuffer();
  const session = opened.headers.get('mcp-session-id') ?? '';
  const list = post(
    run,
    () => ({ method: 'tools/list' }),
    () => session,
  );
  const calls = await callAtRate(list, 20, run.isQuick ? 2 : 5);
  const p95 = p(calls, 0.95);
  return lineOf('load-0006', 'tools/list', `p95 ${ms(p95)}`, [p95 <= 20, p95 <= 5], errorsOf(calls));
}

export async function readLine(run: LoadRun): Promise<Line> {
  const found = await get(run, searchPath)(0);
  const { results } = (await found.json()) as { results: { url: string }[] };
  const urls = results.map(({ url }) => url.split('#')[0] ?? url);
  const path = (index: number) => `/api/read?url=${encodeURIComponent(urls[index % urls.length] ?? '')}`;
  const calls = await callAtRate(get(run, path), 20, run.isQuick ? 2 : 10);
  const p95 = p(calls, 0.95);
  return lineOf('load-0007', 'reading an indexed page', `p95 ${ms(p95)}`, [p95 <= 80, p95 <= 30], errorsOf(calls));
}

export async function crawlLines(folder: string, isQuick: boolean): Promise<Line[]> {
  const pages = isQuick ? 100 : 2_000;
  const site = await startCorpusSite(pages);
  const product = await startProduct(join(folder, 'crawl'), site.host);
  try {
    const before = residentBytes(product.pid) ?? 0;
    const memory = watchMemory(product.pid);
    const begun = performance.now();
    const job = await product.index(site.url, { name: 'crawl', maxPages: pages + 1 });
    const rate = job.fetched / ((performance.now() - begun) / 1_000);
    const grown = (memory.peak() ?? 0) - before;
    memory.end();
    const [fast, small] = [`${rate.toFixed(1)} pages a second`, `${mb(grown)} over ${job.fetched} pages`];
    return [
      lineOf('load-0008', 'crawling a fast site', fast, [rate >= 20, rate >= 60]),
      lineOf('load-0009', 'memory while crawling', small, [grown <= 300e6, grown <= 120e6]),
    ];
  } finally {
    await product.stop();
    site.stop();
  }
}

export async function emptyStartLine(folder: string): Promise<Line> {
  const product = await startProduct(join(folder, 'empty'), '127.0.0.1:9');
  await product.stop();
  const { readyMs } = product;
  return lineOf('load-0010', 'an empty start', ms(readyMs), [readyMs <= 3_000, readyMs <= 1_000]);
}

export async function fullStartLine(run: LoadRun): Promise<Line> {
  await run.product.stop();
  run.product = await startProduct(run.product.dataFolder, '127.0.0.1:9');
  const begun = performance.now();
  const calls = await callEach(get(run, searchPath), 1, 1);
  const whole = run.product.readyMs + performance.now() - begun;
  const figures = `${ms(whole)} with ${run.snippets} passages`;
  return lineOf('load-0011', 'from start to first search', figures, [whole <= 5_000, whole <= 2_000], errorsOf(calls));
}

export async function webLine(run: LoadRun): Promise<Line> {
  const paths = ['/', '/api/modules', '/api/jobs', '/api/credits', '/docs'];
  const calls = await callAtRate(
    get(run, (index) => paths[index % paths.length] ?? '/'),
    20,
    run.isQuick ? 2 : 15,
  );
  const p95 = p(calls, 0.95);
  return lineOf('load-0012', 'pages and calls, 20/s', `p95 ${ms(p95)}`, [p95 <= 150, p95 <= 50], errorsOf(calls));
}

export async function overloadLine(run: LoadRun): Promise<Line> {
  const seconds = run.isQuick ? 2 : 10;
  const best = await callAtOnce(get(run, searchPath), 16, seconds);
  const bestRate = best.timesMs.length / best.seconds;
  const loaded = await callAtOnce(get(run, searchPath), 160, seconds);
  const share = loaded.timesMs.length / loaded.seconds / bestRate;
  const refused = p({ ...loaded, timesMs: loaded.refusedMs }, 0.99);
  const refusedMs = loaded.refusedMs.length === 0 ? 0 : refused;
  const after = await callAtRate(get(run, searchPath), 5, 2);
  const isNormal = p(after, 0.5) <= 2 * Math.max(run.idleP95Ms ?? 0, 10);
  const figures = `${(share * 100).toFixed(0)} % of the best ${bestRate.toFixed(0)}/s with 160 callers, ${loaded.refusedMs.length} refused (p99 ${ms(refusedMs)}), ${isNormal ? '' : 'not '}normal within 2 s`;
  const isEnough = share >= 0.8 && refusedMs <= 200 && isNormal;
  return lineOf('load-0013', '10 x overload', figures, [isEnough, isEnough && share >= 0.95], errorsOf(best, loaded));
}

/** Of the caller beside the flood: enough for a 95th percentile that says something. */
const quietPerSecond = 10;

export async function floodLine(run: LoadRun): Promise<Line> {
  const quietKey = await run.product.createKey('quiet');
  const quiet = get(run, searchPath, quietKey);
  const seconds = run.isQuick ? 2 : 10;
  const idle = await callAtRate(quiet, quietPerSecond, seconds);
  const [flooding, beside] = await Promise.all([
    callAtOnce(get(run, searchPath), 32, seconds),
    callAtRate(quiet, quietPerSecond, seconds),
  ]);
  const ratio = p(beside, 0.95) / p(idle, 0.95);
  const figures = `p95 ${ms(p(beside, 0.95))}, ${ratio.toFixed(2)} x of idle, beside ${flooding.timesMs.length} calls of the other`;
  return lineOf('load-0014', 'one key floods', figures, [ratio <= 2, ratio <= 1.3], errorsOf(flooding, beside));
}

/** The same searches on ten times as much; with a small corpus ten times of it would say nothing. */
export async function largeLine(run: LoadRun): Promise<Line> {
  const measure = 'searches on ten times as many passages';
  if (run.isQuick) {
    return { id: 'load-0003', measure, figures: 'the quick run has no large corpus', passes: null, isGood: null };
  }
  const factor = 10;
  const perModule = 15_000;
  const pages = (run.snippets / sectionsPerPage) * (factor - 1);
  for (let begin = 0; begin < pages; begin += perModule) {
    const folder = join(run.folder, `large-${begin}`);
    writeCorpus(folder, Math.min(perModule, pages - begin), begin + 1_000_003);
    await run.product.index(folder, { name: `large-${begin}`, maxPages: 20_000 });
  }
  await callEach(get(run, searchPath), 40, 2);
  const calls = await callAtRate(get(run, searchPath), 20, 20);
  const ratio = p(calls, 0.95) / (run.idleP95Ms ?? 1);
  const figures = `p95 ${ms(p(calls, 0.95))}, ${ratio.toFixed(2)} x of that on ${run.snippets}`;
  return lineOf('load-0003', measure, figures, [ratio <= 3, ratio <= 1.5], errorsOf(calls));
}

/** Searches of so many agents' sessions in turn, each opened when it is first used. */
export function searchIn(run: LoadRun, sessions: number): Ask {
  const opened = new Map<number, Promise<string>>();
  const open = async () => {
    const response = await post(run, () => initialize)(0);
    await response.arrayBuffer();
    return response.headers.get('mcp-session-id') ?? '';
  };
  return async (index) => {
    const number = index % sessions;
    if (!opened.has(number)) opened.set(number, open());
    const session = (await opened.get(number)) ?? '';
    const params = { name: 'lectern_search_documentation', arguments: { query: queryAt(index) } };
    return post(
      run,
      () => ({ method: 'tools/call', params }),
      () => session,
    )(index);
  };
}
