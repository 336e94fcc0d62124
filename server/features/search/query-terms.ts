/** A query word in the form used to scan passages. */
export interface QueryTerm {
  /** Lower case, without a likely ending. */
  stem: string;
  /** Longer and code-like words weigh more. */
  weight: number;
}

const fillWords = new Set(
  'a an and are as at be by can could do does for from get has have how i in into is it its my not of on or should that the this to use using was what when where which why will with without you your'.split(
    ' ',
  ),
);

/** Returns the words of queries that distinguish passages; compound identifiers are also kept whole. */
export function queryTerms(queries: string[]): QueryTerm[] {
  const terms = new Map<string, number>();
  for (const query of queries) {
    for (const word of query.toLowerCase().match(/[\p{L}\p{N}_][\p{L}\p{N}_.:/-]*[\p{L}\p{N}_]|[\p{L}\p{N}]/gu) ?? []) {
      if (fillWords.has(word)) continue;
      for (const part of new Set([word, ...word.split(/[^\p{L}\p{N}]+/u)])) {
        if (part.length < 2 && part !== word) continue;
        const weight = Math.min(part.length, 10) + (/[^\p{L}]/u.test(part) ? 3 : 0);
        terms.set(stemOf(part), Math.max(terms.get(stemOf(part)) ?? 0, weight));
      }
    }
  }
  return [...terms].map(([stem, weight]) => ({ stem, weight }));
}

function stemOf(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ies|ed|es|s|e|y)$/, '') : word;
}
