import { foreignContent, type Token } from 'parse5';
import { type HtmlAttribute, HtmlElement } from '../html-tree.ts';
import { bang, decode, isBlank, isLetter, leave, lessThan, newline, question, slash } from './characters.ts';
import { isBlock, isHeading, isImplied, isOther, isSpecial, isTablePart, isVoid, traits } from './element-traits.ts';
import { TreeWriter } from './tree-writer.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';
/** SVG elements without special parsing rules. */
const drawn = new Set(
  'svg g path circle rect line polyline polygon ellipse defs use symbol text tspan lineargradient radialgradient stop clippath mask'.split(
    ' ',
  ),
);
/** SVG names with capitals, which the standard restores after lower-casing. */
const svgNames = new Map([
  ['lineargradient', 'linearGradient'],
  ['radialgradient', 'radialGradient'],
  ['clippath', 'clipPath'],
]);

/**
 * Parses a page with well-formed tags several times faster than the full parser. Returns undefined for pages with rare
 * constructs or that need the standard's error recovery. Otherwise the tree equals the full parser's: the two are
 * compared over whole sites and over randomly broken pages.
 */
export function parseCleanHtml(source: string): HtmlElement | undefined {
  if (source.includes('\0')) return undefined;
  const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
  try {
    return new CleanPage(text).read();
  } catch (fault) {
    if (fault === leave) return undefined;
    throw fault;
  }
}

class CleanPage extends TreeWriter {
  private hasBodyEnded = false;
  /** True while a form is open. */
  private isInForm = false;

  read(): HtmlElement {
    this.readFrame();
    this.readBody();
    return this.document;
  }

  /** Reads everything from the doctype to the `body` tag. */
  private readFrame(): void {
    if (this.source.charCodeAt(0) === 0xfeff) this.at = 1;
    this.skipSpaceAndComments();
    if (/^<!doctype html/i.test(this.source.slice(this.at, this.at + 14))) this.skipPast('>');
    this.skipSpaceAndComments();
    this.expectStart('html');
    this.skipSpaceAndComments();
    this.expectStart('head');
    for (;;) {
      this.readText();
      const next = this.source.charCodeAt(this.at + 1);
      if (next === slash) {
        if (this.readEndName() !== 'head') throw leave;
        break;
      }
      if (next === bang || next === question) this.skipComment();
      else this.readHeadElement();
    }
    this.pop();
    // Between `head` and `body`, white space is kept.
    for (;;) {
      this.readText();
      const next = this.source.charCodeAt(this.at + 1);
      if (next !== bang && next !== question) break;
      this.skipComment();
    }
    this.expectStart('body');
  }

  private readHeadElement(): void {
    const name = this.readStartName();
    const trait = traits.get(name) ?? 0;
    const isOfHead =
      name === 'meta' ||
      name === 'link' ||
      name === 'base' ||
      name === 'title' ||
      name === 'style' ||
      name === 'script';
    if (!isOfHead && name !== 'noscript') throw leave;
    this.open(name, trait, this.readAttributes());
  }

  private expectStart(name: string): void {
    if (this.source.charCodeAt(this.at) !== lessThan || this.readStartName() !== name) throw leave;
    this.open(name, traits.get(name) ?? 0, this.readAttributes());
  }

  private readBody(): void {
    const { source } = this;
    const end = source.length;
    while (this.at < end) {
      if (source.charCodeAt(this.at) !== lessThan) {
        this.readText();
        continue;
      }
      const next = source.charCodeAt(this.at + 1);
      if (isLetter(next)) {
        if (this.hasBodyEnded) throw leave;
        this.startTag();
      } else if (next === slash) this.endTag();
      else if (next === bang || next === question) this.skipComment();
      else {
        // A `<` that starts no tag is text.
        if (!this.mayHoldText()) throw leave;
        this.isNewlineDropped = false;
        this.addText('<');
        this.at += 1;
      }
    }
  }

