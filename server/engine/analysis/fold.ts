const nonAscii = /[^\p{ASCII}]/u;
// The last two characters become combining marks when normalised.
const longMarkRun = /([\p{M}\uff9e\uff9f]{8})[\p{M}\uff9e\uff9f]+/gu;
const latinMarks = /[\u0300-\u036f]/g;
const undecomposable = /[ßæœøđłıþð]/g;
const plainLatin: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ð: 'd',
};

/**
 * Compatibility-normalises text and removes Latin diacritics, so that `ﬁle` matches `file` and `naïve` matches `naive`.
 * Keeps letter case because camel case marks word borders. Returns plain ASCII unchanged.
 */
export function foldText(text: string): string {
  if (!nonAscii.test(text)) return text;
  // Normalisation sorts runs of combining marks; capping them keeps it linear on hostile input.
  const decomposed = text.replace(longMarkRun, '$1').normalize('NFKD').replace(latinMarks, '');
  return decomposed
    .normalize('NFC')
    .replace(/[’‘ʼ]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[‐‑−]/g, '-')
    .replace(undecomposable, (letter) => plainLatin[letter] ?? letter);
}
