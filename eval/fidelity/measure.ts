import type { Block, ExtractedDocument } from '../../server/ingest/document.ts';
import { lettersOf, type PageFacts } from './facts.ts';

export const MEASURES = [
  'code',
  'language',
  'headings',
  'tables',
  'links',
  'terms',
  'admonitions',
  'anchors',
  'boilerplate',
  'text',
] as const;
export type Measure = (typeof MEASURES)[number];

/** Items found and expected, per measure. For `boilerplate`, found counts unwanted items. */
export type Tally = Record<Measure, { found: number; expected: number; misses: string[] }>;

const MISSES_KEPT = 200;

export function newTally(): Tally {
  return Object.fromEntries(
    MEASURES.map((measure) => [measure, { found: 0, expected: 0, misses: [] }]),
  ) as unknown as Tally;
}

/** Compares a page's extracted content with its facts, and adds the result to the tally. */
export function measurePage(facts: PageFacts, document: ExtractedDocument, tally: Tally, page: string): void {
  const markdown = document.blocks.map(({ markdown: text }) => text).join('\n\n');
  const note = (measure: Measure, isFound: boolean, what: string, weight = 1): void => {
    const score = tally[measure];
    score.expected += weight;
    if (isFound) score.found += weight;
    if (isFound === (measure === 'boilerplate') && score.misses.length < MISSES_KEPT)
      score.misses.push(`${page}: ${what.replace(/\s+/g, ' ').slice(0, 160)}`);
  };
  measureCodes(facts, markdown, note);
  measureHeadings(facts, document.blocks, note);
  measureTables(facts, document.blocks, note);
  for (const link of facts.links)
    note(
      'links',
      markdown.includes(`](${link.url.replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))})`),
      `${link.text} → ${link.url}`,
    );
  measureTerms(facts, document.blocks, note);
  measureAdmonitions(facts, document.blocks, note);
  const letters = lettersOf(shownText(markdown));
  for (const piece of facts.furniture) note('boilerplate', letters.includes(lettersOf(piece)), piece);
  for (const passage of facts.passages) {
    const wanted = lettersOf(passage);
    if (wanted !== '') note('text', letters.includes(wanted), passage, wanted.length);
  }
}

type Note = (measure: Measure, isFound: boolean, what: string, weight?: number) => void;

function measureCodes(facts: PageFacts, markdown: string, note: Note): void {
  const fences = fencesOf(markdown);
  for (const code of facts.codes) {
    const at = fences.findIndex((fence) => fence.code === code.text);
    const line = code.text.trim();
    const isSpan =
      code.isInCell &&
      !line.includes('\n') &&
      // Layout tables become plain text, where bars are not escaped.
      [line, line.replaceAll('|', '\\|')].some((span) => markdown.includes(span));
    note('code', at >= 0 || isSpan, code.text);
    if (code.language && at >= 0)
      note(
        'language',
        fences[at]!.language === code.language,
        `${code.language} ≠ ${fences[at]!.language}: ${code.text}`,
      );
    if (at >= 0) fences.splice(at, 1);
  }
}

/** Returns the fenced blocks of a Markdown text, found by scanning its lines. */
export function fencesOf(markdown: string): { code: string; language: string }[] {
  const fences: { code: string; language: string }[] = [];
  const lines = markdown.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const open = /^(`{3,})([^`]*)$/.exec(lines[i]!);
    if (!open) continue;
    const end = lines.indexOf(open[1]!, i + 1);
    if (end < 0) break;
    fences.push({ code: lines.slice(i + 1, end).join('\n'), language: open[2]!.trim() });
    i = end;
  }
  return fences;
}

function measureHeadings(facts: PageFacts, blocks: readonly Block[], note: Note): void {
  const headings = blocks.filter(({ type }) => type === 'heading');
  for (const heading of facts.headings) {
    const found = headings.find(
      (block) => block.depth === heading.depth && lettersOf(shownText(block.markdown)) === lettersOf(heading.text),
    );
    note('headings', found !== undefined, `h${heading.depth} ${heading.text}`);
    if (found && heading.id)
      note(
        'anchors',
        headings.some((block) => block.anchor === heading.id),
        `#${heading.id} ≠ #${found.anchor}: ${heading.text}`,
      );
  }
}

function measureTables(facts: PageFacts, blocks: readonly Block[], note: Note): void {
  const tables = blocks.filter(({ type }) => type === 'table').map((block) => block.markdown.split('\n').map(cellsOf));
  for (const table of facts.tables) {
    const isFound = tables.some((rows) => table.rows.every((wanted) => rows.some((cells) => isSameRow(cells, wanted))));
    note('tables', isFound, table.rows.map((row) => row.join(' | ')).join(' ⏎ '));
  }
}

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => lettersOf(shownText(cell)));

function isSameRow(cells: readonly string[], wanted: readonly string[]): boolean {
  const shown = wanted.map(lettersOf).filter(Boolean);
  const present = cells.filter(Boolean);
  return shown.length === present.length && shown.every((text, at) => present[at] === text);
}

function measureTerms(facts: PageFacts, blocks: readonly Block[], note: Note): void {
  const terms = blocks
    .filter(({ type }) => type === 'term')
    .map(({ markdown, anchor, aliases = [] }) => ({
      letters: lettersOf(shownText(markdown)),
      ids: [anchor, ...aliases],
    }));
  const anchors = new Set(terms.flatMap(({ ids }) => ids));
  for (const term of facts.terms) {
    const wanted = lettersOf(term.text);
    if (wanted === '') continue;
    note(
      'terms',
      terms.some(({ letters }) => letters.includes(wanted)),
      term.text,
    );
    if (term.id) note('anchors', anchors.has(term.id), `dt#${term.id}`);
  }
}

function measureAdmonitions(facts: PageFacts, blocks: readonly Block[], note: Note): void {
  const admonitions = blocks
    .filter(({ type }) => type === 'admonition')
    .map(({ markdown }) => ({
      label: lettersOf(/^> \*\*(.*)\*\*/.exec(markdown)?.[1] ?? ''),
      text: lettersOf(shownText(markdown)),
    }));
  for (const { label, start } of facts.admonitions) {
    const wanted = lettersOf(label);
    const isFound = admonitions.some(
      (block) =>
        block.text.includes(lettersOf(start)) && (wanted === '' ? block.label !== '' : block.label.includes(wanted)),
    );
    note('admonitions', isFound, `${label}: ${start}`);
  }
}

/** Returns Markdown without link targets. */
function shownText(markdown: string): string {
  return markdown.replace(/\]\([^()\s]*\)/g, ']');
}
