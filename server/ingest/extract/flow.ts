import type { Block } from '../document.ts';
import { admonitionBlocks, admonitionKind, quotedAdmonition } from './admonition.ts';
import { headingDepth, isBlock } from './block-elements.ts';
import { hasTrait, TRAIT } from './class-traits.ts';
import { brokenCode, codeBlock, codeBlockOf, isBlank, sourceText } from './code-block.ts';
import { lastLineOf, placesOf, quoteBlocks } from './containers.ts';
import { definitionListBlocks } from './definition-list.ts';
import { headingBlock } from './heading.ts';
import { childElements, findElement, HtmlElement, type HtmlNode, HtmlText } from './html-tree.ts';
import { renderInline } from './inline.ts';
import { listBlocks } from './list.ts';
import { declarationAt } from './ocamldoc.ts';
import type { AddressBook } from './page-links.ts';
import { scribbleInset, scribbleTable } from './scribble.ts';
import { isServiceElement } from './service-elements.ts';
import { memberBlocks, prototypeBlock } from './signature.ts';
import { gridBlocks, tableBlocks } from './table.ts';
import { isTabPanel } from './visibility.ts';
import { AnchorTrail, anchorOf, idsIn, type Subject, type Walk } from './walk.ts';

/** Options for rendering a page's blocks. */
export interface FlowOptions {
  addresses: AddressBook;
  panelLabels: ReadonlyMap<HtmlElement, string>;
  subject?: Subject;
}

/**
 * Renders everything below `root` as blocks in reading order. The recursion depth is bounded because the survey limits
 * the tree's nesting.
 */
export function renderFlow(root: HtmlElement, options: FlowOptions): Block[] {
  const flow = new Flow(options);
  if (root.id && !CONTAINER_ID.test(root.id)) flow.anchors.note(root.id);
  const blocks = flow.blocksOf(root);
  const last = blocks.at(-1);
  if (last) last.places = [...(last.places ?? []), ...placesOf(flow.anchors.take(), lastLineOf(last))];
  return blocks;
}

/** Returns true for Scaladoc's one-sentence summary, which repeats the start of the collapsed comment. */
function isRepeatedSummary(element: HtmlElement): boolean {
  const isBrief = element.hasClass('documentableBrief');
  if (element.parent === null || !(isBrief || element.hasClass('shortcomment'))) return false;
  return childElements(element.parent).some((child) =>
    isBrief
      ? child.hasClass('cover') && childElements(child).some((part) => part.hasClass('doc') && part.textLength > 0)
      : child.hasClass('fullcomment'),
  );
}

// Ids of page containers are not useful link targets.
const CONTAINER_ID =
  /^(?:.*[-_])?(?:content|contents|main|body|page|wrapper|container|root|header|head|hd|bd)(?:[-_].*)?$|^(?:app|docs?|article|top|inner|outer|center|column\d*|__.*)$/i;

class Flow implements Walk {
  readonly addresses: AddressBook;
  readonly panelLabels: ReadonlyMap<HtmlElement, string>;
  readonly subject?: Subject;
  readonly anchors = new AnchorTrail();
  termDepth = 0;

  constructor(options: FlowOptions) {
    this.addresses = options.addresses;
    this.panelLabels = options.panelLabels;
    this.subject = options.subject;
  }

  blocksOf(element: HtmlElement): Block[] {
    const blocks: Block[] = [];
    let line: HtmlNode[] = [];
    const { children } = element;
    for (let at = 0; at < children.length; at++) {
      const child = children[at]!;
      const declaration = declarationAt(children, at, this);
      if (declaration) {
        this.#endLine(line, blocks);
        line = [];
        for (const block of declaration.blocks) blocks.push(block);
        at = declaration.end;
      } else if (child instanceof HtmlText) {
        line.push(child);
      } else if (child.isDropped) {
        // The caller has already rendered this child.
      } else if (isBlock(child)) {
        this.#endLine(line, blocks);
        line = [];
        const made = isLooseEntry(child, element) ? this.#looseEntries(child, element) : this.#block(child);
        for (const block of made) blocks.push(block);
      } else {
        line.push(child);
      }
    }
    this.#endLine(line, blocks);
    return blocks;
  }

