import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ask, type Outcome } from './ask.ts';
import { type BaselineRow, compare, toBaselineRows } from './compare.ts';
import { type Agent, openAgent } from './drive/agent.ts';
import { sharedEvalFolder } from './drive/corpora.ts';
import { freePort } from './drive/processes.ts';
import { type Library, openCorpora, openOwnDocuments } from './library.ts';
import { type Question, readQuestions } from './question.ts';
import { printReport, printVerdicts, type RunReport } from './report.ts';
import { type Summary, summarize } from './score.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const help = `Usage: lectern eval [--corpora DIR] [options]

Indexes documentation through the product, asks judged questions through a real MCP client and scores the answers.
Without --corpora it asks a few questions of our own about the project's documentation.

  --corpora DIR      unpacked documentation packages of the shared evaluation data
  --only A,B         these corpora and their questions only
  --items FILE       questions (default: the shared development questions)
  --data DIR         data folder; an index that is complete in there is used again
  --keep             keep the data folder (always so with --data)
  --json FILE        write figures and the outcome of each question
  --compare          fail when the figures dropped beyond noise below the committed baseline
  --save-baseline    make these figures the baseline
  --help             show this text
`;

/** A baseline holds outcomes, not questions. */
interface Baseline {
  madeAt: string;
  machine: string;
  summary: Summary;
  rows: BaselineRow[];
}

const { values } = parseArgs({
  options: {
    ...{ corpora: { type: 'string' }, items: { type: 'string' }, json: { type: 'string' }, only: { type: 'string' } },
    ...{ data: { type: 'string' }, port: { type: 'string' }, help: { type: 'boolean' }, keep: { type: 'boolean' } },
    ...{ compare: { type: 'boolean' }, 'save-baseline': { type: 'boolean' } },
  },
});

if (values.help) process.stdout.write(help);
else process.exitCode = await evaluate();

async function evaluate(): Promise<number> {
  const only = values.only?.split(',') ?? [];
  const isOwn = values.corpora === undefined;
  const itemsFile = values.items ?? (isOwn ? join(here, 'own/questions.jsonl') : join(sharedEvalFolder(), 'dev.jsonl'));
  const questions = readQuestions(itemsFile).filter(({ corpus }) => only.length === 0 || only.includes(corpus));
  const baselineFile = join(here, isOwn ? 'own/baseline.json' : 'baseline.json');
  if (values.compare && !existsSync(baselineFile)) {
    throw new Error(`there is no baseline at ${baselineFile}; make one with --save-baseline`);
  }
  const dataFolder = values.data === undefined ? mkdtempSync(join(tmpdir(), 'lectern-eval-')) : resolve(values.data);
  if (values.data === undefined && !values.keep) {
    process.once('exit', () => rmSync(dataFolder, { recursive: true, force: true }));
  } else process.stderr.write(`the index is kept in ${dataFolder}\n`);
  const library = await (values.corpora === undefined
    ? openOwnDocuments(dataFolder)
    : openCorpora({ folder: values.corpora, only, dataFolder, port: await freePort() }));
  const { outcomes, report } = await library.use(() => askAll(questions, library, itemsFile));
  printReport(report);
  if (values.json !== undefined) writeJson(values.json, { ...report, outcomes });
  if (values['save-baseline']) saveBaseline(baselineFile, report, outcomes);
  return values.compare ? compareWith(baselineFile, outcomes) : 0;
}

async function askAll(
  questions: Question[],
  library: Library,
  itemsFile: string,
): Promise<{ outcomes: Outcome[]; report: RunReport }> {
  const key = await library.product.createKey(`eval ${new Date().toISOString()}`);
  const newAgent = (): Promise<Agent> => openAgent(library.product.origin, key);
  const first = await newAgent();
  await first.close();
  const outcomes: Outcome[] = [];
  for (const question of questions) {
    outcomes.push(await ask(question, newAgent));
    if (process.stderr.isTTY) process.stderr.write(`\r${outcomes.length} of ${questions.length} questions `);
  }
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K');
  const report = {
    madeAt: new Date().toISOString(),
    machine: `${cpus()[0]?.model ?? 'unknown processor'} x ${availableParallelism()}, Node ${process.version}`,
    items: itemsFile.split('/').slice(-1)[0] ?? '',
    surface: first.surface,
    indexing: library.indexing,
    summary: summarize(outcomes),
  };
  return { outcomes, report };
}

function saveBaseline(file: string, { madeAt, machine, summary }: RunReport, outcomes: Outcome[]): void {
  const baseline: Baseline = { madeAt, machine, summary, rows: toBaselineRows(outcomes) };
  writeJson(file, baseline);
}

function compareWith(file: string, outcomes: Outcome[]): number {
  const baseline = JSON.parse(readFileSync(file, 'utf8')) as Baseline;
  const verdicts = compare(baseline.rows, toBaselineRows(outcomes));
  printVerdicts(verdicts);
  return verdicts.some(({ isDrop }) => isDrop) ? 1 : 0;
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(resolve(file), `${JSON.stringify(value, null, 1)}\n`);
}
