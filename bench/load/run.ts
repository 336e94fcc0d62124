import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startProduct } from '../../eval/drive/product.ts';
import { sectionsPerPage, writeCorpus } from './corpus.ts';
import * as lines from './lines.ts';
import { soak } from './soak.ts';

/** Always measured. */
const comparedWith = 'load-0001';
const help = `Usage: lectern load [options]

Measures one server under load, on a made-up corpus; prints each line with its figures, and ends with 1 when one is not enough.

  --quick          a few seconds each on a small corpus: shows that it works, its figures say little
  --snippets N     passages of the corpus (default 100000; quick: 2000)
  --minutes N      instead: so many minutes of 200 sessions, indexing and searches, with memory and handles
  --only IDS       these lines alone, such as load-0013,load-0014, and the searches that others are compared with
  --json FILE      write the lines there too
  --help           show this text
`;

const { values } = parseArgs({
  options: {
    ...{ quick: { type: 'boolean' }, snippets: { type: 'string' }, minutes: { type: 'string' } },
    ...{ only: { type: 'string' }, json: { type: 'string' }, help: { type: 'boolean' } },
  },
});

if (values.help) process.stdout.write(help);
else await measure();

async function measure(): Promise<void> {
  const isQuick = values.quick === true;
  const folder = mkdtempSync(join(tmpdir(), 'lectern-load-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const run = await open(folder, isQuick, Number(values.snippets ?? (isQuick ? 2_000 : 100_000)));
  try {
    const measured = values.minutes === undefined ? await all(run) : [await soak(run, Number(values.minutes))];
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(measured, null, 1)}\n`);
    const passed = measured.filter(({ passes }) => passes === true).length;
    const good = measured.filter(({ isGood }) => isGood === true).length;
    process.stdout.write(`${passed} of ${measured.length} lines are enough, ${good} are good\n`);
    if (measured.some(({ passes }) => passes === false)) process.exitCode = 1;
  } finally {
    await run.product.stop();
  }
}

async function open(folder: string, isQuick: boolean, snippets: number): Promise<lines.LoadRun> {
  const corpus = join(folder, 'corpus');
  writeCorpus(corpus, Math.ceil(snippets / sectionsPerPage));
  const product = await startProduct(join(folder, 'data'), '127.0.0.1:9');
  await product.index(corpus, { name: 'corpus', maxPages: 20_000 });
  const [module] = await product.modules();
  return { product, key: await product.createKey('load'), folder, isQuick, snippets: module?.snippetCount ?? 0 };
}

interface Part {
  ids: string[];
  measureLines(): Promise<lines.Line[]>;
}

/** In this order: later lines compare with the first, and the large corpus is made when most has been measured. */
function program(run: lines.LoadRun): Part[] {
  const one = (id: string, measureLine: (of: lines.LoadRun) => Promise<lines.Line>): Part => ({
    ids: [id],
    measureLines: async () => [await measureLine(run)],
  });
  return [
    one(comparedWith, lines.searchLine),
    one('load-0002', lines.indexingBesideLine),
    one('load-0004', lines.sessionMemoryLine),
    one('load-0005', lines.sessionConnectLine),
    one('load-0006', lines.listToolsLine),
    one('load-0007', lines.readLine),
    { ids: ['load-0008', 'load-0009'], measureLines: () => lines.crawlLines(run.folder, run.isQuick) },
    one('load-0010', () => lines.emptyStartLine(run.folder)),
    one('load-0011', lines.fullStartLine),
    one('load-0012', lines.webLine),
    one('load-0013', lines.overloadLine),
    one('load-0014', lines.floodLine),
    one('load-0003', lines.largeLine),
  ];
}

async function all(run: lines.LoadRun): Promise<lines.Line[]> {
  const measured: lines.Line[] = [];
  const add = (...more: lines.Line[]) => {
    for (const { id, measure: what, figures, passes, isGood } of more) {
      const verdict = passes === null ? 'left out' : isGood ? 'good' : passes ? 'enough' : 'NOT ENOUGH';
      process.stdout.write(`${id}  ${verdict.padEnd(10)}  ${what}: ${figures}\n`);
    }
    measured.push(...more);
  };
  const only = values.only?.split(',');
  for (const { ids, measureLines } of program(run)) {
    if (only === undefined || ids.some((id) => id === comparedWith || only.includes(id)))
      add(...(await measureLines()));
  }
  return measured;
}