  /** Reads text up to the next tag; throws `leave` for text where only white space may occur. */
  private readText(): void {
    const { source } = this;
    const from = this.at;
    let to = source.indexOf('<', from);
    if (to < 0) to = source.length;
    this.at = to;
    if (to === source.length && this.current !== this.document && !this.isInBody()) throw leave;
    if (to === from) {
      return;
    }
    let text = source.slice(from, to);
    if (this.isNewlineDropped) {
      this.isNewlineDropped = false;
      if (text.charCodeAt(0) === newline) text = text.slice(1);
      if (text === '') return;
    }
    if (!this.mayHoldText() && !isBlank(text)) throw leave;
    this.addText(text.includes('&') ? decode(text) : text);
  }

  private isInBody(): boolean {
    return this.stack.length > 1 && this.stack[1]?.name === 'body';
  }

  private mayHoldText(): boolean {
    if (this.hasBodyEnded) return false;
    const { name } = this.current;
    if (name === 'html' || name === 'head') return false;
    const bit = this.bits[this.bits.length - 1] ?? 0;
    return (bit & isTablePart) === 0 || name === 'td' || name === 'th' || name === 'caption';
  }

  private startTag(): void {
    const name = this.readStartName();
    const trait = traits.get(name) ?? 0;
    if ((trait & isOther) !== 0) throw leave;
    if (name === 'svg') return this.readSvg();
    if (name === 'select') return this.readSelect();
    const attributes = this.readAttributes();
    this.isNewlineDropped = false;
    if ((trait & isTablePart) !== 0) return this.startTablePart(name, trait, attributes);
    const inTable = ((this.bits[this.bits.length - 1] ?? 0) & isTablePart) !== 0 && !this.isCell(this.current.name);
    if (inTable) throw leave;
    switch (name) {
      case 'html':
      case 'head':
      case 'body':
        throw leave;
      case 'li':
        this.closeItem('li', 'li');
        this.closeParagraph();
        break;
      case 'dd':
      case 'dt':
        this.closeItem('dd', 'dt');
        this.closeParagraph();
        break;
      case 'p':
      case 'hr':
      case 'xmp':
        this.closeParagraph();
        break;
      case 'form':
        if (this.isInForm) throw leave;
        this.isInForm = true;
        this.closeParagraph();
        break;
      case 'a':
        if (this.isOpenInCell('a')) throw leave;
        break;
      case 'button':
        if (this.stack.some((element) => element.name === 'button')) throw leave;
        break;
      default:
        if ((trait & isBlock) !== 0) this.closeParagraph();
        if ((trait & isHeading) !== 0) {
          this.closeParagraph();
          if (((this.bits[this.bits.length - 1] ?? 0) & isHeading) !== 0) throw leave;
        }
    }
    this.open(name, trait, attributes);
    if (name === 'pre') this.isNewlineDropped = true;
  }

  /**
   * Reads an `svg` with its content. Throws `leave` for missing tags and where other rules apply inside (HTML text,
   * names with colons, elements that end the SVG).
   */
  private readSvg(): void {
    if (this.isTableItself()) throw leave;
    this.isNewlineDropped = false;
    const outer = this.current;
    this.openDrawn('svg');
    while (this.current !== outer) {
      const next = this.readInnerText();
      if (next === bang) this.skipComment();
      else if (next === slash) {
        const name = this.readEndName();
        if (this.current.name.toLowerCase() !== name) throw leave;
        this.current = this.current.parent as HtmlElement;
      } else this.openDrawn(this.readStartName());
    }
  }

  /** Reads a `select` with its options, grouped or not. */
  private readSelect(): void {
    if (this.isTableItself()) throw leave;
    this.isNewlineDropped = false;
    const outer = this.current;
    const select = this.append('select', this.readAttributes());
    this.current = select;
    for (;;) {
      const next = this.readInnerText();
      if (next === bang) this.skipComment();
      else if (next === slash) {
        const name = this.readEndName();
        if (this.current.name === 'option' && name !== 'option') this.current = this.current.parent as HtmlElement;
        if (this.current.name === 'optgroup' && name === 'select') this.current = select;
        if (this.current.name !== name) throw leave;
        this.current = this.current.parent as HtmlElement;
        if (name === 'select') break;
      } else {
        const name = this.readStartName();
        if (name !== 'option' && name !== 'optgroup') throw leave;
        if (this.current.name === 'option') this.current = this.current.parent as HtmlElement;
        if (this.current.name === 'optgroup' && name === 'optgroup') this.current = select;
        this.current = this.append(name, this.readAttributes());
      }
    }
    this.current = outer;
  }

