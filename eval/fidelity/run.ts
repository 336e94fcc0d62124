import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isDoubtful } from '../../server/features/search/index.ts';
import { decodeHtml, isXhtml, withEndTags } from '../../server/ingest/extract/decode-html.ts';
import { extractHtml } from '../../server/ingest/extract/extract-html.ts';
import { splitDocument } from '../../server/ingest/split/index.ts';
import { namedSets } from '../names/sets.ts';
import { CORPORA, type Corpus } from './corpora.ts';
import { readFacts } from './facts.ts';
import { MEASURES, type Measure, measurePage, newTally, type Tally } from './measure.ts';
import { measurePdfs, percentOf } from './pdf.ts';

// Measures how faithfully pages become Markdown, compared with facts read from each page's own structure.
// ./lectern eval fidelity --corpora DIR [--check] [--json FILE] [--pages 40] [--only NAME] [--misses MEASURE]
// ./lectern eval fidelity --site DIR [--content SELECTORS] [--furniture SELECTORS]: any folder of HTML pages
// ./lectern eval fidelity --pdf DIR [--check] [--misses text]: PDF files compared with the text from pdftotext

/** Furniture of common generators, for a site without its own entry. */
const siteFurniture = [
  'nav, footer, aside, [role=navigation], [role=search], .headerlink, .sidebar, .sphinxsidebar, .related, .footer, #footer',
  '.navheader, .navfooter, .toc, #toc, .breadcrumb, .breadcrumbs, .navigation, .viewcode-link, .skip-link, address',
].join(', ');

const PAGE_BYTES_MAX = 3_000_000;

interface CorpusResult {
  name: string;
  generator: string;
  pages: number;
  tally: Tally;
  passages: number;
  doubtful: string[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      corpora: { type: 'string' },
      site: { type: 'string' },
      content: { type: 'string', default: 'main, [role=main], article, #content, .content, body' },
      furniture: { type: 'string', default: siteFurniture },
      pdf: { type: 'string' },
      json: { type: 'string' },
      pages: { type: 'string', default: '40' },
      only: { type: 'string' },
      misses: { type: 'string' },
      check: { type: 'boolean', default: false },
    },
  });
  if (values.misses !== undefined && !MEASURES.some((measure) => measure === values.misses)) {
    process.stderr.write(`--misses takes a measure: ${MEASURES.join(', ')}\n`);
    process.exitCode = 2;
    return;
  }
  if (values.pdf) return checkPdfs(values.pdf, values.misses !== undefined, values.check);
  const root = values.site === undefined ? values.corpora : path.resolve(values.site);
  if (!root) {
    process.stderr.write('Name a folder: --corpora DIR (unpacked packages), --site DIR (HTML) or --pdf DIR (PDF)\n');
    process.exitCode = 2;
    return;
  }
  const site = { name: path.basename(root), generator: '', folder: '', content: values.content.split(',') };
  const corpora = values.site === undefined ? [...CORPORA, ...namedSets] : [{ ...site, furniture: values.furniture }];
  const results: CorpusResult[] = [];
  for (const corpus of corpora.filter(({ name }) => !values.only || values.only.split(',').includes(name))) {
    const files = sample(path.join(root, corpus.folder), corpus, Number(values.pages));
    if (files.length === 0) process.stdout.write(`${corpus.name}: no pages in ${corpus.folder}, left out\n`);
    else results.push(measureCorpus(corpus, path.join(root, corpus.folder), files));
  }
  process.stdout.write(table(results));
  if (values.misses) printMisses(results, values.misses as Measure);
  if (values.check) checkFloors(results);
  if (values.json) writeFileSync(values.json, `${JSON.stringify(summary(results), null, 1)}\n`);
}

/** Returns pages at even distances in the sorted list, so that every run measures the same ones. */
function sample(root: string, corpus: Corpus, pages: number): string[] {
  const files = globSync('**/*.html', { cwd: root })
    .filter((file) => !corpus.exclude?.test(file) && isReadable(path.join(root, file)))
    .sort();
  const step = Math.max(1, files.length / pages);
  return Array.from({ length: Math.min(pages, files.length) }, (_, at) => files[Math.floor(at * step)]!);
}

function isReadable(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size <= PAGE_BYTES_MAX;
}

