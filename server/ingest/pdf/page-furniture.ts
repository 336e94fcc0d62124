import { type Line, textOfLine } from './page-text.ts';

interface Repeats {
  /** How many lines of running text stand at the top and at the bottom of a page at most. */
  lines: number;
  /** The number of pages with the line, and the distance from one to the next: a header may stand on left pages alone. */
  pagesMin: number;
  pagesApart: number;
}

const outermost: Repeats = { lines: 2, pagesMin: 3, pagesApart: 4 };
/** Office programs have headers of more lines, on every page. */
const further: Repeats = { lines: 4, pagesMin: 8, pagesApart: 1 };
const pageNumber =
  /^(?!-+[a-z]+$)[\W_]*(?:page|seite|p\.?)?\s*(?:\d{1,5}|[ivxlcdm]{1,8})(?:\s*(?:of|\/|von|de|sur)\s*\d{1,5})?[\W_]*$/i;
/** What may be repeated: words, a date, or the number of a page within its chapter. Brackets and numbers alone may be code, or what it prints. */
const wordsOrLabel = /\p{L}{2}|^\W*[\p{L}\d]{1,4}[-–.]\d{1,4}\W*$|^\W*\d{1,4}([-./])\d{1,2}\1\d{1,4}\W*$/u;
const leader = /(?:[.·…_]\s?){5,}\s*(?:\d{1,5}|[ivxlcdm]{1,8})?\s*$/i;

/**
 * The lines of each page without running headers and footers, page numbers and the printed table of contents, whose
 * lines end in dots and a page number.
 */
export function withoutFurniture(pages: readonly Line[][]): Line[][] {
  const repeated = new Set([outermost, further].flatMap((repeats) => [...repeatedLines(pages, repeats)]));
  const numbered = numberedEdges(pages);
  return pages.map((lines) => {
    const edges = edgeLines(lines);
    // In a short document nothing else says what a number is.
    const isNumber = (line: Line) => pages.length < numberedMin && pageNumber.test(textOfLine(line));
    const isRunning = (line: Line) => isNumber(line) || placesOf(line).some((place) => numbered.has(place));
    const unrepeated = lines.filter((line) => !repeated.has(line) && !(edges.has(line) && isRunning(line)));
    // A page of nothing else is what the document has to say.
    const kept = unrepeated.length > 0 ? unrepeated : lines.filter((line) => !pageNumber.test(textOfLine(line)));
    const leaders = kept.filter((line) => leader.test(textOfLine(line)));
    return leaders.length >= 4 ? kept.filter((line) => !leaders.includes(line)) : kept;
  });
}

/** Lines with the same words, numbers aside, at the same height of pages near each other. In a book, lines of code repeat on distant pages. */
function repeatedLines(pages: readonly Line[][], { lines: linesMax, pagesMin, pagesApart }: Repeats): Set<Line> {
  const chains = new Map<string, Line[][]>();
  for (const lines of pages)
    for (const line of edgeLines(lines, linesMax)) {
      const text = textOfLine(line);
      if (!wordsOrLabel.test(text) && !pageNumber.test(text)) continue;
      const key = keyOf(line);
      const known = chains.get(key) ?? [];
      const last = known.at(-1);
      if (last !== undefined && line.page - (last.at(-1) as Line).page <= pagesApart) last.push(line);
      else known.push([line]);
      chains.set(key, known);
    }
  const isLong = (chain: Line[]) => new Set(chain.map(({ page }) => page)).size >= pagesMin;
  return new Set([...chains.values()].flat().filter(isLong).flat());
}

const numberedMin = 4;
const aloneMin = 2;

/**
 * Heights at which the first or last word of several pages is their number: a chapter of few pages has its title there too. And how far
 * the numbers of pages are from their place, which says what a number alone is.
 */
function numberedEdges(pages: readonly Line[][]): Set<string> {
  const counts = new Map<string, number>();
  for (const lines of pages)
    for (const place of [...edgeLines(lines)].flatMap(placesOf)) counts.set(place, (counts.get(place) ?? 0) + 1);
  const isNumbered = ([place, count]: [string, number]) => count >= (place.includes(' ') ? numberedMin : aloneMin);
  const places = [...counts].filter(isNumbered).map(([place]) => place);
  return new Set(places.flatMap((place) => [place, place.split(' ').at(-1) as string]));
}

/** Height of a line, and how far the number it begins or ends with is from that of its page. A number alone may stand at any height. */
function placesOf(line: Line): string[] {
  const text = textOfLine(line);
  const alone = /^\W*(\d{1,4})\W*$/.exec(text)?.[1];
  if (alone !== undefined) return [`${line.page - Number(alone)}`];
  const numbers = [/^(\d{1,4})\s/, /\s(\d{1,4})$/].map((number) => number.exec(text)?.[1]);
  return numbers.flatMap((number) =>
    number === undefined ? [] : [`${Math.round(line.y / 3)} ${line.page - Number(number)}`],
  );
}

function edgeLines(lines: readonly Line[], linesMax = outermost.lines): Set<Line> {
  const byHeight = lines.toSorted((a, b) => a.y - b.y);
  return new Set([...byHeight.slice(0, linesMax), ...byHeight.slice(-linesMax)]);
}

function keyOf(line: Line): string {
  const words = textOfLine(line)
    .toLowerCase()
    .replace(/\b(?:\d+|[ivxlcdm]+)\b/g, '#')
    .replace(/[\s#]+/g, ' ')
    .trim();
  return `${Math.round(line.y / 3)} ${words}`;
}
