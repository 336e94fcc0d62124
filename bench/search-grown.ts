// Run by capacity.ts in a separate process: searches a data folder, prints figures as JSON.
import { readFileSync } from 'node:fs';
import type { Context } from '#server/context.ts';
import { createSearch } from '#server/features/search/index.ts';
import { openInstallation } from '#server/main.ts';
import { loadConfig } from '#server/platform/config/config.ts';
import { countPostings } from './count-postings.ts';
import { queries as ownQueries } from './queries.ts';

const [dataFolder = '', questionsFile = ''] = process.argv.slice(2);
const queries = questionsFile === '' ? ownQueries : questionsIn(questionsFile);
const { config } = loadConfig({}, { LECTERN_DATA: dataFolder, LOG_LEVEL: 'error' });
const begun = performance.now();
const installation = await openInstallation(config);
const search = createSearch({ shelf: installation.features.catalog.shelf });
const ctx: Context = {
  ...{ ...installation.base, requestId: 'capacity' },
  ...{ actor: { kind: 'user', userId: 'nobody' }, workspace: 'user:nobody' },
};
await search.searchDocs(ctx, { query: 'first search' }, undefined);
const openMs = Math.round(performance.now() - begun);

// Two warm-up passes: code is compiled, and caches are filled.
for (const query of [...queries, ...queries]) await search.searchDocs(ctx, { query }, undefined);

const [processor, clock]: number[][] = [[], []];
for (let round = 0; round < 3; round += 1) {
  for (const query of queries) {
    const [before, start] = [process.cpuUsage(), performance.now()];
    await search.searchDocs(ctx, { query }, undefined);
    clock?.push(performance.now() - start);
    const { user, system } = process.cpuUsage(before);
    processor?.push((user + system) / 1000);
  }
}
const { rss } = process.memoryUsage();
for (let round = 0; round < 4; round += 1) {
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 50));
}
const { heapUsed, external } = process.memoryUsage();

const counter = countPostings();
const postings: number[] = [];
for (const query of queries) {
  const before = counter.read();
  await search.searchDocs(ctx, { query }, undefined);
  postings.push(counter.read() - before);
}
await installation.close();

console.log(
  JSON.stringify({
    openMs,
    searches: queries.length,
    processorMs: spread(processor ?? []),
    clockMs: spread(clock ?? []),
    postingsRead: spread(postings),
    residentBytes: rss,
    heldBytes: heapUsed + external,
  }),
);

function questionsIn(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as { query: string }).query);
}

function spread(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 100) / 100;
  return { p50: at(0.5), p95: at(0.95), most: at(0.9999) };
}
