import type { FoundTerm, TermLookup } from './term-lookup.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** Shorter words have too many neighbours that mean something else. */
const lettersMin = 5;
const lettersMax = 24;
const termsMax = 2;

/**
 * Terms of the views that are one edit from an unknown one: a letter too many, missing, wrong or in its neighbour's place; the
 * commonest first. The first letter is right, as it is in nearly all such words. Looks up some 50 terms a letter.
 */
export function neighboursOf(term: string, lookup: TermLookup): FoundTerm[] {
  if (term.length < lettersMin || term.length > lettersMax || !/^[a-z][a-z_]*$/.test(term)) return [];
  const found: FoundTerm[] = [];
  for (const one of oneEditFrom(term)) {
    const known = lookup.find(one);
    if (known.pageInformation > 0) found.push(known);
  }
  return found.sort((a, b) => a.pageInformation - b.pageInformation).slice(0, termsMax);
}

function oneEditFrom(term: string): Set<string> {
  const made = new Set<string>();
  for (let at = 1; at <= term.length; at += 1) {
    const [before, rest] = [term.slice(0, at), term.slice(at)];
    for (const letter of letters) {
      made.add(before + letter + rest);
      if (rest !== '') made.add(before + letter + rest.slice(1));
    }
    if (rest !== '') made.add(before + rest.slice(1));
    if (rest.length > 1) made.add(before + rest[1] + rest[0] + rest.slice(2));
  }
  made.delete(term);
  return made;
}
