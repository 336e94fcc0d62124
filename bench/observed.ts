import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Product, startProduct } from '../eval/drive/product.ts';
import { percentile } from '../eval/score.ts';
import { createPageMaker } from './synthetic-pages.ts';

const docs = fileURLToPath(new URL('../docs', import.meta.url));
const help = `Usage: lectern observed [options]

Measures what logs and traces cost a search: the same searches, in pairs, of a server that logs at info and sends every trace to a
collector, and of one that does neither. Both count metrics.

  --from DIR   data folder of an installation at rest (default: an index of docs/)
  --pairs N    searches of each (default 2000)
  --help       show this text
`;

const { values } = parseArgs({
  options: {
    ...{ from: { type: 'string' }, pairs: { type: 'string' }, help: { type: 'boolean' } },
    ...{ data: { type: 'string' }, port: { type: 'string' } },
  },
});

if (values.help) process.stdout.write(help);
else await measure(values.from, Number(values.pairs ?? 2_000));

interface Side {
  product: Product;
  key: string;
  timesMs: number[];
}

async function measure(from: string | undefined, pairs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-observed-'));
  const collector = createServer((request, response) => request.resume().on('end', () => response.end()));
  await new Promise<void>((listening) => collector.listen(0, '127.0.0.1', listening));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const sides: Side[] = [];
  try {
    const [plain, observed] = [join(folder, 'plain'), join(folder, 'observed')];
    if (from === undefined) await indexDocs(plain);
    else cpSync(from, plain, { recursive: true });
    cpSync(plain, observed, { recursive: true });
    sides.push(await open(plain, { LOG_LEVEL: 'error', OTEL_SDK_DISABLED: 'true' }));
    sides.push(await open(observed, { LOG_LEVEL: 'info', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }));
    const queries = createPageMaker(docs).queries(Math.min(pairs, 500), 11);
    // Warm-up until both run compiled code.
    for (const query of queries) for (const side of sides) await timeOf(side, query);
    const before = sides.map(({ product }) => processorMs(product.pid));
    for (let pair = 0; pair < pairs; pair += 1) {
      const query = queries[pair % queries.length] ?? '';
      for (const side of pair % 2 === 0 ? sides : sides.toReversed()) side.timesMs.push(await timeOf(side, query));
    }
    print(
      sides,
      sides.map(({ product }, at) => (processorMs(product.pid) - (before[at] ?? 0)) / pairs),
    );
  } finally {
    for (const { product } of sides) await product.stop();
    collector.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function indexDocs(dataFolder: string): Promise<void> {
  const product = await startProduct(dataFolder, '');
  try {
    await product.index(docs, { name: 'docs' });
  } finally {
    await product.stop();
  }
}

async function open(dataFolder: string, environment: Record<string, string>): Promise<Side> {
  const before = { ...process.env };
  Object.assign(process.env, environment);
  try {
    const product = await startProduct(dataFolder, '');
    return { product, key: await product.createKey('observed'), timesMs: [] };
  } finally {
    process.env = before;
  }
}

async function timeOf({ product, key }: Side, query: string): Promise<number> {
  const begun = performance.now();
  const response = await fetch(`${product.origin}/api/search?query=${encodeURIComponent(query)}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const body = await response.text();
  const tookMs = performance.now() - begun;
  if (!response.ok) throw new Error(`a search was answered with ${response.status}: ${body.slice(0, 300)}`);
  return tookMs;
}

/** Returns a process's processor time so far. */
function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function print(sides: Side[], processor: number[]): void {
  const [plain, observed] = sides.map(({ timesMs }) => timesMs);
  const ratios = (observed ?? []).map((ms, at) => ms / (plain?.[at] ?? ms)).toSorted((a, b) => a - b);
  // The 95 % interval of the median, by order statistics.
  const half = (0.98 * Math.sqrt(ratios.length)) / ratios.length;
  const percent = (share: number) => `${((percentile(ratios, share) - 1) * 100).toFixed(1)} %`;
  const p50 = (times: number[] | undefined) => percentile(times ?? [], 0.5).toFixed(2);
  process.stdout.write(
    `${ratios.length} pairs. p50 ${p50(plain)} ms without, ${p50(observed)} ms with logs and traces; processor ${processor
      .map((ms) => ms.toFixed(2))
      .join(' and ')} ms a search.\n` +
      `Median of the pairs: ${percent(0.5)} slower (95 % interval ${percent(0.5 - half)} to ${percent(0.5 + half)}).\n`,
  );
}
