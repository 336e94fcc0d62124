import { foldText } from './fold.ts';
import { scanTerms } from './scan.ts';

/** One term at its place in the text. Several may share a place: a compound name and its first part. */
export interface Token {
  term: string;
  position: number;
}

/**
 * The terms of a text, the same for documents and questions: names whole and in parts, words as lower-case stems,
 * diacritics folded, scripts without spaces as pairs of characters. Takes time linear in the length of the text.
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
