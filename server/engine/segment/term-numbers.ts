import { buildHashSlots, hashBytes } from './hash-table.ts';

/**
 * Numbers terms in order of first appearance. Frequent terms appear early, so they get small numbers, which keeps the
 * stored sequences short without a second pass.
 */
export function createTermNumbers() {
  const numbers = new Map<string, number>();
  return {
    numberOf(term: string): number {
      const known = numbers.get(term);
      if (known !== undefined) return known;
      numbers.set(ownString(term), numbers.size);
      return numbers.size - 1;
    },
    finish() {
      const names = [...numbers.keys()];
      const starts = new Uint32Array(names.length + 1);
      const hashes = new Uint32Array(names.length);
      const encoded = names.map((name) => Buffer.from(name));
      for (const [index, bytes] of encoded.entries()) {
        starts[index + 1] = (starts[index] as number) + bytes.byteLength;
        hashes[index] = hashBytes(bytes);
      }
      return {
        termCount: names.length,
        names: (wanted: (term: number) => boolean): string[] => names.filter((_, index) => wanted(index)),
        tables: { termText: Buffer.concat(encoded), termStarts: starts, termSlots: buildHashSlots(hashes) },
      };
    },
  };
}

/** Copies a term through bytes: a slice would keep the whole text it was cut from in memory. */
export function ownString(term: string): string {
  return term.length > 12 ? Buffer.from(term).toString() : term;
}
