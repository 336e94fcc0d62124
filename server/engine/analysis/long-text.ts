import { isStopTerm } from './stop-words.ts';

/** A longer query is a task that was pasted: prose around code and data, in which most words are by the way. */
const wordsMin = 25;
/** Words on either side that tell prose from code. */
const neighbours = 5;
/** What a word counts that stands among no function words, and what each of these adds in proportion. */
const codeShare = 0.3;
const proseShare = 0.9;
/** Occurrences that count, to this power: what a text repeats it is about. */
const occurrencesMax = 4;
const occurrencesPower = 0.5;

/** A term of a query, and how many words of it were read by then. */
export interface TermPlace {
  term: string;
  place: number;
}

/**
 * What each term of a long text counts in it: more where function words stand around it, as in sentences and hardly ever in
 * code or data, and more where it is repeated. Undefined for a text of 25 words or fewer. Fitted on the project's own
 * questions: see README.md.
 */
export function sharesInLongText(
  places: readonly TermPlace[],
  words: readonly string[],
): Map<string, number> | undefined {
  if (words.length <= wordsMin) return undefined;
  const stopsBefore = [0];
  for (const word of words) stopsBefore.push((stopsBefore.at(-1) as number) + (isStopTerm(word) ? 1 : 0));
  const occurrences = new Map<string, number>();
  const shares = new Map<string, number>();
  for (const { term, place } of places) {
    const from = Math.max(0, place - neighbours);
    const to = Math.min(words.length, place + neighbours + 1);
    const stops = ((stopsBefore[to] as number) - (stopsBefore[from] as number)) / (to - from);
    shares.set(term, Math.max(shares.get(term) ?? 0, codeShare + proseShare * stops));
    occurrences.set(term, (occurrences.get(term) ?? 0) + 1);
  }
  for (const [term, share] of shares) {
    shares.set(term, share * Math.min(occurrencesMax, occurrences.get(term) as number) ** occurrencesPower);
  }
  return shares;
}
