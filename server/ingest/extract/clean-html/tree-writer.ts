import { type HtmlAttribute, HtmlElement, HtmlText } from '../html-tree.ts';
import { decode, leave, newline } from './characters.ts';
import {
  isButtonScope,
  isEscapableText,
  isFormatting,
  isImplied,
  isRawText,
  isSpecial,
  isTablePart,
  isVoid,
} from './element-traits.ts';
import { TagReader } from './tag-reader.ts';

const htmlNamespace = 'http://www.w3.org/1999/xhtml';
/** Deeper pages are broken or hostile. */
const depthMax = 400;

/** Builds the tree and closes elements whose end tag was omitted. */
export class TreeWriter extends TagReader {
  protected readonly document = new HtmlElement('#document', htmlNamespace, []);
  protected readonly stack: HtmlElement[] = [];
  /** Trait bits of the elements in `stack`. */
  protected readonly bits: number[] = [];
  protected current: HtmlElement = this.document;

  protected addText(text: string): void {
    const { children } = this.current;
    const last = children[children.length - 1];
    if (last instanceof HtmlText) last.value += text;
    else {
      const node = new HtmlText(text);
      node.parent = this.current;
      children.push(node);
    }
  }

  protected isCell(name: string): boolean {
    return name === 'td' || name === 'th' || name === 'caption';
  }

  protected isTableItself(): boolean {
    return ((this.bits[this.bits.length - 1] ?? 0) & isTablePart) !== 0 && !this.isCell(this.current.name);
  }

  /**
   * Closes cells, rows and sections until one of the named elements is current; elements left open in a cell must have
   * an optional end tag.
   */
  protected closeTo(...names: string[]): void {
    while (!names.includes(this.current.name)) {
      const bit = this.bits[this.bits.length - 1] ?? 0;
      if (this.stack.length <= 2) throw leave;
      const { name } = this.current;
      if ((bit & isImplied) === 0 && ((bit & isTablePart) === 0 || name === 'table')) throw leave;
      this.pop();
    }
  }

  /** Closes an open list item whose end tag was omitted. */
  protected closeItem(one: string, other: string): void {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const { name } = this.stack[i] as HtmlElement;
      if (name === one || name === other) return this.popTo(i);
      const bit = this.bits[i] ?? 0;
      if ((bit & isSpecial) !== 0 && name !== 'address' && name !== 'div' && name !== 'p') return;
    }
  }

  protected hasParagraph(): boolean {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      if ((this.stack[i] as HtmlElement).name === 'p') return true;
      if (((this.bits[i] ?? 0) & isButtonScope) !== 0) return false;
    }
    return false;
  }

  protected closeParagraph(): void {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      if ((this.stack[i] as HtmlElement).name === 'p') return this.popTo(i);
      if (((this.bits[i] ?? 0) & isButtonScope) !== 0) return;
    }
  }

  /**
   * Closes the element at `index` and all open inside it; throws `leave` for formatting, which would be reopened later.
   */
  protected popTo(index: number): void {
    while (this.stack.length > index) {
      if (((this.bits[this.bits.length - 1] ?? 0) & isFormatting) !== 0) throw leave;
      this.pop();
    }
  }

  protected closeLeftOpen(name: string): void {
    while (this.current.name !== name) {
      if (((this.bits[this.bits.length - 1] ?? 0) & isImplied) === 0) throw leave;
      this.pop();
    }
  }

  protected append(name: string, attributes: HtmlAttribute[]): HtmlElement {
    const element = new HtmlElement(name, htmlNamespace, attributes);
    element.parent = this.current;
    this.current.children.push(element);
    return element;
  }

  protected open(name: string, trait: number, attributes: HtmlAttribute[]): void {
    const element = this.append(name, attributes);
    if ((trait & isVoid) !== 0) return;
    if ((trait & (isRawText | isEscapableText)) !== 0) return this.readRawText(element, trait);
    if (this.stack.length >= depthMax) throw leave;
    this.stack.push(element);
    this.bits.push(trait);
    this.current = element;
  }

  protected pop(): void {
    this.stack.pop();
    this.bits.pop();
    this.current = this.stack[this.stack.length - 1] ?? this.document;
  }

  protected readRawText(element: HtmlElement, trait: number): void {
    const { source } = this;
    const pattern = endOf(element.name);
    pattern.lastIndex = this.at;
    const found = pattern.exec(source);
    if (found === null) throw leave;
    let text = source.slice(this.at, found.index);
    // A script with a nested script in a comment ends elsewhere.
    if (element.name === 'script' && text.includes('<!--') && /<script/i.test(text)) throw leave;
    this.at = found.index;
    this.readEndName();
    if (element.name === 'textarea' && text.charCodeAt(0) === newline) text = text.slice(1);
    if (text === '') return;
    const node = new HtmlText((trait & isEscapableText) !== 0 && text.includes('&') ? decode(text) : text);
    node.parent = element;
    element.children.push(node);
  }

  /** Returns true if this element is open inside the current cell or page. */
  protected isOpenInCell(name: string): boolean {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const element = this.stack[i] as HtmlElement;
      if (element.name === name) return true;
      if (this.isCell(element.name)) return false;
    }
    return false;
  }
}

const ends = new Map<string, RegExp>();

function endOf(name: string): RegExp {
  let pattern = ends.get(name);
  if (pattern === undefined) {
    pattern = new RegExp(`</${name}(?=[\\t\\n\\f />])`, 'gi');
    ends.set(name, pattern);
  }
  return pattern;
}
