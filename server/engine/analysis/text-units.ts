/** A text as its UTF-16 units, so that reading one costs the same however the string is stored. */
export interface TextUnits {
  text: string;
  /** Units of the text, then zeros: what looks ahead need not ask where the text ends. */
  codes: Uint16Array;
  length: number;
}

/** How far beyond the end of a text may be looked. */
const zerosAfter = 4;

/** Room for the units of one text after another. */
export class UnitsBuffer {
  #codes = new Uint16Array(1 << 12);
  #bytes = Buffer.from(this.#codes.buffer);

  /** The units of `text`; valid until the next call. */
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

/** The units of a text, in memory of their own. */
export function unitsOf(text: string): TextUnits {
  const codes = new Uint16Array(text.length + zerosAfter);
  Buffer.from(codes.buffer).write(text, 'utf16le');
  return { text, codes, length: text.length };
}
