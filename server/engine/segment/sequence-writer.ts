import { ByteWriter } from './byte-writer.ts';
import { snippetFieldCount } from './fields.ts';
import { GrowingUint32 } from './growing-array.ts';

const codeField = snippetFieldCount - 1;
const bodyField = codeField - 1;

/**
 * Stores the terms of snippets in reading order as integers of seven-bit groups: 0 goes on to the next field, 1 enters or
 * leaves a listing, 2 + 2 × term is a term one place further, 3 + 2 × term one at the same place. `eachStoredTerm` reads
 * them.
 */
export class SequenceWriter {
  readonly #bytes = new ByteWriter();
  readonly #starts = new GrowingUint32();
  #field = 0;
  #isInCode = false;

  begin(): void {
    this.#starts.push(this.#bytes.byteLength);
    this.#field = 0;
    this.#isInCode = false;
  }

  /** Fields come in ascending order, but for body and code, which take turns. */
  add(field: number, term: number, advance: 0 | 1): void {
    this.#goTo(Math.min(field, bodyField));
    if (this.#isInCode !== (field === codeField)) {
      this.#bytes.varint(1);
      this.#isInCode = !this.#isInCode;
    }
    this.#bytes.varint(3 + term * 2 - advance);
  }

  finish(): { chunks: Uint8Array[]; starts: Uint32Array } {
    this.#starts.push(this.#bytes.byteLength);
    return { chunks: this.#bytes.finish(), starts: this.#starts.view() };
  }

  #goTo(field: number): void {
    for (; this.#field < field; this.#field += 1) this.#bytes.varint(0);
  }
}
