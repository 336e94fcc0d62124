import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Snippet } from '../../server/engine/types.ts';
import { parsePdf } from '../../server/ingest/pdf/parse-pdf.ts';
import { lettersOf } from './facts.ts';

/**
 * The share of a PDF's text, as extracted by poppler's `pdftotext`, that is in the passages. Weights are letters and
 * digits.
 */
export interface PdfTally {
  expected: number;
  found: number;
  /** Lines with a word missing from all passages near their page, as `page: line`. */
  misses: string[];
}

const pagesMax = 10_000;
/** A passage may begin this many pages before a line that it contains. */
const passagePages = 3;
/** Number of lines at the top or bottom of a page that may be running headers and footers. */
const edgeLines = 3;
/** A page with this many lines ending in dots and a number is a table of contents, which passages leave out. */
const contentsLines = 5;
const leaders = /(?:\.\s?){4,}\s*[\divxlc]*\s*$/i;

/** Measures each PDF file below a folder and prints a line per file. With `isShown`, also prints the missed lines. */
export async function measurePdfs(folder: string, isShown: boolean): Promise<PdfTally> {
  const all: PdfTally = { expected: 0, found: 0, misses: [] };
  requirePdftotext();
  for (const name of globSync('**/*.pdf{,.gz}', { cwd: folder }).sort()) {
    const measured = await measurePdf(path.join(folder, name)).catch((error: unknown) => error as Error);
    if (measured instanceof Error) {
      process.stdout.write(`left out  ${name}: ${measured.message}\n`);
      continue;
    }
    const { expected, found, misses } = measured;
    all.expected += expected;
    all.found += found;
    process.stdout.write(`${percentOf({ expected, found }).toFixed(2).padStart(6)} %  ${name}\n`);
    if (isShown) for (const miss of misses) process.stdout.write(`        page ${miss}\n`);
  }
  return all;
}

/** Returns the percentage of letters found; 100 if none were expected. */
export function percentOf({ expected, found }: Pick<PdfTally, 'expected' | 'found'>): number {
  return expected === 0 ? 100 : (100 * found) / expected;
}

function requirePdftotext(): void {
  const { error } = spawnSync('pdftotext', ['-v']);
  if (error) throw new Error('pdftotext is missing. Install poppler-utils and try again.', { cause: error });
}

/** Measures a file, which may be compressed with gzip. Throws if the file cannot be read. */
async function measurePdf(file: string): Promise<PdfTally> {
  const source = readFileSync(file);
  const bytes = file.endsWith('.gz') ? gunzipSync(source) : source;
  const pages = pagesOf(bytes);
  const { snippets } = await parsePdf(
    new Uint8Array(bytes),
    { url: 'https://docs.example/a.pdf', fileName: path.basename(file), pagesMax },
    () => {},
  );
  return comparePages(pages, snippets);
}

/** Returns each page's lines as printed by pdftotext. */
function pagesOf(bytes: Uint8Array): string[][] {
  const folder = mkdtempSync(path.join(tmpdir(), 'fidelity-pdf-'));
  try {
    const file = path.join(folder, 'a.pdf');
    writeFileSync(file, bytes);
    const text = execFileSync('pdftotext', ['-q', '-enc', 'UTF-8', file, '-'], {
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    });
    return text.split('\f').map((page) => page.split('\n').filter((line) => line.trim() !== ''));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compares the lines of pages with the passages that begin on them or shortly before. */
export function comparePages(pages: readonly (readonly string[])[], passages: readonly Snippet[]): PdfTally {
  const tally: PdfTally = { expected: 0, found: 0, misses: [] };
  const texts = textsByPage(passages, pages.length);
  for (const [at, lines] of pages.entries()) {
    if (lines.filter((line) => leaders.test(line)).length >= contentsLines) continue;
    const near = texts.slice(Math.max(0, at - passagePages), at + 1).join('');
    for (const [row, line] of lines.entries()) {
      if (leaders.test(line) || /^\s*\d+\s*$/.test(line) || isFurniture(pages, at, row)) continue;
      const words = line.normalize('NFKC').split(/\s+/).map(lettersOf).filter(Boolean);
      const wanted = words.join('');
      const isWhole = near.includes(wanted);
      const missing = isWhole ? [] : words.filter((word) => !near.includes(word));
      tally.expected += wanted.length;
      tally.found += wanted.length - missing.join('').length;
      if (missing.length > 0) tally.misses.push(`${at + 1}: ${line.trim()} [${missing.join(' ')}]`);
    }
  }
  return tally;
}

/** Returns the letters of the passages that begin on each page. */
function textsByPage(passages: readonly Snippet[], count: number): string[] {
  const texts = Array.from({ length: count }, () => '');
  for (const { anchor, headingPath, text } of passages) {
    const page = Number(/^page=(\d+)/.exec(anchor)?.[1] ?? 1);
    texts[Math.min(page, count) - 1] += lettersOf(`${headingPath.join(' ')} ${text}`.normalize('NFKC'));
  }
  return texts;
}

/**
 * Returns true for lines at a page's edge that repeat, apart from numbers, at the same edge of a nearby page, and for
 * lone numbers there.
 */
function isFurniture(pages: readonly (readonly string[])[], at: number, row: number): boolean {
  const name = (line: string): string => line.replace(/[\d\s]+/g, '');
  const lines = pages[at]!;
  const isTop = row < edgeLines;
  if (!isTop && row < lines.length - edgeLines) return false;
  const own = name(lines[row]!);
  if (/^[ivxlc]*$/.test(own)) return true;
  return [at - 2, at - 1, at + 1, at + 2].some((other) => {
    const page = pages[other] ?? [];
    return [...page.slice(0, edgeLines), ...page.slice(-edgeLines)].some((line) => name(line) === own);
  });
}
