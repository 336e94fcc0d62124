import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '#test/services/free-port.ts';
import { ask, type Outcome } from './ask.ts';
import { compare, type KeptOutcome, keep } from './compare.ts';
import { type Agent, openAgent } from './drive/agent.ts';
import { sharedEvalFolder } from './drive/corpora.ts';
import { type Library, openCorpora, openOwnDocuments, openSets } from './library.ts';
import { type Question, readOwnQuestions, readQuestions } from './question.ts';
import { readSets } from './questions/sets.ts';
import { printReport, printVerdicts, type RunReport } from './report.ts';
import { type Summary, summarize } from './score.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const help = `Usage: lectern eval [--sets DIR | --corpora DIR] [options]

Indexes documentation through the product, asks judged questions in both forms (as a coding agent writes them and as a
person types them) through a real MCP client and scores the answers, each figure with its 95 % interval.
With --sets it asks the project's own questions, with --corpora those of the shared evaluation data, without either a few
about the project's documentation.

  --sets DIR         documentation sets of eval/questions, as fetch-sets.mjs unpacked them
  --folds 1,2        own questions of these folds only
  --corpora DIR      unpacked documentation packages of the shared evaluation data
  --only A,B         these sets and their questions only
  --data DIR         data folder; an index that is complete in there is used again
  --keep             keep the data folder (always so with --data)
  --json FILE        write figures and the outcome of each question
  --against FILE     compare question by question with a run that --json wrote
  --compare          the same with the committed baseline; ends with 1 when a figure is worse
  --save-baseline    make this run the baseline
  --help             show this text
`;

/** The shared questions' baseline is committed, because the blog is written from it. */
const baselineFiles = {
  'the own set': 'questions/baseline.json',
  'the shared set': 'baseline.json',
  'own documentation': 'own/baseline.json',
};

/** A baseline contains outcomes, not questions. */
interface Baseline {
  madeAt: string;
  machine: string;
  summary: Summary;
  outcomes: KeptOutcome[];
}

const { values } = parseArgs({
  options: {
    ...{ sets: { type: 'string' }, folds: { type: 'string' }, corpora: { type: 'string' }, only: { type: 'string' } },
    ...{ data: { type: 'string' }, json: { type: 'string' }, against: { type: 'string' }, help: { type: 'boolean' } },
    ...{ keep: { type: 'boolean' }, compare: { type: 'boolean' }, 'save-baseline': { type: 'boolean' } },
  },
});

if (values.help) process.stdout.write(help);
else process.exitCode = await evaluate();

async function evaluate(): Promise<number> {
  const { name, questions } = questionsToAsk();
  const baselineFile = join(here, baselineFiles[name]);
  if (values.compare && !existsSync(baselineFile)) {
    throw new Error(`there is no baseline at ${baselineFile}; make one with --save-baseline`);
  }
  const other = values.against === undefined ? undefined : readRun(values.against);
  const dataFolder = values.data === undefined ? mkdtempSync(join(tmpdir(), 'lectern-eval-')) : resolve(values.data);
  if (values.data === undefined && !values.keep) {
    process.once('exit', () => rmSync(dataFolder, { recursive: true, force: true }));
  } else process.stderr.write(`the index is kept in ${dataFolder}\n`);
  const library = await openLibrary(dataFolder);
  const { outcomes, report } = await library.use(() => askAll(questions, library, name));
  printReport(report);
  if (values.json !== undefined) writeJson(values.json, { ...report, outcomes });
  if (values['save-baseline']) {
    const { madeAt, machine, summary } = report;
    const baseline: Baseline = { madeAt, machine, summary, outcomes: keep(outcomes) };
    // One line per question, because the file is in the repository.
    const rows = baseline.outcomes.map((row) => JSON.stringify(row)).join(',\n');
    const head = JSON.stringify({ madeAt, machine, summary }, null, 1).replace(/\n\}$/, '');
    writeFileSync(baselineFile, `${head},\n "outcomes": [\n${rows}\n]}\n`);
  }
  if (other !== undefined) printVerdicts(compare(other, keep(outcomes)));
  return values.compare ? compareWith(baselineFile, outcomes) : 0;
}

/** Reads a run from a file written by `--json` or `--save-baseline`. */
function readRun(file: string): KeptOutcome[] {
  const { outcomes } = JSON.parse(readFileSync(file, 'utf8')) as { outcomes?: Outcome[] | KeptOutcome[] };
  const first = outcomes?.[0];
  if (first === undefined) throw new Error(`${file} holds no run: give a file that --json wrote`);
  return 'values' in first ? (outcomes as KeptOutcome[]) : keep(outcomes as Outcome[]);
}

function questionsToAsk(): { name: keyof typeof baselineFiles; questions: Question[] } {
  const only = values.only?.split(',') ?? [];
  const folds = values.folds?.split(',').map(Number) ?? [];
  const isAsked = ({ corpus, fold }: Question): boolean =>
    (only.length === 0 || only.includes(corpus)) && (folds.length === 0 || folds.includes(fold));
  if (values.sets !== undefined) {
    const foldOf = new Map(readSets([]).map(({ name, fold }) => [name, fold]));
    const questions = readOwnQuestions(join(here, 'questions'), foldOf).filter(isAsked);
    return { name: 'the own set', questions };
  }
  if (values.corpora === undefined) {
    return { name: 'own documentation', questions: readQuestions(join(here, 'own/questions.jsonl')) };
  }
  const shared = sharedEvalFolder();
  const questions = readQuestions(join(shared, 'dev.jsonl'), join(shared, 'dev-agent-queries.jsonl')).filter(isAsked);
  return { name: 'the shared set', questions };
}

async function openLibrary(dataFolder: string): Promise<Library> {
  const only = values.only?.split(',') ?? [];
  if (values.sets !== undefined)
    return openSets(readSets(only), { folder: values.sets, dataFolder, port: await freePort() });
  if (values.corpora === undefined) return openOwnDocuments(dataFolder);
  return openCorpora({ folder: values.corpora, only, dataFolder, port: await freePort() });
}

async function askAll(
  questions: Question[],
  library: Library,
  items: string,
): Promise<{ outcomes: Outcome[]; report: RunReport }> {
  const key = await library.product.createKey(`eval ${new Date().toISOString()}`);
  const newAgent = (): Promise<Agent> => openAgent(library.product.origin, key);
  const first = await newAgent();
  await first.close();
  const outcomes: Outcome[] = [];
  for (const [at, question] of questions.entries()) {
    outcomes.push(...(await ask(question, newAgent)));
    if (process.stderr.isTTY) process.stderr.write(`\r${at + 1} of ${questions.length} questions `);
  }
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K');
  const report = {
    madeAt: new Date().toISOString(),
    machine: `${cpus()[0]?.model ?? 'unknown processor'} x ${availableParallelism()}, Node ${process.version}`,
    items,
    surface: first.surface,
    indexing: library.indexing,
    summary: summarize(outcomes),
  };
  return { outcomes, report };
}

function compareWith(file: string, outcomes: Outcome[]): number {
  const baseline = JSON.parse(readFileSync(file, 'utf8')) as Baseline;
  const verdicts = compare(baseline.outcomes, keep(outcomes));
  printVerdicts(verdicts);
  return verdicts.some(({ verdict }) => verdict === 'worse') ? 1 : 0;
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(resolve(file), `${JSON.stringify(value, null, 1)}\n`);
}
