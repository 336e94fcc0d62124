import { isStopTerm } from './stop-words.ts';

/** A query of more words is a pasted task: prose around code and data, in which most words are incidental. */
const wordsMin = 25;
/** Words examined on either side of a word to tell prose from code. */
const neighbours = 5;
/**
 * A word's share without function words nearby, and the increase in proportion to function words among its neighbours.
 */
const codeShare = 0.3;
const proseShare = 0.9;
/**
 * Repeated words matter more: the share grows with the number of occurrences up to this maximum, raised to the power
 * below.
 */
const occurrencesMax = 4;
const occurrencesPower = 0.5;

/** A term of a query, with the position of its word. */
export interface TermPlace {
  term: string;
  place: number;
}

/**
 * Returns the share of each term in a long text: larger where function words surround it, as in sentences but hardly
 * ever in code or data, and larger if it is repeated. Returns undefined for a text of 25 words or fewer. Fitted on the
 * project's own questions: see README.md.
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
