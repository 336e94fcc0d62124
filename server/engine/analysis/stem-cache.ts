import { stem } from './stem.ts';

const entriesMax = 50_000;
const cache = new Map<string, string>();
const plainWord = /^[a-z]+$/;

/** Stem of a lower-case word. Words with other letters than a–z stay as they are. The cache only saves time. */
export function stemWord(word: string): string {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const found = plainWord.test(word) ? stem(word) : word;
  if (cache.size >= entriesMax) cache.clear();
  // Long slices would keep the whole text they were cut from alive.
  if (word.length <= 12) cache.set(word, found);
  return found;
}