function measureCorpus(corpus: Corpus, root: string, files: readonly string[]): CorpusResult {
  const tally = newTally();
  const doubtful: string[] = [];
  let [pages, passages] = [0, 0];
  for (const file of files) {
    const { text } = decodeHtml(readFileSync(path.join(root, file)));
    const url = new URL(file.replaceAll('%', '%25').replaceAll('#', '%23'), `https://docs.example/${corpus.name}/`)
      .href;
    const facts = readFacts(text, url, corpus);
    if (!facts) continue;
    const document = extractHtml(isXhtml(text, undefined, file) ? withEndTags(text) : text, { url });
    measurePage(facts, document, tally, file);
    for (const { headingPath, text: passage } of splitDocument(document, { url })) {
      passages++;
      if (isDoubtful(passage, ...headingPath)) doubtful.push(`${file}: ${passage.replace(/\s+/g, ' ').slice(0, 160)}`);
    }
    pages++;
  }
  return { name: corpus.name, generator: corpus.generator, pages, tally, passages, doubtful };
}

async function checkPdfs(folder: string, isShown: boolean, isChecked: boolean): Promise<void> {
  const all = await measurePdfs(folder, isShown);
  if (all.expected === 0) process.stdout.write(`no text in PDF files below ${folder}\n`);
  const isEnough = all.expected > 0 && percentOf(all) >= pdfTextFloor;
  if (isChecked && !isEnough) process.exitCode = 1;
  const verdict = isChecked ? (isEnough ? 'ok   ' : 'FAIL ') : '';
  process.stdout.write(
    `${verdict}text ${percentOf(all).toFixed(2)} % of ${all.expected} letters, at least ${pdfTextFloor} %\n`,
  );
}

/** Returns a percentage; undefined if the corpus has no items for the measure. */
function percent(tally: Tally, measure: Measure): number | undefined {
  const { found, expected } = tally[measure];
  return expected === 0 ? undefined : (100 * found) / expected;
}

function mean(results: readonly CorpusResult[], measure: Measure): number | undefined {
  const values = results.map(({ tally }) => percent(tally, measure)).filter((value) => value !== undefined);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function table(results: readonly CorpusResult[]): string {
  const row = (name: string, pages: number, of: (measure: Measure) => number | undefined): string =>
    `${name.padEnd(14)}${String(pages).padStart(5)} ${MEASURES.map((measure) => (of(measure)?.toFixed(1) ?? '-').padStart(12)).join('')}\n`;
  const head = `${'corpus'.padEnd(14)}${'pages'.padStart(5)} ${MEASURES.map((measure) => measure.padStart(12)).join('')}\n`;
  const total = results.reduce((sum, { pages }) => sum + pages, 0);
  return [
    head,
    ...results.map(({ name, pages, tally }) => row(name, pages, (measure) => percent(tally, measure))),
    row('mean', total, (measure) => mean(results, measure)),
  ].join('');
}

const pdfTextFloor = 99.5;
const floors: Partial<Record<Measure, number>> = { code: 99.5, text: 98.5 };
const doubtfulShareMax = 1 / 10_000;

/** Checks totals over all corpora: a set with few code blocks must not weigh as much as one with thousands. */
function checkFloors(results: readonly CorpusResult[]): void {
  for (const [measure, floor] of Object.entries(floors) as [Measure, number][]) {
    const found = results.reduce((sum, { tally }) => sum + tally[measure].found, 0);
    const expected = results.reduce((sum, { tally }) => sum + tally[measure].expected, 0);
    const share = expected === 0 ? 0 : (100 * found) / expected;
    const isEnough = share >= floor;
    if (!isEnough) process.exitCode = 1;
    process.stdout.write(
      `${isEnough ? 'ok  ' : 'FAIL'} ${measure} ${share.toFixed(2)} % of ${expected}, at least ${floor} %\n`,
    );
  }
  const passages = results.reduce((sum, one) => sum + one.passages, 0);
  const doubtful = results.flatMap((one) => one.doubtful.map((what) => `${one.name} ${what}`));
  const isFew = passages > 0 && doubtful.length <= passages * doubtfulShareMax;
  if (!isFew) process.exitCode = 1;
  process.stdout.write(
    `${isFew ? 'ok  ' : 'FAIL'} doubtful ${doubtful.length} of ${passages} passages, at most 1 in 10,000\n`,
  );
  for (const what of doubtful) process.stdout.write(`     ${what}\n`);
}

function summary(results: readonly CorpusResult[]): unknown {
  return {
    mean: Object.fromEntries(MEASURES.map((measure) => [measure, mean(results, measure)])),
    corpora: results.map(({ name, generator, pages, tally }) => ({
      name,
      generator,
      pages,
      scores: Object.fromEntries(MEASURES.map((measure) => [measure, percent(tally, measure)])),
    })),
  };
}

function printMisses(results: readonly CorpusResult[], measure: Measure): void {
  for (const { name, tally } of results)
    for (const miss of tally[measure].misses) process.stdout.write(`${name} ${measure} ${miss}\n`);
}

await main();