  /** Reads text inside an `svg` or `select`; returns the character code after the next `<`. */
  private readInnerText(): number {
    const from = this.at;
    const to = this.source.indexOf('<', from);
    if (to < 0) throw leave;
    const text = this.source.slice(from, to);
    if (text !== '') this.addText(text.includes('&') ? decode(text) : text);
    this.at = to;
    return this.source.charCodeAt(to + 1);
  }

  /** Opens an SVG element, which may be self-closing. */
  private openDrawn(name: string): void {
    if (!drawn.has(name)) throw leave;
    const attributes = this.readAttributes();
    // A slash at the end of an unquoted value belongs to the value and closes nothing.
    if (attributes.at(-1)?.value.endsWith('/') || attributes.some((one) => one.name.includes(':'))) throw leave;
    const isClosed = this.source.charCodeAt(this.at - 2) === slash;
    foreignContent.adjustTokenSVGAttrs({ attrs: attributes } as Token.TagToken);
    const element = new HtmlElement(svgNames.get(name) ?? name, svgNamespace, attributes);
    element.parent = this.current;
    this.current.children.push(element);
    if (!isClosed) this.current = element;
  }

  private startTablePart(name: string, trait: number, attributes: HtmlAttribute[]): void {
    switch (name) {
      case 'table':
        if (this.isTableItself()) throw leave;
        this.closeParagraph();
        break;
      case 'caption':
        this.closeTo('table');
        break;
      case 'colgroup':
        this.closeTo('table');
        break;
      case 'col':
        if (this.current.name !== 'colgroup') {
          this.closeTo('table');
          this.open('colgroup', traits.get('colgroup') ?? 0, []);
        }
        this.append(name, attributes);
        return;
      case 'thead':
      case 'tbody':
      case 'tfoot':
        this.closeTo('table');
        break;
      case 'tr':
        this.closeTo('table', 'thead', 'tbody', 'tfoot');
        if (this.current.name === 'table') this.open('tbody', traits.get('tbody') ?? 0, []);
        break;
      default:
        // td, th
        this.closeTo('table', 'thead', 'tbody', 'tfoot', 'tr');
        if (this.current.name === 'table') this.open('tbody', traits.get('tbody') ?? 0, []);
        if (this.current.name !== 'tr') this.open('tr', traits.get('tr') ?? 0, []);
    }
    this.open(name, trait, attributes);
  }

  private endTag(): void {
    const name = this.readEndName();
    this.isNewlineDropped = false;
    const trait = traits.get(name) ?? 0;
    if (this.hasBodyEnded) {
      if (name !== 'html') throw leave;
      return;
    }
    if ((trait & isOther) !== 0 || (trait & isVoid) !== 0) throw leave;
    if (name === 'body') {
      if (this.current.name !== 'body') throw leave;
      this.hasBodyEnded = true;
      return;
    }
    if (name === 'form') this.isInForm = false;
    if (this.current.name === name) {
      if (name === 'html' || name === 'head') throw leave;
      this.pop();
      return;
    }
    if ((trait & isTablePart) !== 0) return this.endTablePart(name);
    if (name === 'p' && !this.hasParagraph()) {
      // A lone `</p>` creates an empty paragraph.
      if (this.isTableItself()) throw leave;
      this.append('p', []);
      return;
    }
    // For elements without special rules, an end tag may only close the current element.
    if ((trait & (isSpecial | isHeading)) === 0 || name === 'html' || name === 'head' || this.isTableItself())
      throw leave;
    // Only elements with an optional end tag may be closed implicitly; anything else needs error recovery.
    for (let i = this.stack.length - 1; i > 1; i--) {
      const element = this.stack[i] as HtmlElement;
      if (element.name === name) return this.popTo(i);
      if (((this.bits[i] ?? 0) & isImplied) === 0 || name === 'p') throw leave;
    }
    throw leave;
  }

  private endTablePart(name: string): void {
    if (name === 'table') {
      this.closeTo('table');
      return this.pop();
    }
    if (name === 'td' || name === 'th' || name === 'caption') this.closeLeftOpen(name);
    else if (name === 'tr') this.closeTo('tr');
    else if (name === 'colgroup') throw leave;
    else this.closeTo(name);
    if (this.current.name !== name) throw leave;
    this.pop();
  }
}