  /** Renders terms and bodies without a list around them; the first of a run renders the whole run. */
  #looseEntries(first: HtmlElement, parent: HtmlElement): Block[] {
    const at = parent.children.indexOf(first);
    const before = parent.children.slice(0, at).findLast((node) => node instanceof HtmlElement);
    if (before instanceof HtmlElement && isLooseEntry(before, parent)) return [];
    const list = new HtmlElement('dl', '', []);
    for (const node of parent.children.slice(at)) {
      if (node instanceof HtmlText ? node.value.trim() !== '' : !isLooseEntry(node, parent)) break;
      list.children.push(node);
    }
    return definitionListBlocks(list, this);
  }

  /** Ends a run of inline nodes and adds it as a paragraph. */
  #endLine(nodes: readonly HtmlNode[], blocks: Block[]): void {
    if (nodes.length === 0) return;
    const code = brokenCode(nodes);
    if (code !== undefined) {
      blocks.push(codeBlockOf(code, this.anchors.take(undefined, nodes.flatMap(idsOf))));
      return;
    }
    const markdown = nodes.every(isBlank) ? '' : renderInline(nodes, this.addresses);
    const start = markdown === '' ? nodes.length : nodes.findIndex(isShown);
    const end = nodes.findLastIndex(isShown) + 1;
    this.#noteAll(nodes.slice(0, start + 1));
    if (markdown === '') return;
    // Ids inside the text belong to its words; ids after it belong to the next block.
    const within = nodes.slice(start, end).flatMap(idsOf);
    blocks.push({ type: 'paragraph', markdown, ...this.anchors.take(undefined, within) });
    this.#noteAll(nodes.slice(Math.max(end, start + 1)));
  }

  #noteAll(nodes: readonly HtmlNode[]): void {
    for (const node of nodes) if (node instanceof HtmlElement) this.#noteAnchors(node);
  }

  #noteAnchors(element: HtmlElement): void {
    const own = anchorOf(element);
    if (element.textLength === 0) for (const id of idsIn(element)) this.anchors.note(id);
    if (own) this.anchors.note(own);
  }

  blocksOfElement(element: HtmlElement): Block[] {
    if (isBlock(element)) return this.#block(element);
    const blocks: Block[] = [];
    this.#endLine([element], blocks);
    return blocks;
  }

  #block(element: HtmlElement): Block[] {
    if (headingDepth(element) > 0) return one(headingBlock(element, this));
    switch (element.name) {
      case 'pre':
      case 'listing':
      case 'xmp':
      case 'plaintext':
        return one(codeBlock(element, this));
      case 'hr':
        return [];
      default:
        break;
    }
    // An empty container is not a link target; empty `a` and `span` elements exist only for that.
    if (element.name !== 'p') this.#noteContainer(element);
    const kind = admonitionKind(element);
    if (kind !== undefined) {
      const admonition = admonitionBlocks(element, kind, this);
      if (admonition) return admonition;
    }
    return this.#container(element);
  }

  #noteContainer(element: HtmlElement): void {
    const id = anchorOf(element);
    const isPlace = element.textLength > 0 && (element.name === 'section' || !CONTAINER_ID.test(id ?? ''));
    if (isPlace) this.anchors.note(id);
    else this.anchors.noteAside(id);
  }

  #container(element: HtmlElement): Block[] {
    switch (element.name) {
      case 'p':
        return this.#paragraph(element);
      case 'ul':
      case 'ol':
      case 'menu':
      case 'dir':
        return listBlocks(element, this);
      case 'dl':
        return definitionListBlocks(element, this);
      case 'table':
        return scribbleTable(element, this) ?? tableBlocks(element, this);
      case 'blockquote':
        return this.#quote(element);
      case 'details':
        return this.#details(element);
      case 'figcaption':
      case 'caption':
      case 'legend':
        return bold(this.blocksOf(element));
      case 'article':
      case 'section':
        return belowFirstHeading(this.#division(element));
      default:
        return this.#division(element);
    }
  }

  #paragraph(element: HtmlElement): Block[] {
    this.anchors.note(element.id);
    if (hasTrait(element, TRAIT.service) || isRepeatedSummary(element)) return [];
    const blocks = this.blocksOf(element);
    return element.classes.some((name) => /^(rubric|title|topic-title|sidebar-title|caption-title)$/.test(name))
      ? bold(blocks)
      : blocks;
  }

  #quote(element: HtmlElement): Block[] {
    const inset = scribbleInset(element, this);
    if (inset) return inset;
    const blocks = this.blocksOf(element);
    return quotedAdmonition(element, blocks) ?? quoteBlocks(blocks, 'quote');
  }

  #details(element: HtmlElement): Block[] {
    const summary = element.children.find(
      (child): child is HtmlElement => child instanceof HtmlElement && child.name === 'summary',
    );
    if (!summary) return this.blocksOf(element);
    this.anchors.note(summary.id);
    const label = bold(this.blocksOf(summary));
    summary.isDropped = true;
    const blocks = this.blocksOf(element);
    summary.isDropped = false;
    return blocks.length === 0 ? [] : [...label, ...blocks];
  }

  #division(element: HtmlElement): Block[] {
    if (element.attributes.length === 0) return this.blocksOf(element);
    if (isServiceElement(element) || isRepeatedSummary(element)) return [];
    if (isTabPanel(element)) return this.#panel(element);
    if (element.hasClass('fragment') || element.hasClass('line-code')) return this.#fragment(element);
    if (element.hasClass('line-block')) return this.#lines(element);
    const grid = element.hasClass('summary-table') ? gridBlocks(element, this) : undefined;
    if (grid) return grid;
    const member = memberBlocks(element, this);
    if (member) return member;
    const prototype = prototypeBlock(element, this);
    if (prototype) return [prototype];
    const blocks = this.blocksOf(element);
    return element.hasClass('title') && blocks.length === 1 ? bold(blocks) : blocks;
  }

  #panel(element: HtmlElement): Block[] {
    const blocks = this.blocksOf(element);
    const label = this.panelLabels.get(element);
    if (label === undefined || blocks.length === 0) return blocks;
    return [{ type: 'paragraph', markdown: `**${label}**` }, ...blocks];
  }

  /** Renders a Doxygen code fragment, which has a `div` per line instead of a `pre`. */
  #fragment(element: HtmlElement): Block[] {
    if (findElement(element, ({ name }) => name === 'pre')) return this.blocksOf(element);
    return sourceText(element).includes('\n') || findElement(element, (child) => child.hasClass('line'))
      ? one(codeBlock(element, this))
      : this.blocksOf(element);
  }

  /** Renders a docutils line block (verse, addresses), which has one `div` per line. */
  #lines(element: HtmlElement): Block[] {
    const blocks = this.blocksOf(element);
    const first = blocks[0];
    if (!first || blocks.some((block) => block.type !== 'paragraph')) return blocks;
    return [{ ...first, markdown: blocks.map((block) => block.markdown).join('  \n') }];
  }
}

