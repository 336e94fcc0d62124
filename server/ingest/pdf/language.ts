/** Frequent short words that distinguish languages written in the Latin alphabet. */
const words: Record<string, string> = {
  en: 'the of and to is in that for with this be are as it you not from which can if when will by an or on',
  de: 'der die und das ist nicht von mit den sich auf für eine werden wird im dem auch als oder ein wenn kann zu des',
  fr: 'le la les des est et une dans pour que qui sur par pas avec vous du ce cette sont ou aux être il en plus un',
  es: 'el los las una es que para con por del se como no más este esta son puede su en al lo o cuando ser un y',
  it: 'il gli una che per con non della di sono del si come questo anche è alla nel più può dei un se le in o',
  pt: 'os as uma não que para com por do da em é se como mais este são pode ao no na dos das ser um ou e',
  nl: 'het een van en is dat niet voor met de zijn op te aan door wordt ook als kan naar bij worden of deze er',
};
const scripts: [string, RegExp][] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
];
const sampleChars = 40_000;
const wordsMin = 20;
const lettersMin = 50;

/** Returns a document's language tag in canonical form; undefined if it is invalid. */
export function canonicalLanguage(tag: string | null | undefined): string | undefined {
  const written = tag?.trim().replace(/_/g, '-') ?? '';
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(written)) return undefined;
  try {
    return Intl.getCanonicalLocales(written)[0];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns a text's language from its script and most frequent words; undefined if neither is conclusive. */
export function detectLanguage(text: string): string | undefined {
  const sample = text.slice(0, sampleChars);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  if (letters < lettersMin) return undefined;
  for (const [language, script] of scripts) {
    // Headings in other languages and mathematics contain single letters of these scripts.
    if ((sample.match(script)?.length ?? 0) > letters * 0.15) return language;
  }
  const found = sample.toLowerCase().match(/\p{L}+/gu) ?? [];
  const scores = Object.entries(words).map(([language, list]) => {
    const set = new Set(list.split(' '));
    return { language, count: found.filter((word) => set.has(word)).length };
  });
  const [best, second] = scores.toSorted((a, b) => b.count - a.count);
  if (best === undefined || best.count < wordsMin || best.count < found.length * 0.08) return undefined;
  return best.count > (second?.count ?? 0) * 1.15 ? best.language : undefined;
}
