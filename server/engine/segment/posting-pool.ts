import { GrowingUint32 } from './growing-array.ts';

const chunkBits = 16;
const chunkBytes = 1 << chunkBits;
const linkBytes = 4;
const firstSliceBytes = 8;
const sliceBytesMax = 2048;

/**
 * Many byte lists that grow side by side in one arena. Each list is a chain of slices, each twice as long as the
 * previous one; a full slice ends with the address of the next. A list with one posting takes 8 bytes, a long list 1.1
 * times its length; an array per list would take 100 bytes or more each.
 */
export class PostingPool {
  readonly #chunks: Uint8Array[] = [];
  #used = chunkBytes;
  readonly #heads = new GrowingUint32();
  readonly #tails = new GrowingUint32();
  readonly #sliceEnds = new GrowingUint32();
  readonly #sliceSizes = new GrowingUint32();

  /** Appends one byte to a list. Lists are numbered from 0 and created by their first byte. */
  byte(list: number, value: number): void {
    let at = this.#tails.get(list);
    if (this.#sliceSizes.get(list) === 0) at = this.#begin(list);
    else if (at === this.#sliceEnds.get(list)) at = this.#extend(list, at);
    (this.#chunks[at >>> chunkBits] as Uint8Array)[at & (chunkBytes - 1)] = value;
    this.#tails.set(list, at + 1);
  }

  varint(list: number, value: number): void {
    let rest = value;
    while (rest > 127) {
      this.byte(list, (rest & 127) | 128);
      rest >>>= 7;
    }
    this.byte(list, rest);
  }

  read(list: number): Uint8Array {
    if (this.#sliceSizes.get(list) === 0) return new Uint8Array(0);
    const tail = this.#tails.get(list);
    const parts: Uint8Array[] = [];
    let start = this.#heads.get(list);
    for (let size = firstSliceBytes; ; size = Math.min(size * 2, sliceBytesMax)) {
      const chunk = this.#chunks[start >>> chunkBits] as Uint8Array;
      const offset = start & (chunkBytes - 1);
      const dataEnd = start + size - linkBytes;
      if (tail >= start && tail <= dataEnd) {
        parts.push(chunk.subarray(offset, offset + tail - start));
        return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
      }
      parts.push(chunk.subarray(offset, offset + size - linkBytes));
      start = new DataView(chunk.buffer).getUint32(offset + size - linkBytes, true);
    }
  }

  #begin(list: number): number {
    const address = this.#allocate(firstSliceBytes);
    this.#heads.set(list, address);
    this.#sliceSizes.set(list, firstSliceBytes);
    this.#sliceEnds.set(list, address + firstSliceBytes - linkBytes);
    return address;
  }

  #extend(list: number, end: number): number {
    const size = Math.min(this.#sliceSizes.get(list) * 2, sliceBytesMax);
    const address = this.#allocate(size);
    const chunk = this.#chunks[end >>> chunkBits] as Uint8Array;
    new DataView(chunk.buffer).setUint32(end & (chunkBytes - 1), address, true);
    this.#sliceSizes.set(list, size);
    this.#sliceEnds.set(list, address + size - linkBytes);
    return address;
  }

  #allocate(size: number): number {
    if (this.#used + size > chunkBytes) {
      this.#chunks.push(new Uint8Array(chunkBytes));
      this.#used = 0;
    }
    const address = ((this.#chunks.length - 1) << chunkBits) + this.#used;
    this.#used += size;
    return address >>> 0;
  }
}