/** Returns true for a `dt` or `dd` outside of a list, as in old DocBook glossaries. */
function isLooseEntry(element: HtmlElement, parent: HtmlElement): boolean {
  return (element.name === 'dt' || element.name === 'dd') && parent.name !== 'dl' && parent.parent?.name !== 'dl';
}

function isShown(node: HtmlNode): boolean {
  return node instanceof HtmlText ? node.value.trim() !== '' : node.textLength > 0 || node.name === 'img';
}

/**
 * Lowers a section's headings if one outranks the section's opening heading, as in Erlang's function descriptions. A
 * line right above a page title only names its kind ("Class") and opens no section.
 */
function belowFirstHeading(blocks: Block[]): Block[] {
  const [first, ...rest] = blocks;
  if (first?.type !== 'heading' || (rest[0] && depthOf(rest[0]) === 1)) return blocks;
  const opening = depthOf(first);
  const highest = rest.reduce((least, block) => Math.min(least, depthOf(block)), lowestDepth);
  if (highest >= opening) return blocks;
  const by = opening + 1 - highest;
  return [
    first,
    ...rest.map((block) =>
      block.type === 'heading' ? { ...block, depth: Math.min(depthOf(block) + by, lowestDepth) } : block,
    ),
  ];
}

const lowestDepth = 6;
const depthOf = ({ type, depth }: Block): number => (type === 'heading' ? (depth ?? lowestDepth) : lowestDepth);
const idsOf = (node: HtmlNode): string[] => (node instanceof HtmlElement ? idsIn(node) : []);
const one = (block: Block | undefined): Block[] => (block ? [block] : []);

/** Makes a label line bold unless it already contains bold text. */
function bold(blocks: Block[]): Block[] {
  return blocks.map((block) => {
    if (block.type !== 'paragraph' || block.markdown.includes('\n') || block.markdown.includes('**')) return block;
    return { ...block, markdown: `**${block.markdown}**` };
  });
}
