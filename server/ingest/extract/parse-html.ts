import { html, type ParserOptions, parse, type Token, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5';
import { parseCleanHtml } from './clean-html/parse-clean-html.ts';
import { HtmlElement, type HtmlNode, HtmlText } from './html-tree.ts';

type LeanMap = TreeAdapterTypeMap<
  HtmlNode,
  HtmlElement,
  HtmlNode,
  HtmlElement,
  HtmlElement,
  HtmlElement,
  HtmlText,
  HtmlText,
  HtmlElement,
  HtmlText
>;

// Maximum number of attributes merged from a second `html` or `body` tag; real pages have none.
const ADOPTED_ATTRIBUTES_MAX = 32;

/**
 * Parses a page into an `HtmlElement` tree. Accepts any input; omits comments, the doctype and the content of
 * `template`.
 */
export function parseHtml(source: string): HtmlElement {
  return parseCleanHtml(source) ?? parseAnyHtml(source);
}

/** Parses a page with the full parser, including the standard's error recovery. */
export function parseAnyHtml(source: string): HtmlElement {
  return parse<LeanMap>(source, OPTIONS);
}

/** Placeholder for comments: created but never attached, so the text around one forms a single run. */
class DetachedText extends HtmlText {}

class TreeBuilder implements TreeAdapter<LeanMap> {
  createDocument(): HtmlElement {
    return new HtmlElement('#document', html.NS.HTML, []);
  }
  createDocumentFragment(): HtmlElement {
    return new HtmlElement('#fragment', html.NS.HTML, []);
  }
  createElement(name: string, namespace: html.NS, attributes: Token.Attribute[]): HtmlElement {
    return new HtmlElement(name, namespace, attributes);
  }
  createCommentNode(): HtmlText {
    return new DetachedText('');
  }
  createTextNode(value: string): HtmlText {
    return new HtmlText(value);
  }
  appendChild(parent: HtmlElement, node: HtmlNode): void {
    if (node instanceof DetachedText) return;
    parent.children.push(node);
    node.parent = parent;
  }
  insertBefore(parent: HtmlElement, node: HtmlNode, reference: HtmlNode): void {
    if (node instanceof DetachedText) return;
    parent.children.splice(parent.children.lastIndexOf(reference), 0, node);
    node.parent = parent;
  }
  insertText(parent: HtmlElement, text: string): void {
    const last = parent.children[parent.children.length - 1];
    if (last instanceof HtmlText) last.value += text;
    else this.appendChild(parent, new HtmlText(text));
  }
  insertTextBefore(parent: HtmlElement, text: string, reference: HtmlNode): void {
    const before = parent.children[parent.children.lastIndexOf(reference) - 1];
    if (before instanceof HtmlText) before.value += text;
    else this.insertBefore(parent, new HtmlText(text), reference);
  }
  detachNode(node: HtmlNode): void {
    if (!node.parent) return;
    const siblings = node.parent.children;
    const index = siblings.lastIndexOf(node);
    if (index >= 0) siblings.splice(index, 1);
    node.parent = null;
  }
  adoptAttributes(recipient: HtmlElement, attributes: Token.Attribute[]): void {
    for (const attribute of attributes) {
      if (recipient.attributes.length >= ADOPTED_ATTRIBUTES_MAX) return;
      if (recipient.attribute(attribute.name) === undefined) recipient.attributes.push(attribute);
    }
  }
  getAttrList(element: HtmlElement): Token.Attribute[] {
    return element.attributes;
  }
  getChildNodes(node: HtmlElement): HtmlNode[] {
    return node.children;
  }
  getFirstChild(node: HtmlElement): HtmlNode | null {
    return node.children[0] ?? null;
  }
  getParentNode(node: HtmlNode): HtmlElement | null {
    return node.parent;
  }
  getTagName(element: HtmlElement): string {
    return element.name;
  }
  getNamespaceURI(element: HtmlElement): html.NS {
    return element.namespace as html.NS;
  }
  getTextNodeContent(node: HtmlText): string {
    return node.value;
  }
  getCommentNodeContent(): string {
    return '';
  }
  getTemplateContent(): HtmlElement {
    return new HtmlElement('#fragment', html.NS.HTML, []);
  }
  setTemplateContent(): void {}
  getDocumentMode(): html.DOCUMENT_MODE {
    return html.DOCUMENT_MODE.NO_QUIRKS;
  }
  setDocumentMode(): void {}
  setDocumentType(): void {}
  getDocumentTypeNodeName(): string {
    return '';
  }
  getDocumentTypeNodePublicId(): string {
    return '';
  }
  getDocumentTypeNodeSystemId(): string {
    return '';
  }
  getNodeSourceCodeLocation(): null {
    return null;
  }
  setNodeSourceCodeLocation(): void {}
  updateNodeSourceCodeLocation(): void {}
  isTextNode(node: HtmlNode): node is HtmlText {
    return node instanceof HtmlText && !(node instanceof DetachedText);
  }
  isCommentNode(node: HtmlNode): node is HtmlText {
    return node instanceof DetachedText;
  }
  isDocumentTypeNode(_node: HtmlNode): _node is HtmlText {
    return false;
  }
  isElementNode(node: HtmlNode): node is HtmlElement {
    return node instanceof HtmlElement;
  }
}

const OPTIONS: ParserOptions<LeanMap> = { treeAdapter: new TreeBuilder(), scriptingEnabled: true };
