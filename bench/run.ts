import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readCorpora, serveCorpora } from '../eval/drive/corpora.ts';
import { runToEnd } from '../eval/drive/processes.ts';
import { startProduct } from '../eval/drive/product.ts';
import { timeIndexing, timeStarts } from './installation.ts';
import { printFigures } from './print-figures.ts';
import { type SearchFigures, searchesOverMcp } from './searching.ts';
import { timeUpdates } from './updating.ts';

const corporaMeasured = ['python3', 'postgresql', 'git'];
/** Fewer updates do not give a meaningful 95th percentile. */
const updatesMin = 20;
const here = fileURLToPath(new URL('.', import.meta.url));
const help = `Usage: lectern bench --corpora DIR [options]

Measures indexing, start, search, memory, disk and update on three documentation sets, and writes bench/last.json.

  --corpora DIR    unpacked documentation packages of the shared evaluation data
  --only A,B       these corpora (default ${corporaMeasured.join(',')})
  --rounds N       repetitions of everything (default 3)
  --json FILE      where the figures go (default bench/last.json)
  --help           show this text
`;

const { values } = parseArgs({
  options: {
    ...{ corpora: { type: 'string' }, only: { type: 'string' }, rounds: { type: 'string' }, json: { type: 'string' } },
    ...{ data: { type: 'string' }, port: { type: 'string' }, help: { type: 'boolean' } },
  },
});

if (values.help) process.stdout.write(help);
else if (values.corpora === undefined) {
  process.stderr.write(`lectern: name the folder of the documentation packages with --corpora\n`);
  process.exitCode = 2;
} else await measure(values.corpora);

async function measure(corporaFolder: string): Promise<void> {
  const rounds = Number(values.rounds ?? 3);
  const corpora = readCorpora(values.only?.split(',') ?? corporaMeasured);
  const server = await serveCorpora(corporaFolder, 0);
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  try {
    const indexing = [];
    for (let round = 0; round < rounds; round += 1) {
      note(`indexing, round ${round + 1} of ${rounds}`);
      indexing.push(await timeIndexing(corpora, server, join(folder, `index-${round}`)));
    }
    const dataFolder = join(folder, `index-${rounds - 1}`);
    const { host, origin } = server;
    const figures = {
      madeAt: new Date().toISOString(),
      machine: machineNote(),
      corpora: corpora.map(({ name, htmlPages, totalBytes }) => ({ name, htmlPages, totalBytes })),
      indexing,
      starts: await noted('starts', () => timeStarts(dataFolder, host, rounds + 2)),
      searchInProcess: await noted('search in process', () => searchesInProcess(dataFolder, rounds)),
      searchOverMcp: await noted('search over MCP', () => searchesOfServer(dataFolder, host, rounds)),
      update: await noted('updates', () =>
        timeUpdates({
          ...{ corporaOrigin: origin, corpus: 'git', page: 'git-bisect.html' },
          ...{ dataFolder: join(folder, 'update'), rounds: Math.max(updatesMin, rounds) },
        }),
      ),
    };
    printFigures(figures);
    writeFileSync(values.json ?? join(here, 'last.json'), `${JSON.stringify(figures, null, 1)}\n`);
  } finally {
    await server.stop();
  }
}

function note(what: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`);
}

function noted<T>(what: string, work: () => Promise<T>): Promise<T> {
  note(what);
  return work();
}

async function searchesInProcess(
  dataFolder: string,
  rounds: number,
): Promise<SearchFigures & { openMs: number; residentBytes: number }> {
  const script = join(here, 'search-in-process.ts');
  const { status, output, errors } = await runToEnd(process.execPath, [script, dataFolder, String(rounds)]);
  if (status !== 0) throw new Error(`searching in process failed: ${errors}`);
  return JSON.parse(output) as SearchFigures & { openMs: number; residentBytes: number };
}

async function searchesOfServer(dataFolder: string, allowHosts: string, rounds: number): Promise<SearchFigures> {
  const product = await startProduct(dataFolder, allowHosts);
  try {
    return await searchesOverMcp(product.origin, await product.createKey('bench'), rounds);
  } finally {
    await product.stop();
  }
}

function machineNote(): string {
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  return `${cpus()[0]?.model ?? 'unknown processor'} x ${availableParallelism()}, ${memory}, ${process.platform} ${release()}, Node ${process.version}`;
}
