const firstChunkBytes = 1 << 10;
const chunkBytesMax = 1 << 18;

/** Appends bytes and variable-length integers to a list of chunks; never copies earlier chunks. */
export class ByteWriter {
  readonly #full: Uint8Array[] = [];
  #chunk = new Uint8Array(firstChunkBytes);
  #used = 0;
  #fullBytes = 0;

  get byteLength(): number {
    return this.#fullBytes + this.#used;
  }

  byte(value: number): void {
    if (this.#used === this.#chunk.length) this.#close();
    this.#chunk[this.#used] = value;
    this.#used += 1;
  }

  /** Writes an integer below 2^32 in seven-bit groups, lowest bits first. */
  varint(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.byte((rest & 127) | 128);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  bytes(source: Uint8Array): void {
    let at = 0;
    while (at < source.length) {
      if (this.#used === this.#chunk.length) this.#close();
      const count = Math.min(source.length - at, this.#chunk.length - this.#used);
      this.#chunk.set(source.subarray(at, at + count), this.#used);
      this.#used += count;
      at += count;
    }
  }

  /** Returns all chunks in order. The writer must not be used afterwards. */
  finish(): Uint8Array[] {
    this.#full.push(this.#chunk.subarray(0, this.#used));
    return this.#full;
  }

  #close(): void {
    this.#full.push(this.#chunk);
    this.#fullBytes += this.#used;
    this.#chunk = new Uint8Array(Math.min(chunkBytesMax, this.#chunk.length * 2));
    this.#used = 0;
  }
}
