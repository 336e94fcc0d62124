// English suffix stripping after the published rules of the Porter2 ("Snowball English") algorithm.

const irregular = new Map<string, string>([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ['indices', 'index'],
  ['indexes', 'index'],
  ['matrices', 'matrix'],
  ['vertices', 'vertex'],
  ['children', 'child'],
  ['ran', 'run'],
  ['written', 'write'],
  ['wrote', 'write'],
  ['sent', 'send'],
  ['built', 'build'],
  ['kept', 'keep'],
  ['chosen', 'choos'],
  ['threw', 'throw'],
  ['thrown', 'throw'],
  ['hidden', 'hide'],
  ['frozen', 'freez'],
  ['gotten', 'get'],
  ['got', 'get'],
  ['gave', 'give'],
  ['given', 'give'],
  ['took', 'take'],
  ['taken', 'take'],
]);
const unchanged = new Set([
  'sky',
  'news',
  'howe',
  'atlas',
  'cosmos',
  'bias',
  'andes',
  'inning',
  'outing',
  'canning',
  'herring',
  'earring',
  'proceed',
  'exceed',
  'succeed',
]);

const vowels = 'aeiouy';
const doubles = new Set(['bb', 'dd', 'ff', 'gg', 'mm', 'nn', 'pp', 'rr', 'tt']);
const step2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['iveness', 'ive'],
  ['ization', 'ize'],
  ['ousness', 'ous'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['tional', 'tion'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ation', 'ate'],
  ['entli', 'ent'],
  ['fulli', 'ful'],
  ['iviti', 'ive'],
  ['ousli', 'ous'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['anci', 'ance'],
  ['ator', 'ate'],
  ['enci', 'ence'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
];
const step3: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['ative', ''],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];
const step4 = [
  'ement',
  'able',
  'ance',
  'ence',
  'ible',
  'ment',
  'ant',
  'ate',
  'ent',
  'ion',
  'ism',
  'iti',
  'ive',
  'ize',
  'ous',
  'al',
  'er',
  'ic',
];

const isVowel = (word: string, at: number): boolean => vowels.includes(word[at] as string);
const hasVowel = (word: string): boolean => /[aeiouy]/.test(word);

function regionAfter(word: string, from: number): number {
  let i = from;
  while (i < word.length && !isVowel(word, i)) i += 1;
  while (i < word.length && isVowel(word, i)) i += 1;
  return Math.min(word.length, i + 1);
}

function regionOne(word: string): number {
  if (word.startsWith('gener') || word.startsWith('arsen')) return 5;
  if (word.startsWith('commun')) return 6;
  return regionAfter(word, 0);
}

function endsInShortSyllable(word: string): boolean {
  const n = word.length;
  if (n === 2) return isVowel(word, 0) && !isVowel(word, 1);
  if (n < 3) return false;
  return !isVowel(word, n - 3) && isVowel(word, n - 2) && !isVowel(word, n - 1) && !/[wxY]$/.test(word);
}

function stripPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ied') || word.endsWith('ies')) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1);
  if (word.endsWith('us') || word.endsWith('ss')) return word;
  if (word.endsWith('s') && hasVowel(word.slice(0, -2))) return word.slice(0, -1);
  return word;
}

function stripPast(word: string, r1: number): string {
  if (word.endsWith('eedly')) return word.length - 5 >= r1 ? word.slice(0, -3) : word;
  if (word.endsWith('eed')) return word.length - 3 >= r1 ? word.slice(0, -1) : word;
  const suffix = ['ingly', 'edly', 'ing', 'ed'].find((s) => word.endsWith(s));
  if (suffix === undefined) return word;
  const base = word.slice(0, -suffix.length);
  if (!hasVowel(base)) return word;
  if (base.endsWith('at') || base.endsWith('bl') || base.endsWith('iz')) return `${base}e`;
  if (doubles.has(base.slice(-2))) return base.slice(0, -1);
  return endsInShortSyllable(base) && r1 >= base.length ? `${base}e` : base;
}

function replaceSuffix(word: string, r1: number, r2: number): string {
  let result = word;
  const second = step2.find(([suffix]) => result.endsWith(suffix));
  if (second !== undefined && result.length - second[0].length >= r1) {
    const base = result.slice(0, -second[0].length);
    const allowed = second[0] === 'ogi' ? base.endsWith('l') : second[0] !== 'li' || /[cdeghkmnrt]$/.test(base);
    if (allowed) result = base + second[1];
  }
  const third = step3.find(([suffix]) => result.endsWith(suffix));
  if (third !== undefined && result.length - third[0].length >= (third[0] === 'ative' ? r2 : r1)) {
    result = result.slice(0, -third[0].length) + third[1];
  }
  const fourth = step4.find((suffix) => result.endsWith(suffix));
  if (fourth !== undefined && result.length - fourth.length >= r2) {
    const base = result.slice(0, -fourth.length);
    if (fourth !== 'ion' || /[st]$/.test(base)) result = base;
  }
  return result;
}

function stripFinal(word: string, r1: number, r2: number): string {
  const last = word.length - 1;
  if (word.endsWith('e') && (last >= r2 || (last >= r1 && !endsInShortSyllable(word.slice(0, -1)))))
    return word.slice(0, -1);
  return word.endsWith('ll') && last >= r2 ? word.slice(0, -1) : word;
}

/**
 * Returns the stem of a lower-case word of the letters a–z; words shorter than three letters are returned unchanged.
 */
export function stem(word: string): string {
  if (word.length < 3 || unchanged.has(word)) return word;
  const special = irregular.get(word);
  if (special !== undefined) return special;
  // A consonant y is written Y while the rules run, so that the vowel tests treat it as a consonant.
  const marked = word.replace(/^y|(?<=[aeiouy])y/g, 'Y');
  const r1 = regionOne(marked);
  const r2 = regionAfter(marked, r1);
  let result = stripPast(stripPlural(marked), r1);
  if (result.length > 2 && /[^aeiouy][yY]$/.test(result)) result = `${result.slice(0, -1)}i`;
  return stripFinal(replaceSuffix(result, r1, r2), r1, r2).toLowerCase();
}

const entriesMax = 50_000;
const cache = new Map<string, string>();
const plainWord = /^[a-z]+$/;

/**
 * Returns the stem of a lower-case word. Words with letters other than a–z are returned unchanged. The cache only saves
 * time.
 */
export function stemWord(word: string): string {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const found = plainWord.test(word) ? stem(word) : word;
  if (cache.size >= entriesMax) cache.clear();
  // A longer string may be a slice, which would keep the whole text it was cut from in memory.
  if (word.length <= 12) cache.set(word, found);
  return found;
}
