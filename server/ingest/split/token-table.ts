/** A power of two and at least twice the number of tokens, so that a lookup probes 1.3 slots on average. */
const slotCount = 1 << 19;
/** Longer than any token of a published vocabulary. */
const tokenBytesMax = 1024;

const [blank, lineEnd, padding, digitZero] = [0x20, 0x0a, 0x3d, 0x30];
const base64Values = new Uint8Array(128).fill(255);
for (const [value, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  base64Values[character.charCodeAt(0)] = value;
}

/**
 * A byte-pair vocabulary in flat arrays, which maps bytes to ranks without creating strings. Uses a tenth of the memory
 * of a map of strings and creates no garbage.
 */
export class TokenTable {
  private readonly slots = new Int32Array(slotCount);
  /** The upper half of each hash (the lower half selects the slot): nearly always enough to distinguish two tokens. */
  private readonly marks = new Uint16Array(slotCount);
  private readonly offsets: Uint32Array;
  private readonly bytes: Uint8Array;

  /**
   * Reads a vocabulary in its published form (`.tiktoken`): one token per line as base64 bytes, a space and the rank,
   * in rank order. Throws RangeError for any other input.
   */
  constructor(file: Uint8Array) {
    const lineCount = file.reduce((count, byte) => (byte === lineEnd ? count + 1 : count), 0);
    this.offsets = new Uint32Array(lineCount + 1);
    this.bytes = new Uint8Array(Math.ceil(file.length * 0.75));
    const token = new Uint16Array(tokenBytesMax);
    let offset = 0;
    for (let at = 0, rank = 0; rank < lineCount; rank++) {
      const { length, end } = readToken(file, at, rank, token);
      this.bytes.set(token.subarray(0, length), offset);
      offset += length;
      this.offsets[rank + 1] = offset;
      this.insert(token, length, rank);
      at = end;
    }
    this.bytes = this.bytes.slice(0, offset);
  }

  /** Returns the rank of the token whose bytes are the elements from `start` to `end`; -1 if there is none. */
  rank(text: Uint16Array, start: number, end: number): number {
    const hash = hashOf(text, start, end);
    const mark = hash >>> 16;
    for (let slot = firstSlot(hash); ; slot = (slot + 1) & (slotCount - 1)) {
      const rank = (this.slots[slot] as number) - 1;
      if (rank < 0) return -1;
      if (this.marks[slot] === mark && this.isToken(rank, text, start, end)) return rank;
    }
  }

  private insert(token: Uint16Array, length: number, rank: number): void {
    const hash = hashOf(token, 0, length);
    let slot = firstSlot(hash);
    while (this.slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
    this.slots[slot] = rank + 1;
    this.marks[slot] = hash >>> 16;
  }

  private isToken(rank: number, text: Uint16Array, start: number, end: number): boolean {
    const offset = this.offsets[rank] as number;
    if ((this.offsets[rank + 1] as number) - offset !== end - start) return false;
    for (let at = start; at < end; at++) {
      if (this.bytes[offset + at - start] !== text[at]) return false;
    }
    return true;
  }
}

/** Decodes the token of the line that starts at `start`; returns its length in bytes and the start of the next line. */
function readToken(file: Uint8Array, start: number, rank: number, token: Uint16Array): { length: number; end: number } {
  let at = start;
  let length = 0;
  let bits = 0;
  let bitCount = 0;
  for (; file[at] !== blank && file[at] !== padding; at++) {
    const value = base64Values[file[at] ?? 128] ?? 255;
    if (value === 255 || length === tokenBytesMax) throw unreadable(rank);
    bits = ((bits << 6) | value) & 0xffff;
    bitCount += 6;
    if (bitCount < 8) continue;
    bitCount -= 8;
    token[length++] = (bits >> bitCount) & 0xff;
  }
  while (file[at] === padding) at++;
  let written = 0;
  for (at++; file[at] !== lineEnd; at++) {
    const digit = (file[at] ?? 0) - digitZero;
    if (!(digit >= 0 && digit <= 9)) throw unreadable(rank);
    written = written * 10 + digit;
  }
  if (written !== rank || length === 0) throw unreadable(rank);
  return { length, end: at + 1 };
}

function unreadable(rank: number): RangeError {
  return new RangeError(`Line ${rank + 1} of the vocabulary is not that of token ${rank}.`);
}

function hashOf(text: Uint16Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (text[at] as number), 0x01000193);
  return hash;
}

function firstSlot(hash: number): number {
  return (hash ^ (hash >>> 15)) & (slotCount - 1);
}
