import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startProduct } from '../../eval/drive/product.ts';
import { sectionsPerPage, startCorpusSite, writeCorpus } from './corpus.ts';
import { crawlLines } from './crawl-lines.ts';
import * as lines from './lines.ts';
import type { Line, LoadRun } from './load-run.ts';
import { floodLine, overloadLine } from './overload-lines.ts';
import * as sessionLines from './session-lines.ts';
import { soak } from './soak.ts';

/** Always measured, because other lines compare with it. */
const comparedWith = 'load-0001';
const longest = 'load-0003';
const help = `Usage: lectern load [options]

Measures one server under load, on a made-up corpus; prints each line with its figures and bars, and ends with 1 when one is
not enough. Figures count on a machine that does nothing else.

  --quick          a few seconds each on a small corpus: shows that it works, its figures say little
  --seconds-each N no timed part of a line takes longer (most take 10 to 20 seconds by themselves)
  --snippets N     passages of the corpus (default 100000; quick: 2000)
  --minutes N      instead: so many minutes of 200 sessions, indexing and searches, with memory and handles
  --small          leave out the ten times larger corpus of load-0003, which takes longest
  --only IDS       these lines alone, such as load-0013,load-0014, and the searches that others are compared with
  --json FILE      write the lines there too
  --help           show this text
`;

const { values } = parseArgs({
  options: {
    ...{ quick: { type: 'boolean' }, snippets: { type: 'string' }, minutes: { type: 'string' } },
    ...{ 'seconds-each': { type: 'string' }, small: { type: 'boolean' }, only: { type: 'string' } },
    ...{ json: { type: 'string' }, help: { type: 'boolean' } },
  },
});

if (values.help) process.stdout.write(help);
else await measure();

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-load-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const run = await open(folder, values.quick === true);
  try {
    const measured = values.minutes === undefined ? await all(run) : [tell(await soak(run, Number(values.minutes)))];
    keep(measured);
    const passed = measured.filter(({ passes }) => passes).length;
    const good = measured.filter(({ isGood }) => isGood).length;
    process.stdout.write(`${passed} of ${measured.length} lines are enough, ${good} are good\n`);
    if (passed < measured.length) process.exitCode = 1;
  } finally {
    await run.product.stop();
    run.site.stop();
  }
}

async function open(folder: string, isQuick: boolean): Promise<LoadRun> {
  const corpus = join(folder, 'corpus');
  const snippets = Number(values.snippets ?? (isQuick ? 2_000 : 100_000));
  const secondsEach = Number(values['seconds-each'] ?? Number.POSITIVE_INFINITY);
  writeCorpus(corpus, Math.ceil(snippets / sectionsPerPage));
  const run = { folder, isQuick, secondsEach };
  const site = await startCorpusSite(lines.pacedPages({ isQuick, secondsEach }), lines.pacedPerSecond);
  const product = await startProduct(join(folder, 'data'), site.host);
  await product.index(corpus, { name: 'corpus', maxPages: 20_000 });
  const [module] = await product.modules();
  return { ...run, product, site, key: await product.createKey('load'), snippets: module?.snippetCount ?? 0 };
}

interface Part {
  ids: string[];
  measureLines(): Promise<Line[]>;
}

/** The parts in order: later lines compare with the first, and the large corpus is created after most lines. */
function program(run: LoadRun): Part[] {
  const one = (id: string, measureLine: (of: LoadRun) => Promise<Line>): Part => ({
    ids: [id],
    measureLines: async () => [await measureLine(run)],
  });
  return [
    one(comparedWith, lines.searchLine),
    one('load-0002', lines.indexingBesideLine),
    one('load-0004', sessionLines.sessionMemoryLine),
    one('load-0005', sessionLines.sessionConnectLine),
    one('load-0006', sessionLines.listToolsLine),
    one('load-0007', lines.readLine),
    { ids: ['load-0008', 'load-0009'], measureLines: () => crawlLines(run.folder, run.isQuick) },
    one('load-0010', lines.emptyStartLine),
    one('load-0011', lines.fullStartLine),
    one('load-0012', lines.webLine),
    one('load-0013', overloadLine),
    one('load-0014', floodLine),
    one('load-0003', lines.largeLine),
  ];
}

async function all(run: LoadRun): Promise<Line[]> {
  const measured: Line[] = [];
  const only = values.only?.split(',');
  for (const { ids, measureLines } of program(run)) {
    if (only !== undefined && !ids.some((id) => id === comparedWith || only.includes(id))) continue;
    if (values.small && ids.includes(longest)) continue;
    measured.push(...(await measureLines()).map(tell));
    // Saved after each line, so that an interrupted run keeps its results.
    keep(measured);
  }
  return measured;
}

function tell(line: Line): Line {
  const verdict = line.isGood ? 'good' : line.passes ? 'enough' : 'NOT ENOUGH';
  const { id, measure, figures, pass, good } = line;
  process.stdout.write(`${id}  ${verdict.padEnd(10)}  ${measure}: ${figures}  [pass ${pass}; good ${good}]\n`);
  return line;
}

function keep(measured: Line[]): void {
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(measured, null, 1)}\n`);
}
