/** A text as its UTF-16 units: reading a unit costs the same however the engine stores the string. */
export interface TextUnits {
  text: string;
  /** Units of the text, followed by zeros, so that look-ahead needs no bounds check. */
  codes: Uint16Array;
  length: number;
}

/** How far look-ahead may read beyond the end of a text. */
const zerosAfter = 4;

/** A reusable buffer for the units of one text after another. */
export class UnitsBuffer {
  #codes = new Uint16Array(1 << 12);
  #bytes = Buffer.from(this.#codes.buffer);

  /** Returns the units of `text`; valid until the next call. */
  fill(text: string): TextUnits {
    const { length } = text;
    if (length + zerosAfter > this.#codes.length) {
      this.#codes = new Uint16Array(2 * (length + zerosAfter));
      this.#bytes = Buffer.from(this.#codes.buffer);
    }
    this.#bytes.write(text, 'utf16le');
    this.#codes.fill(0, length, length + zerosAfter);
    return { text, codes: this.#codes, length };
  }
}

/** Returns the units of a text in separate memory. */
export function unitsOf(text: string): TextUnits {
  const codes = new Uint16Array(text.length + zerosAfter);
  Buffer.from(codes.buffer).write(text, 'utf16le');
  return { text, codes, length: text.length };
}
