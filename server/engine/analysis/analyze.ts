import { foldText } from './fold.ts';
import { scanTerms } from './scan.ts';

/** One term at its position in the text. Several can share a position: a compound name and its first part. */
export interface Token {
  term: string;
  position: number;
}

/**
 * Returns the terms of a text, the same way for documents and questions: names whole and in parts, words as lower-case
 * stems, diacritics folded, scripts without spaces as character pairs. Takes time linear in the text's length.
 */
export function analyze(text: string): Token[] {
  const tokens: Token[] = [];
  let position = -1;
  scanTerms(foldText(text), true, (term, advance) => {
    position += advance;
    tokens.push({ term, position });
  });
  return tokens;
}
