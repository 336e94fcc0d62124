import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CorporaServer, Corpus } from '../eval/drive/corpora.ts';
import { folderBytes, residentBytes, watchMemory } from '../eval/drive/processes.ts';
import { startProduct } from '../eval/drive/product.ts';

export interface IndexingFigure {
  corpora: {
    name: string;
    pages: number;
    snippets: number;
    seconds: number;
    pagesPerSecond: number;
    megabytesPerSecond: number;
  }[];
  pagesPerSecond: number;
  megabytesPerSecond: number;
  /** Peak of the server and all its child processes. */
  peakMemoryBytes: number | null;
  idleMemoryBytes: number | null;
  diskBytes: number;
}

/** Indexes the corpora one after another into a new data folder. MB refer to HTML as served. */
export async function timeIndexing(
  corpora: Corpus[],
  server: CorporaServer,
  dataFolder: string,
): Promise<IndexingFigure> {
  const product = await startProduct(dataFolder, server.host);
  const memory = watchMemory(product.pid);
  try {
    const rows: IndexingFigure['corpora'] = [];
    for (const { name, index, totalBytes } of corpora) {
      const begun = performance.now();
      const job = await product.index(`${server.origin}/${name}/`, {
        name,
        seeds: [`${server.origin}/${name}/${index}`],
        maxPages: 20_000,
      });
      const seconds = (performance.now() - begun) / 1000;
      const pages = job.fetched + job.unchanged;
      const megabytesPerSecond = totalBytes / 1e6 / seconds;
      rows.push({ name, pages, snippets: job.snippets, seconds, pagesPerSecond: pages / seconds, megabytesPerSecond });
    }
    const seconds = sum(rows.map((row) => row.seconds));
    return {
      corpora: rows,
      pagesPerSecond: sum(rows.map((row) => row.pages)) / seconds,
      megabytesPerSecond: sum(corpora.map((corpus) => corpus.totalBytes)) / 1e6 / seconds,
      peakMemoryBytes: memory.peak() ?? null,
      idleMemoryBytes: residentBytes(product.pid) ?? null,
      diskBytes: folderBytes(dataFolder),
    };
  } finally {
    memory.end();
    await product.stop();
  }
}

export interface StartFigures {
  /** Milliseconds from the command to the first response of /healthz, without a compile cache from an earlier start. */
  coldMs: number[];
  warmMs: number[];
}

/**
 * Starts and stops the server on an existing index; cold and warm starts alternate, so that both run under the same
 * conditions.
 */
export async function timeStarts(dataFolder: string, allowHosts: string, rounds: number): Promise<StartFigures> {
  const figures: StartFigures = { coldMs: [], warmMs: [] };
  const before = process.env.NODE_COMPILE_CACHE;
  for (let round = 0; round < rounds; round += 1) {
    const compiled = mkdtempSync(join(tmpdir(), 'lectern-compiled-'));
    process.env.NODE_COMPILE_CACHE = compiled;
    for (const times of [figures.coldMs, figures.warmMs]) {
      const product = await startProduct(dataFolder, allowHosts);
      times.push(product.readyMs);
      await product.stop();
    }
    rmSync(compiled, { recursive: true, force: true });
  }
  if (before === undefined) delete process.env.NODE_COMPILE_CACHE;
  else process.env.NODE_COMPILE_CACHE = before;
  return figures;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
