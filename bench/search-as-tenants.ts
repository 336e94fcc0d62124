// Run by capacity.ts in a separate process: searches a data folder as its tenants, prints figures as JSON.
import { fileURLToPath } from 'node:url';
import type { Context } from '#server/context.ts';
import { createSearch } from '#server/features/search/index.ts';
import { openInstallation } from '#server/main.ts';
import { loadConfig } from '#server/platform/config/config.ts';
import { createPageMaker } from './synthetic-pages.ts';

const [dataFolder = '', tenantsText = '0', queriesText = '0'] = process.argv.slice(2);
const [tenants, queryCount] = [Number(tenantsText), Number(queriesText)];
const { config } = loadConfig({}, { LECTERN_DATA: dataFolder, LOG_LEVEL: 'error' });
const installation = await openInstallation(config);
// Without a meter: charging costs the same for everyone and would hide the difference.
const search = createSearch({ shelf: installation.features.catalog.shelf });
const queries = createPageMaker(fileURLToPath(new URL('../docs', import.meta.url))).queries(queryCount, 11);

const contextOf = (userId: string): Context => ({
  ...{ ...installation.base, requestId: 'capacity' },
  ...{ actor: { kind: 'user', userId }, workspace: `user:${userId}` },
});
const stranger = contextOf('nobody');

async function timeOf(ctx: Context, query: string): Promise<number> {
  const begun = performance.now();
  await search.searchDocs(ctx, { query }, undefined);
  return performance.now() - begun;
}

/** Returns processor time, which other load on the machine hardly affects. */
async function processorMsOf(ctx: Context): Promise<number> {
  const before = process.cpuUsage();
  for (const query of queries) await search.searchDocs(ctx, { query }, undefined);
  const { user, system } = process.cpuUsage(before);
  return round((user + system) / 1000 / queries.length);
}

async function memoryBytes(): Promise<{ resident: number; held: number }> {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { resident: rss, held: heapUsed + external };
}

const round = (value: number) => Math.round(value * 100) / 100;
const at = (sorted: number[], share: number) => round(sorted[Math.floor(sorted.length * share)] ?? 0);
const sorted = (times: number[]) => times.toSorted((a, b) => a - b);

const begun = performance.now();
await timeOf(stranger, 'first search');
const openMs = Math.round(performance.now() - begun);
for (const query of queries.slice(0, 50)) await timeOf(stranger, query);
const withPublic = await memoryBytes();

// In pairs, in alternating order, so that both run under the same conditions.
const [ofPublic, ofPrivate, ratios]: number[][] = [[], [], []];
for (const [index, query] of queries.entries()) {
  // Without tenants, a second stranger: shows how much such pairs differ by chance.
  const owner = contextOf(tenants === 0 ? 'somebody' : `tenant-${index % tenants}`);
  await timeOf(owner, query);
  await timeOf(stranger, query);
  const first = index % 2 === 0 ? await timeOf(owner, query) : undefined;
  const open = await timeOf(stranger, query);
  const own = first ?? (await timeOf(owner, query));
  ofPublic?.push(open);
  ofPrivate?.push(own);
  ratios?.push(own / open);
}

const processorMs = { public: await processorMsOf(stranger), private: await processorMsOf(contextOf('tenant-0')) };

const firsts: number[] = [];
for (let tenant = 0; tenant < tenants; tenant += 1)
  firsts.push(await timeOf(contextOf(`tenant-${tenant}`), 'first search'));
const withAll = await memoryBytes();
installation.features.catalog.shelf.letGoOfIdle();
installation.features.catalog.shelf.letGoOfIdle();
const afterwards = await memoryBytes();
await installation.close();

const perTenant = (later: { held: number }) => Math.round((later.held - withPublic.held) / Math.max(tenants, 1));
console.log(
  JSON.stringify({
    openMs,
    residentBytesWithPublic: withPublic.resident,
    heldBytesWithPublic: withPublic.held,
    publicMs: { p50: at(sorted(ofPublic ?? []), 0.5), p95: at(sorted(ofPublic ?? []), 0.95) },
    privateMs: { p50: at(sorted(ofPrivate ?? []), 0.5), p95: at(sorted(ofPrivate ?? []), 0.95) },
    processorMs,
    privateToPublic: at(sorted(ratios ?? []), 0.5),
    firstPrivateMs: { p50: at(sorted(firsts), 0.5), p95: at(sorted(firsts), 0.95) },
    residentBytesWithAllOpen: withAll.resident,
    bytesOfOpenTenant: perTenant(withAll),
    bytesOfIdleTenant: perTenant(afterwards),
  }),
);
