import { decodeHTMLStrict } from 'entities';
import { HtmlElement, HtmlText } from '../../extract/html-tree.ts';
import { ParseError } from '../../parse/parse-error.ts';
import { readProlog, sections } from './prolog.ts';

const depthMax = 120;
const entityDepthMax = 12;
/** Maximum number of characters that entities may add to one document. */
const expandedMax = 2_000_000;
const tag =
  /<(\/?)(?:[\w.-]+:)?([\p{L}_][\p{L}\w.-]*)((?:\s+[^\s<>="'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*')){0,200})\s*(\/?)>/uy;
const attribute = /(?<![^\s<>="'/])([^\s<>="'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const reference = /&(#x?[\da-fA-F]{1,6}|[\p{L}_][\p{L}\w.:-]{0,100});/uy;
const anyReference = new RegExp(reference.source, 'gu');
const predefined = /^(?:lt|gt|amp|quot|apos|#.*)$/;
/** Elements that contain no text: an entity there is a file or part of the document. */
const textless = new Set('variablelist itemizedlist orderedlist procedure table tgroup thead tbody row'.split(' '));

/**
 * Parses XML to a tree without name prefixes. Entities declared in the file are replaced with their values; others
 * become their name within text and nothing between elements. Throws `ParseError` if the XML is not well-formed, is
 * nested deeper than `depthMax`, or its entities add more than `expandedMax` characters.
 */
export function readXml(text: string, url: string): HtmlElement {
  const prolog = readProlog(text);
  if (prolog === undefined) throw new ParseError('parse-failed', `${url} has no XML element.`);
  const reader = new XmlReader(prolog.declared, url);
  reader.read(text, prolog.end, 0);
  return reader.document;
}

class XmlReader {
  readonly document = new HtmlElement('#document', '', []);
  readonly #declared: ReadonlyMap<string, string>;
  readonly #url: string;
  #open = this.document;
  #depth = 0;
  #expanded = 0;
  readonly #openNames = new Map<string, number>();

  constructor(declared: ReadonlyMap<string, string>, url: string) {
    this.#declared = declared;
    this.#url = url;
  }

  read(text: string, from: number, entityDepth: number): void {
    const next = /[<&]/g;
    for (let at = from; at < text.length; ) {
      next.lastIndex = at;
      const mark = next.exec(text)?.index ?? text.length;
      this.#addText(text.slice(at, mark));
      if (mark === text.length) return;
      at = text[mark] === '&' ? this.#readReference(text, mark, entityDepth) : this.#readMarkup(text, mark);
    }
  }

  #readMarkup(text: string, at: number): number {
    if (text.startsWith('<!--', at)) return this.#endAfter('-->', text, at + 4);
    if (text.startsWith('<?', at)) return this.#endAfter('?>', text, at);
    if (text.startsWith('<![CDATA[', at)) {
      const end = this.#endAfter(']]>', text, at);
      this.#addText(text.slice(at + 9, end - 3));
      return end;
    }
    tag.lastIndex = at;
    const found = tag.exec(text);
    if (found === null) {
      if (/^<[\p{L}_/!]/u.test(text.slice(at, at + 2))) throw this.#failure(`is no well-formed XML at character ${at}`);
      this.#addText('<');
      return at + 1;
    }
    const [whole, slash, name = '', attributes = '', isEmpty] = found;
    if (slash === '/') this.#close(name);
    else this.#start(name, attributes, isEmpty === '/');
    return at + whole.length;
  }

  #start(name: string, written: string, isEmpty: boolean): void {
    const attributes = [...written.matchAll(attribute)].map(([, key = '', double, single]) => ({
      name: key.slice(key.lastIndexOf(':') + 1),
      value: this.#replaced(double ?? single ?? '', 0),
    }));
    const element = new HtmlElement(name, '', attributes);
    element.parent = this.#open;
    this.#open.children.push(element);
    if (isEmpty) return;
    if (++this.#depth > depthMax) throw this.#failure(`nests elements deeper than ${depthMax}`);
    this.#open = element;
    this.#openNames.set(name, (this.#openNames.get(name) ?? 0) + 1);
  }

  /** Returns an attribute's value with entities replaced. */
  #replaced(text: string, depth: number): string {
    if (!text.includes('&') || depth > entityDepthMax) return text;
    return text.replace(anyReference, (whole, name: string) => {
      const value = this.#valueOf(name);
      return value === undefined || predefined.test(name) ? (value ?? whole) : this.#replaced(value, depth + 1);
    });
  }

  #close(name: string): void {
    if ((this.#openNames.get(name) ?? 0) === 0) return;
    for (;;) {
      const closed = this.#open;
      this.#openNames.set(closed.name, (this.#openNames.get(closed.name) ?? 1) - 1);
      this.#open = closed.parent ?? this.document;
      this.#depth -= 1;
      if (closed.name === name) return;
    }
  }

  #readReference(text: string, at: number, entityDepth: number): number {
    reference.lastIndex = at;
    const [whole, name = ''] = reference.exec(text) ?? ['&'];
    const value = this.#valueOf(name);
    if (value === undefined) {
      const isPart = name !== '' && (sections.has(this.#open.name) || textless.has(this.#open.name));
      if (!isPart) this.#addText(name === '' ? '&' : name);
    } else if (/[<&]/.test(value) && !predefined.test(name)) {
      if (entityDepth >= entityDepthMax) throw this.#failure('has entities that refer to each other too deep');
      this.read(value, 0, entityDepth + 1);
    } else {
      this.#addText(value);
    }
    return at + whole.length;
  }

  #valueOf(name: string): string | undefined {
    const declared = predefined.test(name) ? undefined : this.#declared.get(name);
    if (declared !== undefined) {
      this.#expanded += declared.length + 1;
      if (this.#expanded > expandedMax) throw this.#failure('has entities that expand without bound');
      return declared;
    }
    const character = decodeHTMLStrict(`&${name};`);
    return character === `&${name};` ? undefined : character;
  }

  #addText(value: string): void {
    if (value === '') return;
    const last = this.#open.children.at(-1);
    if (last instanceof HtmlText) last.value += value;
    else {
      const node = new HtmlText(value);
      node.parent = this.#open;
      this.#open.children.push(node);
    }
  }

  #endAfter(mark: string, text: string, from: number): number {
    const at = text.indexOf(mark, from);
    if (at < 0) throw this.#failure(`is no well-formed XML: ${mark} is missing`);
    return at + mark.length;
  }

  #failure(what: string): ParseError {
    return new ParseError('parse-failed', `${this.#url} ${what}.`);
  }
}
