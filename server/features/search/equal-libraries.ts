import type { ReadableModule } from '#server/features/catalog/index.ts';
import type { Candidate } from './candidates.ts';
import { isMentioned } from './library-names.ts';

/**
 * Libraries whose best score is at least this share of the top score count as equal. Of the project's own questions
 * that name no library, the right library is then first for 38 % and listed beside the first for 29 %.
 */
const equalShare = 0.85;
/** The same for a query of one or two words, which is less specific. */
const equalShareOfShort = 0.7;

/** Returns the key under which the user's choice of a library is stored; all its versions in one scope share it. */
export function libraryKeyOf({ visibility, library }: ReadableModule): string {
  return `${visibility} ${library}`;
}

/**
 * Returns the libraries that answer about equally well, best first, each with its best passage; none if one library is
 * clearly best, if the query names one of them, or if all say the same.
 */
export function equalLibraries(candidates: Candidate[], query: string): Candidate[] {
  const best = new Map<string, Candidate>();
  const share = query.trim().split(/\s+/).length <= 2 ? equalShareOfShort : equalShare;
  const top = candidates[0]?.score ?? 0;
  for (const candidate of candidates) {
    const key = libraryKeyOf(candidate.module);
    if (candidate.score >= top * share && !best.has(key)) best.set(key, candidate);
  }
  if (best.size < 2) return [];
  const equal = differing([...best.values()]);
  if (equal.length < 2 || equal.some(({ module }) => isMentioned(query, module))) return [];
  return equal;
}

/** Returns the candidates without those that repeat an earlier one: between those the choice does not matter. */
export function differing(candidates: Candidate[]): Candidate[] {
  const texts = new Set<string>();
  return candidates.filter(({ snippet }) => {
    const isNew = !texts.has(snippet.text);
    texts.add(snippet.text);
    return isNew;
  });
}

/** Returns the best passage of each version that answers about as well as the top one, but differently. */
export function equalVersions(candidates: Candidate[]): Candidate[] {
  const best = new Map<string, Candidate>();
  const top = candidates[0]?.score ?? 0;
  for (const candidate of candidates) {
    const { rowId } = candidate.module;
    if (candidate.score >= top * equalShare && !best.has(rowId)) best.set(rowId, candidate);
  }
  return differing([...best.values()]);
}
