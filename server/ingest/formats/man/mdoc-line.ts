import { type Run, runsOf } from './runs.ts';

/** A macro's effect on the words after it: their font, and marks around them. */
interface Style {
  font: Run['font'];
  before?: string;
  after?: string;
  /** Text shown if nothing follows. */
  empty?: string;
}

const styles: Record<string, Style> = {
  Fl: { font: 'B', before: '-', empty: '-' },
  Ar: { font: 'I', empty: 'file ...' },
  Cm: { font: 'B' },
  Ic: { font: 'B' },
  Li: { font: 'B' },
  Sy: { font: 'B' },
  Dv: { font: 'R' },
  Ev: { font: 'R' },
  Er: { font: 'R' },
  Va: { font: 'I' },
  Vt: { font: 'I' },
  Fa: { font: 'I' },
  Ft: { font: 'I' },
  Fd: { font: 'B' },
  Pa: { font: 'I', empty: '~' },
  Em: { font: 'I' },
  No: { font: 'R' },
  Tn: { font: 'R' },
  An: { font: 'R' },
  Ad: { font: 'I' },
  Ms: { font: 'B' },
  Cd: { font: 'B' },
  Op: { font: 'R', before: '[', after: ']' },
  Sq: { font: 'R', before: '‘', after: '’' },
  Dq: { font: 'R', before: '“', after: '”' },
  Qq: { font: 'R', before: '"', after: '"' },
  Ql: { font: 'B' },
  Pq: { font: 'R', before: '(', after: ')' },
  Aq: { font: 'R', before: '<', after: '>' },
  Bq: { font: 'R', before: '[', after: ']' },
  Brq: { font: 'R', before: '{', after: '}' },
  In: { font: 'B', before: '<', after: '>' },
  Mt: { font: 'R' },
  Fn: { font: 'B' },
  Sx: { font: 'I' },
  Xr: { font: 'R' },
  Nm: { font: 'B' },
  Lk: { font: 'R' },
  St: { font: 'R' },
  Lb: { font: 'R' },
};
/** Marks that may open and close on different lines. */
const brackets: Record<string, string> = {
  Oo: '[',
  Oc: ']',
  Po: '(',
  Pc: ')',
  Bo: '[',
  Bc: ']',
  Bro: '{',
  Brc: '}',
  Ao: '<',
  Ac: '>',
  So: '‘',
  Sc: '’',
  Do: '“',
  Dc: '”',
  Qo: '"',
  Qc: '"',
};
const systems: Record<string, string> = {
  Bx: 'BSD',
  Fx: 'FreeBSD',
  Nx: 'NetBSD',
  Ox: 'OpenBSD',
  Dx: 'DragonFly',
  Ux: 'UNIX',
  At: 'AT&T UNIX',
  Bsx: 'BSD/OS',
};

/** Reads lines with `mdoc` macros, which may contain further macros. */
export class MdocLine {
  /** The page's subject, given once and then used for an empty `Nm`. */
  name = '';
  private readonly strings: Map<string, string>;

  constructor(strings: Map<string, string>) {
    this.strings = strings;
  }

  /** Returns true if a word is a macro that may occur within a line. */
  static isMacro(word: string): boolean {
    return (
      isOneOf(styles, word) ||
      isOneOf(brackets, word) ||
      isOneOf(systems, word) ||
      /^(?:Ns|Ap|Pf|Xo|Xc|Eo|Ec|Ta)$/.test(word)
    );
  }

