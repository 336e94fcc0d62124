import type { ReadableModule } from '#server/features/catalog/index.ts';
import type { Candidate } from './candidates.ts';
import { isMentioned } from './library-names.ts';

/**
 * Best scores from this share of the best of all on count as equal. On the project's own questions that name no library
 * the right one is then first in 38 % and named beside the first in 29 %.
 */
const equalShare = 0.85;
/** The same for a query of one or two words, which says little of what is meant. */
const equalShareOfShort = 0.7;

/** Names a library where a choice among several is kept: all its versions in one place. */
export function libraryKeyOf({ visibility, library }: ReadableModule): string {
  return `${visibility} ${library}`;
}

/**
 * The libraries that answer about equally well, best first, each by its best passage; none where one of them answers
 * alone, where the query names one of them, and where all of them say the same.
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

/** Without those whose passage says what one before it says: it does not matter which of them is meant. */
export function differing(candidates: Candidate[]): Candidate[] {
  const texts = new Set<string>();
  return candidates.filter(({ snippet }) => {
    const isNew = !texts.has(snippet.text);
    texts.add(snippet.text);
    return isNew;
  });
}

/** Best passage of each version that answers about as well as the best of all, and differently. */
export function equalVersions(candidates: Candidate[]): Candidate[] {
  const best = new Map<string, Candidate>();
  const top = candidates[0]?.score ?? 0;
  for (const candidate of candidates) {
    const { rowId } = candidate.module;
    if (candidate.score >= top * equalShare && !best.has(rowId)) best.set(rowId, candidate);
  }
  return differing([...best.values()]);
}
