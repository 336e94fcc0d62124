/** Returns the FNV-1a hash of the bytes, 32 bits. */
export function hashBytes(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i += 1) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  // Mixes in the high bits, because the low bits choose the slot.
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Builds an open-addressing table with a load of at most two thirds; a slot holds index + 1, 0 is empty. */
export function buildHashSlots(hashes: Uint32Array): Uint32Array {
  let size = 8;
  while (size * 2 < hashes.length * 3) size *= 2;
  const slots = new Uint32Array(size);
  for (let index = 0; index < hashes.length; index += 1) {
    let slot = (hashes[index] as number) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = index + 1;
  }
  return slots;
}

/** Returns the index for which `matches` returns true among the entries with this hash. */
export function findInSlots(slots: Uint32Array, hash: number, matches: (index: number) => boolean): number | undefined {
  const mask = slots.length - 1;
  let slot = hash & mask;
  for (let tries = 0; tries <= mask; tries += 1) {
    const entry = slots[slot] as number;
    if (entry === 0) return undefined;
    if (matches(entry - 1)) return entry - 1;
    slot = (slot + 1) & mask;
  }
  return undefined;
}

/** Same as `findInSlots` for texts stored end to end, without a function call per candidate. */
export function findText(
  slots: Uint32Array,
  hash: number,
  wanted: Uint8Array,
  text: Uint8Array,
  starts: Uint32Array,
): number | undefined {
  const mask = slots.length - 1;
  let slot = hash & mask;
  for (let tries = 0; tries <= mask; tries += 1) {
    const entry = slots[slot] as number;
    if (entry === 0) return undefined;
    const start = starts[entry - 1] as number;
    if ((starts[entry] as number) - start === wanted.length) {
      let i = 0;
      while (i < wanted.length && wanted[i] === text[start + i]) i += 1;
      if (i === wanted.length) return entry - 1;
    }
    slot = (slot + 1) & mask;
  }
  return undefined;
}

/** A term prepared for look-up: created once, used for every segment. */
export interface TermKey {
  bytes: Buffer;
  hash: number;
}

export function termKey(term: string): TermKey {
  const bytes = Buffer.from(term);
  return { bytes, hash: hashBytes(bytes) };
}
