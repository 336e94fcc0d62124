/** Text in one font: roman, bold or italic. */
export interface Run {
  text: string;
  font: 'R' | 'B' | 'I';
}

/** Strings defined by the page (`.ds name text`). */
export type Strings = ReadonlyMap<string, string>;

/** Maximum number of inserted strings, because strings may contain each other. */
const stringsMax = 200;
const lineCharsMax = 100_000;

/**
 * Converts a line's escapes to characters and its font changes to runs. Ignores movement, measurements and colours. The
 * returned font continues on the next line.
 */
export function runsOf(source: string, start: Run['font'], strings: Strings): { runs: Run[]; font: Run['font'] } {
  return new EscapeReader(source.slice(0, lineCharsMax), start, strings).read();
}

export function plainOf(runs: readonly Run[]): string {
  return runs.map((run) => run.text).join('');
}

/** Converts runs to inline Markdown; adjacent runs in one font share their marks. */
export function markdownOf(runs: readonly Run[]): string {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last && (last.font === run.font || run.text.trim() === '')) last.text += run.text;
    else if (run.text !== '') joined.push({ ...run });
  }
  return joined.map(({ text, font }) => marked(text, font)).join('');
}

function marked(text: string, font: Run['font']): string {
  const escaped = text.replace(/[*`]/g, '\\$&');
  if (font === 'R' || text.trim() === '') return escaped;
  const mark = font === 'B' ? '**' : '*';
  // Marks must touch the words, so white space stays outside.
  const [, before = '', inside = '', after = ''] = /^(\s*)([\s\S]*?)((?<!\s)\s+)?$/.exec(escaped) ?? [];
  return before + mark + inside.replace(/\n/g, ' ') + mark + after;
}

class EscapeReader {
  private readonly runs: Run[] = [];
  private text = '';
  private font: Run['font'];
  private before: Run['font'] = 'R';
  private at = 0;
  private inserted = 0;
  private source: string;
  private readonly strings: Strings;

  constructor(source: string, font: Run['font'], strings: Strings) {
    this.source = source;
    this.font = font;
    this.strings = strings;
  }

  read(): { runs: Run[]; font: Run['font'] } {
    for (;;) {
      const next = this.source.indexOf('\\', this.at);
      if (next < 0) break;
      this.text += this.source.slice(this.at, next);
      this.at = next + 1;
      if (!this.escape()) break;
    }
    if (this.at < this.source.length) this.text += this.source.slice(this.at);
    this.flush();
    return { runs: this.runs, font: this.font };
  }

  /** Reads one escape; returns false if the rest of the line is a comment. */
  private escape(): boolean {
    const char = this.source[this.at++] ?? '';
    switch (char) {
      case '"':
      case '#':
        this.at = this.source.length;
        return false;
      case 'f':
        this.setFont(this.name());
        return true;
      case '(':
      case '[':
        this.at--;
        this.text += character(this.name());
        return true;
      case '*':
        this.insert(this.name());
        return true;
      case 'h':
        // A move to the right separates a marker from its text.
        this.text += this.argument().startsWith('-') ? '' : ' ';
        return true;
      case 'N':
        this.text += String.fromCodePoint(Math.min(Number.parseInt(this.argument(), 10) || 32, 0x10ffff));
        return true;
      case 's':
        if (/[+-]/.test(this.source[this.at] ?? '')) this.at++;
        this.name();
        if (/^\d$/.test(this.source[this.at] ?? '') && /[1-3]/.test(this.source[this.at - 1] ?? '')) this.at++;
        return true;
      default:
        this.otherEscape(char);
        return true;
    }
  }

  private otherEscape(char: string): void {
    if (namedEscapes.has(char)) {
      if (/[+-]/.test(this.source[this.at] ?? '')) this.at++;
      this.name();
    } else if (measuredEscapes.has(char)) this.argument();
    else this.text += single[char] ?? (silentEscapes.has(char) ? '' : char);
  }

  /** Reads a name: one character, two after `(`, or any number in brackets. */
  private name(): string {
    const { source, at } = this;
    if (source[at] === '(') {
      this.at += 3;
      return source.slice(at + 1, at + 3);
    }
    if (source[at] === '[') {
      const close = source.slice(at, at + 100).indexOf(']');
      this.at += close < 0 ? 1 : close + 1;
      return close < 0 ? '' : source.slice(at + 1, at + close);
    }
    this.at++;
    return source[at] ?? '';
  }

  /** Reads an argument between two equal delimiters, or in brackets. */
  private argument(): string {
    const open = this.source[this.at] ?? '';
    const close = this.source.slice(this.at + 1, this.at + 200).indexOf(open === '[' ? ']' : open);
    if (close < 0) return '';
    const argument = this.source.slice(this.at + 1, this.at + 1 + close);
    this.at += close + 2;
    return argument;
  }

  private insert(name: string): void {
    const value = this.strings.get(name);
    if (value === undefined || value === '' || ++this.inserted > stringsMax) return;
    this.source = value.slice(0, 500) + this.source.slice(this.at);
    this.at = 0;
  }

  private setFont(name: string): void {
    const previous = this.font;
    const next = name === 'P' || name === '' ? this.before : fontOf(name);
    this.flush();
    this.before = previous;
    this.font = next;
  }

  private flush(): void {
    if (this.text !== '') this.runs.push({ text: this.text, font: this.font });
    this.text = '';
  }
}

/** Escapes followed by the name of a register, colour or font. */
const namedEscapes = new Set('nkmMFgYV');
/** Escapes followed by a delimited argument: moves, widths, drawings. */
const measuredEscapes = new Set('vwXobDlLxHSAC');
/** Escapes that print nothing. */
const silentEscapes = new Set(['', ...'z&|^%:/,c{}pudra!?)']);
const single: Record<string, string> = {
  '-': '-',
  e: '\\',
  ' ': ' ',
  '~': ' ',
  '0': ' ',
  t: '\t',
  '\\': '\\',
  "'": '´',
  '`': '`',
  '.': '.',
  E: '\\',
};

/** Returns a font. Typewriter fonts count as roman, because text set in them is already code or bold. */
export function fontOf(name: string): Run['font'] {
  if (/^(?:B|3|4|BI|CB|CBI|C[WR]?B)$/.test(name)) return 'B';
  return name === 'I' || name === '2' || name === 'CI' ? 'I' : 'R';
}

function character(name: string): string {
  const code = /^u([0-9A-Fa-f]{4,6})$/.exec(name)?.[1];
  if (code === undefined) return characters.get(name) ?? (name.length === 1 ? name : '');
  const point = Number.parseInt(code, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : '';
}

/** Named roff characters that pages use; all others are dropped. */
const characters: ReadonlyMap<string, string> = new Map(
  (
    'bu • em — en – hy - mi − dq " aq \' cq ’ oq ‘ lq “ rq ” Bq „ bq ‚ fo ‹ fc › Fo « Fc » ha ^ ti ~ ga ` aa ´ at @ rs \\ sl / ' +
    'lB [ rB ] lC { rC } la ⟨ ra ⟩ or | ba | br │ ul _ rn ‾ sh # Do $ co © rg ® tm ™ de ° mu × di ÷ +- ± t+- ± ** ∗ pl + eq = ' +
    '-> → <- ← <> ↔ ua ↑ da ↓ rA ⇒ lA ⇐ >= ≥ <= ≤ != ≠ == ≡ ~~ ≈ ap ∼ no ¬ tno ¬ if ∞ sc § ps ¶ dg † dd ‡ ct ¢ Eu € eu € Po £ Ye ¥ ' +
    '12 ½ 14 ¼ 34 ¾ S1 ¹ S2 ² S3 ³ *a α *b β *g γ *d δ *e ε *l λ *m μ *p π *s σ *h θ *w ω *D Δ *S Σ *W Ω mc µ ss ß ae æ AE Æ ' +
    "o/ ø O/ Ø oa å oA Å 'a á 'e é 'i í 'o ó 'u ú 'A Á 'E É :a ä :e ë :i ï :o ö :u ü :A Ä :O Ö :U Ü `a à `e è `o ò `u ù ^a â " +
    '^e ê ^i î ^o ô ^u û ~n ñ ~a ã ~o õ ,c ç ,C Ç r! ¡ r? ¿ ci ○ sq □ OK ✓ lh ☜ rh ☞ CR ↵ fm ′ sd ″ tf ∴ mo ∈ es ∅ sr √ pd ∂ gr ∇ is ∫'
  )
    .split(' ')
    .reduce<[string, string][]>((pairs, word, at, all) => {
      if (at % 2 === 0) pairs.push([word, all[at + 1] as string]);
      return pairs;
    }, []),
);
