import { dominantSize, type Line, type TextRun, textOfRuns } from './page-text.ts';

/** Fewer numbered bold lines than this are not the document's heading style. */
const headingsMin = 3;
const number = /^(\d{1,3}(?:\.\d{1,3}){1,4})\.? +\S/;
const signatureCharsMax = 160;

/**
 * Splits run-in headings from the text on their line, such as "3.8.61 isprime(x). True if…". They are numbered and
 * bold, and may be followed by arguments in brackets. Keeps the order of lines; lines without such a heading are
 * unchanged.
 */
export function separateRunInHeadings(lines: readonly Line[]): Line[] {
  const size = dominantSize(lines.flatMap((line) => line.cells.flatMap((cell) => cell.runs)));
  // Larger headings have separate lines.
  const cuts = lines.map((line) => (line.size < size * 1.1 ? cutOf(line) : undefined));
  if (cuts.filter((cut) => cut !== undefined).length < headingsMin) return [...lines];
  return lines.flatMap((line, at) => cuts[at] ?? [line]);
}

/** Returns a line's heading and the text after it. */
function cutOf(line: Line): [Line, Line] | undefined {
  const [cell] = line.cells;
  if (cell === undefined || line.table !== undefined || line.isMono || line.isBold) return undefined;
  const bold = cell.runs.findIndex((run) => !run.isBold && run.text.trim() !== '');
  const name = textOfRuns(cell.runs.slice(0, Math.max(bold, 0)));
  const depth = number.exec(name)?.[1]?.split('.').length;
  if (depth === undefined) return undefined;
  const [given, text] = partsOf(cell.runs.slice(bold));
  if (text === undefined || !/\p{L}{2}/u.test(textOfRuns(text))) return undefined;
  const heading = { depth };
  const runs = [...cell.runs.slice(0, bold), ...given].map((run) => ({ ...run, heading }));
  const end = runs.at(-1)?.x1 ?? cell.x1;
  const rest = { ...cell, runs: text, x0: end };
  return [
    { ...line, cells: [{ ...cell, runs, x1: end }], x1: end },
    { ...line, cells: [rest, ...line.cells.slice(1)], isFirst: false },
  ];
}

/** Returns the brackets directly after a name, and the text after the full stop or colon that follows. */
function partsOf(runs: readonly TextRun[]): [TextRun[], TextRun[] | undefined] {
  const said = runs.map(({ text }) => text).join('');
  let end = 0;
  if (/^[([]/.test(said)) {
    let open = 0;
    do {
      if (/[([{]/.test(said[end] as string)) open += 1;
      else if (/[)\]}]/.test(said[end] as string)) open -= 1;
      end += 1;
    } while (open > 0 && end < Math.min(said.length, signatureCharsMax));
    if (open > 0) end = 0;
  }
  const stop = /^\s*[.:]\s*/.exec(said.slice(end))?.[0];
  return [slice(runs, 0, end), stop === undefined ? undefined : slice(runs, end + stop.length, said.length)];
}

/** Returns the characters of runs from one position to another. */
function slice(runs: readonly TextRun[], from: number, to: number): TextRun[] {
  let at = 0;
  return runs.flatMap((run) => {
    const [start, length] = [at, run.text.length];
    at += length;
    const [first, last] = [Math.max(from - start, 0), Math.min(to - start, length)];
    if (first >= last) return [];
    const x = (place: number): number => run.x0 + ((run.x1 - run.x0) * place) / length;
    return [{ ...run, text: run.text.slice(first, last), x0: x(first), x1: x(last) }];
  });
}
