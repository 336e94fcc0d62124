import { countTokens } from '#server/ingest/split/tokens.ts';

/** A line of a passage, or of a long line of prose a sentence: what an extract takes or leaves. */
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
const sentenceEnd = /(?<=[.!?:;])\s+(?=[\p{Lu}\p{N}`*("'[])/u;
const fenceLine = /^\s*(`{3,}|~{3,})/;

/** The units of a passage in their order. Blank lines and the fences of code are no units. */
export function unitsOf(text: string): ExtractUnit[] {
  const units: ExtractUnit[] = [];
  let fence: Fence | undefined;
  let fences = 0;
  let separator = '\n';
  const add = (unit: string): void => {
    units.push({ text: unit, tokens: countTokens(unit) + 1, separator, fence });
    separator = '\n';
  };
  for (const line of text.split('\n')) {
    const marks = fenceLine.exec(line)?.[1];
    if (marks !== undefined && (fence === undefined || line.trim().startsWith(fence.closing))) {
      fence = fence === undefined ? fenceOf(fences++, line, marks) : undefined;
    } else if (line.trim() === '') {
      separator = '\n\n';
    } else if (fence !== undefined || line.length <= lineCharactersMax) {
      add(line);
    } else {
      for (const [at, sentence] of line.split(sentenceEnd).entries()) {
        if (at > 0) separator = ' ';
        add(sentence);
      }
    }
  }
  return units;
}

function fenceOf(id: number, opening: string, closing: string): Fence {
  return { id, opening, closing, tokens: countTokens(`${opening}\n`) + countTokens(`\n${closing}`) };
}
