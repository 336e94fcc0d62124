/** Share of common word sequences from which two passages say the same: versions of one text, or one page twice. */
const sameShare = 0.85;
const sequenceWords = 3;

/** Remembers passages and tells whether another says nearly the same as one of them. */
export interface DuplicateFilter {
  /** False, and nothing remembered, when the text nearly equals a remembered one. Texts under 8 words always pass. */
  admit(text: string): boolean;
}

export function createDuplicateFilter(): DuplicateFilter {
  const known: Set<number>[] = [];
  return {
    admit(text) {
      const sequences = sequencesOf(text);
      if (sequences.size < 6) return true;
      if (known.some((other) => commonShare(sequences, other) >= sameShare)) return false;
      known.push(sequences);
      return true;
    },
  };
}

function sequencesOf(text: string): Set<number> {
  const hashes = (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).map(hashOf);
  const sequences = new Set<number>();
  for (let at = 0; at + sequenceWords <= hashes.length; at++) {
    let hash = 17;
    for (let word = at; word < at + sequenceWords; word++) hash = Math.imul(hash, 31) + (hashes[word] ?? 0);
    sequences.add(hash | 0);
  }
  return sequences;
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash | 0;
}

function commonShare(a: Set<number>, b: Set<number>): number {
  if (Math.min(a.size, b.size) < sameShare * Math.max(a.size, b.size)) return 0;
  let common = 0;
  for (const sequence of a) if (b.has(sequence)) common += 1;
  return common / (a.size + b.size - common);
}
