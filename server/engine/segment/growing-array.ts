/** An array of 32-bit integers that doubles when full; reads past the end give 0. */
export class GrowingUint32 {
  #values = new Uint32Array(1024);
  length = 0;

  get(index: number): number {
    return index < this.length ? (this.#values[index] as number) : 0;
  }

  set(index: number, value: number): void {
    if (index >= this.#values.length) {
      const grown = new Uint32Array(Math.max(index + 1, this.#values.length * 2));
      grown.set(this.#values);
      this.#values = grown;
    }
    if (index >= this.length) this.length = index + 1;
    this.#values[index] = value;
  }

  push(value: number): void {
    this.set(this.length, value);
  }

  /** Returns the values without copying; valid until the next write. */
  view(length = this.length): Uint32Array {
    if (length > this.#values.length) this.set(length - 1, 0);
    return this.#values.subarray(0, length);
  }
}