  /**
   * Returns the runs of a line that starts with `macro`; words are separated by spaces unless punctuation or macros
   * prevent it.
   */
  read(macro: string, args: readonly string[]): Run[] {
    const out = new Words(this.strings);
    const words = [macro, ...args];
    let style: Style = { font: 'R' };
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as string;
      if (at > 0 && !MdocLine.isMacro(word)) {
        // Punctuation at the end of a line is outside of what it encloses.
        if (endMark.test(word) && words.slice(at).every((rest) => endMark.test(rest))) out.close();
        out.put(style.before !== undefined && style.font === 'B' ? style.before + word : word, style.font);
      } else if (isOneOf(styles, word) && !specials.has(word)) style = this.styled(word, words, at, out);
      else {
        if (word === 'Ns' || word === 'Ap') style = { font: 'R' };
        at = special(word, words, at, out);
      }
    }
    out.close();
    return out.runs;
  }

  /** Applies a style; marks that it opens are closed at the end of the line. */
  private styled(word: string, words: readonly string[], at: number, out: Words): Style {
    const style = styles[word] as Style;
    const next = words[at + 1];
    const hasWords = next !== undefined && !(MdocLine.isMacro(next) && word !== 'Op') && !/^[.,:;)\]]$/.test(next);
    if (word === 'Nm' && !hasWords) out.put(this.name, 'B');
    else if (style.after !== undefined) {
      out.put(style.before as string, 'R');
      out.isTight = true;
      out.open.push(style.after);
    } else if (!hasWords) {
      if (style.empty !== undefined) out.put(style.empty, style.font);
      // `Fl Fl long` is a long option.
      if (word === 'Fl') out.isTight = next !== undefined && MdocLine.isMacro(next) && next !== 'Ar';
    } else if (word === 'Nm' && this.name === '') this.name = next;
    return style;
  }
}

function isOneOf(names: object, word: string): boolean {
  return Object.hasOwn(names, word);
}

const specials = new Set(['Xr', 'Fn', 'Lk']);
const endMark = /^[.,:;?!)\]]$/;

/** The words so far; punctuation is attached to its word. */
class Words {
  readonly runs: Run[] = [];
  /** Closing marks for marks opened on this line. */
  readonly open: string[] = [];
  /** True if the next word follows without a space. */
  isTight = true;
  private readonly strings: Map<string, string>;

  constructor(strings: Map<string, string>) {
    this.strings = strings;
  }

  put(text: string, font: Run['font']): void {
    if (text === '') return;
    const isClosing = /^[.,:;)\]?!]$/.test(text);
    if (!this.isTight && !isClosing) this.runs.push({ text: ' ', font: 'R' });
    this.runs.push(...runsOf(text, isClosing || /^[([]$/.test(text) ? 'R' : font, this.strings).runs);
    this.isTight = /^[([]$/.test(text);
  }

  close(): void {
    for (let mark = this.open.pop(); mark !== undefined; mark = this.open.pop()) {
      this.isTight = true;
      this.put(mark, 'R');
    }
  }
}

/** Handles macros that add words or marks; returns the index of the last word they use. */
function special(word: string, words: readonly string[], at: number, out: Words): number {
  const next = words[at + 1] ?? '';
  if (isOneOf(brackets, word)) {
    const isClosing = word.endsWith('c');
    if (isClosing) out.isTight = true;
    out.put(brackets[word] as string, 'R');
    out.isTight = !isClosing;
    return at;
  }
  if (isOneOf(systems, word)) {
    const hasVersion = /^[\d.]/.test(next);
    out.put(hasVersion ? `${systems[word]} ${next}` : (systems[word] as string), 'R');
    return hasVersion ? at + 1 : at;
  }
  switch (word) {
    case 'Ns':
    case 'Ap':
      out.isTight = true;
      if (word === 'Ap') out.put("'", 'R');
      out.isTight = true;
      return at;
    case 'Pf':
      out.put(next, 'R');
      out.isTight = true;
      return at + 1;
    case 'Ta':
      out.put('\t', 'R');
      return at;
    case 'Lk':
      out.put(`<${next}>`, 'R');
      return at + 1;
    case 'Xr': {
      const section = words[at + 2] ?? '';
      const isSection = /^\d\w*$/.test(section);
      out.put(isSection ? `${next}(${section})` : next, 'R');
      return at + (isSection ? 2 : 1);
    }
    case 'Fn': {
      let end = at + 2;
      while (end < words.length && !MdocLine.isMacro(words[end] as string) && !endMark.test(words[end] as string))
        end++;
      out.put(`${next}(${words.slice(at + 2, end).join(', ')})`, 'B');
      return end - 1;
    }
    default:
      return at;
  }
}
