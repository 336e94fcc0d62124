// Run by run.ts in a separate process: opens the data folder given as argument, searches it, prints figures as JSON.
import { searchEndpoints } from '#contract/search.ts';
import { openInstallation } from '#server/main.ts';
import { loadConfig } from '#server/platform/config/config.ts';
import { timeSearches } from './searching.ts';

const [dataFolder = '', rounds = '1'] = process.argv.slice(2);
const { config } = loadConfig(process.env, { LECTERN_DATA: dataFolder, LOG_LEVEL: 'error' });
const begun = performance.now();
const installation = await openInstallation(config);
await installation.call(searchEndpoints.search, { query: 'first search' });
const openMs = performance.now() - begun;
const figures = await timeSearches(Number(rounds), async () => ({
  search: (query) => installation.call(searchEndpoints.search, { query }),
  close: async () => undefined,
}));
const residentBytes = process.memoryUsage.rss();
await installation.close();
console.log(JSON.stringify({ ...figures, openMs, residentBytes }));
