import { type Line, textOfLine } from './page-text.ts';

interface Repeats {
  /** Maximum number of lines checked at the top and at the bottom of a page. */
  lines: number;
  /**
   * Minimum number of pages with the line, and the maximum distance between two of them: a header may be on left pages
   * only.
   */
  pagesMin: number;
  pagesApart: number;
}

const outermost: Repeats = { lines: 2, pagesMin: 3, pagesApart: 4 };
/** Office programs create longer headers, on every page. */
const further: Repeats = { lines: 4, pagesMin: 8, pagesApart: 1 };
const pageNumber =
  /^(?!-+[a-z]+$)[\W_]*(?:page|seite|p\.?)?\s*(?:\d{1,5}|[ivxlcdm]{1,8})(?:\s*(?:of|\/|von|de|sur)\s*\d{1,5})?[\W_]*$/i;
/**
 * Text that may be a repeated header: words, a date, or a page number within a chapter. Brackets or numbers alone may
 * be code or its output.
 */
const wordsOrLabel = /\p{L}{2}|^\W*[\p{L}\d]{1,4}[-–.]\d{1,4}\W*$|^\W*\d{1,4}([-./])\d{1,2}\1\d{1,4}\W*$/u;
const leader = /(?:[.·…_]\s?){5,}\s*(?:\d{1,5}|[ivxlcdm]{1,8})?\s*$/i;

/**
 * Removes running headers and footers, page numbers and the printed table of contents, whose lines end in dots and a
 * page number.
 */
export function withoutFurniture(pages: readonly Line[][]): Line[][] {
  const repeated = new Set([outermost, further].flatMap((repeats) => [...repeatedLines(pages, repeats)]));
  const numbered = numberedEdges(pages);
  return pages.map((lines) => {
    const edges = edgeLines(lines);
    // A short document has too few pages to recognise page numbers by their pattern.
    const isNumber = (line: Line) => pages.length < numberedMin && pageNumber.test(textOfLine(line));
    const isRunning = (line: Line) => isNumber(line) || placesOf(line).some((place) => numbered.has(place));
    const unrepeated = lines.filter((line) => !repeated.has(line) && !(edges.has(line) && isRunning(line)));
    // On a page with only repeated lines, those lines are its content.
    const kept = unrepeated.length > 0 ? unrepeated : lines.filter((line) => !pageNumber.test(textOfLine(line)));
    const leaders = kept.filter((line) => leader.test(textOfLine(line)));
    return leaders.length >= 4 ? kept.filter((line) => !leaders.includes(line)) : kept;
  });
}

/**
 * Returns lines with the same words (ignoring numbers) at the same height on nearby pages. In a book, code lines repeat
 * on distant pages.
 */
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
 * Returns the heights at which the first or last word of several pages is a page number (even a short chapter has its
 * title there too), and the offsets between printed page numbers and page positions, which identify a number that
 * stands alone.
 */
function numberedEdges(pages: readonly Line[][]): Set<string> {
  const counts = new Map<string, number>();
  for (const lines of pages)
    for (const place of [...edgeLines(lines)].flatMap(placesOf)) counts.set(place, (counts.get(place) ?? 0) + 1);
  const isNumbered = ([place, count]: [string, number]) => count >= (place.includes(' ') ? numberedMin : aloneMin);
  const places = [...counts].filter(isNumbered).map(([place]) => place);
  return new Set(places.flatMap((place) => [place, place.split(' ').at(-1) as string]));
}

/**
 * Returns a line's height and the offset between the number at its start or end and its page. A number alone may be at
 * any height.
 */
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
