const citation = /^\[(\d{1,3}(?:\s?,\s?\d{1,3}){0,9})\]/;
/** Text that may become a citation, or the space before one. */
const beginning = /(?: ?\[[\d,\s]{0,50}| )$/;

/**
 * Filters a model's text while it is streamed: citations keep only numbers that `isKnown`, each in separate brackets.
 * Numbers in code are unchanged. Text that may become a citation is held back.
 */
export class CitedText {
  readonly #isKnown: (number: number) => boolean;
  #held = '';
  #code = new CodeState();

  constructor(isKnown: (number: number) => boolean) {
    this.#isKnown = isKnown;
  }

  /** Returns the text that can be shown now. */
  push(delta: string): string {
    const text = this.#held + delta;
    const open = beginning.exec(text);
    this.#held = open === null ? '' : text.slice(open.index);
    return this.#checked(open === null ? text : text.slice(0, open.index));
  }

  /** Returns the rest, at the end. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return this.#checked(rest);
  }

  #checked(text: string): string {
    let shown = '';
    for (let at = 0; at < text.length; ) {
      const found = this.#code.isCode ? null : citation.exec(text.slice(at, at + 60));
      if (found === null) {
        const character = text.charAt(at);
        this.#code.take(character);
        shown += character;
        at += 1;
        continue;
      }
      const known = (found[1] ?? '').split(',').map(Number).filter(this.#isKnown);
      if (known.length === 0) shown = shown.replace(/ $/, '');
      shown += known.map((number) => `[${number}]`).join('');
      this.#code.take(']');
      at += found[0].length;
    }
    return shown;
  }
}

/** Tracks whether the next character of Markdown is in code: a fenced block, or between backticks on one line. */
class CodeState {
  #line = '';
  #fence: string | undefined;
  #ticks = 0;
  #open = 0;

  get isCode(): boolean {
    return this.#fence !== undefined || this.#open > 0;
  }

  take(character: string): void {
    if (character === '\n') return this.#endLine();
    this.#line += character;
    if (this.#fence !== undefined) return;
    if (character === '`') {
      this.#ticks += 1;
      return;
    }
    this.#endTicks();
  }

  #endTicks(): void {
    if (this.#ticks === 0) return;
    if (this.#open === 0) this.#open = this.#ticks;
    else if (this.#open === this.#ticks) this.#open = 0;
    this.#ticks = 0;
  }

  #endLine(): void {
    const mark = /^ {0,3}(?:> ?)*(`{3,}|~{3,})/.exec(this.#line)?.[1];
    if (this.#fence === undefined) this.#fence = mark;
    else if (mark?.startsWith(this.#fence)) this.#fence = undefined;
    this.#line = '';
    this.#ticks = 0;
    this.#open = 0;
  }
}
