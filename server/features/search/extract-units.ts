import { countTokens } from '#server/ingest/split/tokens.ts';

/** A line of a passage, of a long line of prose a sentence, of code a few lines: what an extract takes or leaves. */
export interface ExtractUnit {
  text: string;
  /** With the end of its line. */
  tokens: number;
  /** What stands between it and the unit before it. */
  separator: string;
  /** The code block this line is in. */
  fence: Fence | undefined;
}

interface Fence {
  id: number;
  opening: string;
  closing: string;
  /** Of both lines. */
  tokens: number;
}

/** Shorter lines are one unit: a single sentence out of two is rarely understood. */
const lineCharactersMax = 120;
/** Neither the number of a list nor an abbreviation ends a sentence. */
const sentenceEnd =
  /(?<=[.!?:;])(?<!^\s*(?:[-*+>]\s+)*\d{1,3}\.)(?<!\b(?:e\.g|i\.e|cf|vs)\.)\s+(?=[\p{Lu}\p{N}`*("'[])/u;
/** So many lines of code are one unit: a line by itself is rarely understood. */
const codeLinesTogether = 3;
const fenceLine = /^\s*(`{3,}|~{3,})/;

/** The units of a passage in their order. Blank lines and the fences of code are no units. */
export function unitsOf(text: string): ExtractUnit[] {
  const units: ExtractUnit[] = [];
  let fence: Fence | undefined;
  let fences = 0;
  let separator = '\n';
  let code: string[] = [];
  const add = (unit: string): void => {
    units.push({ text: unit, tokens: countTokens(unit) + 1, separator, fence });
    separator = '\n';
  };
  const addCode = (): void => {
    for (const lines of runsOf(code)) add(lines.join('\n'));
    code = [];
  };
  for (const line of text.split('\n')) {
    const marks = fenceLine.exec(line)?.[1];
    if (marks !== undefined && (fence === undefined || line.trim().startsWith(fence.closing))) {
      addCode();
      fence = fence === undefined ? fenceOf(fences++, line, marks) : undefined;
    } else if (line.trim() === '') {
      addCode();
      separator = '\n\n';
    } else if (fence !== undefined) {
      code.push(line);
    } else if (line.length <= lineCharactersMax) {
      add(line);
    } else {
      for (const [at, sentence] of line.split(sentenceEnd).entries()) {
        if (at > 0) separator = ' ';
        add(sentence);
      }
    }
  }
  addCode();
  return units;
}

/** Its lines, as they are remembered once they were sent. */
export function linesOfUnit({ text }: ExtractUnit): string[] {
  return text.split('\n');
}

/** A last line that would be alone stays with those before it. */
function runsOf(lines: string[]): string[][] {
  const runs: string[][] = [];
  for (let at = 0; at < lines.length; at += runs.at(-1)?.length ?? 1) {
    const left = lines.length - at;
    runs.push(lines.slice(at, at + (left === codeLinesTogether + 1 ? left : codeLinesTogether)));
  }
  return runs;
}

function fenceOf(id: number, opening: string, closing: string): Fence {
  return { id, opening, closing, tokens: countTokens(`${opening}\n`) + countTokens(`\n${closing}`) };
}
