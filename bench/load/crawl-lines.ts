import { join } from 'node:path';
import { residentBytes, watchMemory } from '../../eval/drive/processes.ts';
import { startProduct } from '../../eval/drive/product.ts';
import { startCorpusSite } from './corpus.ts';
import { type Line, lineOf, mb } from './load-run.ts';

/** A run over a site without delays, on an empty server: its speed including all steps, and its resource use. */
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
    const missing = job.fetched === pages + 1 ? '' : `${pages + 1 - job.fetched} pages are missing`;
    const [fast, small] = [`${rate.toFixed(1)} pages a second`, `${mb(grown)} over ${job.fetched} pages`];
    return [
      lineOf('load-0008', fast, [rate >= 20, rate >= 60], missing),
      lineOf('load-0009', small, [grown <= 300e6, grown <= 120e6], missing),
    ];
  } finally {
    await product.stop();
    site.stop();
  }
}
