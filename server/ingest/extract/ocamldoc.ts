import type { Block, Place } from '../document.ts';
import { codeBlockOf } from './code-block.ts';
import { newTerm } from './definition-list.ts';
import { childElements, findElement, HtmlElement, type HtmlNode, HtmlText } from './html-tree.ts';
import { plainText } from './inline.ts';
import { codeSpan } from './markdown-text.ts';
import { idsIn, type Walk } from './walk.ts';

/** Ids of ocamldoc declarations: the kind, then the name. */
const DECLARED = /^(?:VAL|TYPE(?!ELT)|EXCEPTION|EXTENSION|METHOD|ATT|MODULETYPE|MODULE)(.+)$/;

/** A declaration as a term with its body, and the index of its last sibling node. */
export interface Declaration {
  blocks: Block[];
  end: number;
}

/**
 * Returns the ocamldoc declaration that starts at a `pre`; undefined for other nodes and for the module that the page
 * describes. A type's cases or fields (a table) and the description follow as siblings without a wrapper.
 */
export function declarationAt(nodes: readonly HtmlNode[], at: number, walk: Walk): Declaration | undefined {
  const pre = nodes[at];
  if (!(pre instanceof HtmlElement) || pre.name !== 'pre') return undefined;
  const anchor = idOf(pre);
  const name = DECLARED.exec(anchor ?? '')?.[1];
  if (name === undefined) return undefined;
  const { parts, end, next } = partsAfter(nodes, at);
  if (next?.name === 'hr' || parts.at(-1)?.hasClass('top')) return undefined;
  const identifiers = /^[A-Za-z_][\w']*$/.test(name) ? [name] : [];
  const term = newTerm(codeSpan(plainText(pre)), { anchor, within: idsIn(pre) }, identifiers, walk);
  walk.termDepth++;
  const blocks = parts.flatMap((part) => {
    if (part.name === 'code') return [];
    return part.name === 'table' ? [casesOf(part, parts[1]?.name === 'code')] : walk.blocksOfElement(part);
  });
  walk.termDepth--;
  term.span = blocks.length;
  return { blocks: [term, ...blocks], end };
}

/** Returns the id at the start, which wraps the declared name. */
function idOf(pre: HtmlElement): string | undefined {
  const [first] = childElements(pre);
  return first?.name === 'code' ? childElements(first)[0]?.id : first?.id;
}

interface Parts {
  parts: HtmlElement[];
  end: number;
  next: HtmlElement | undefined;
}

function partsAfter(nodes: readonly HtmlNode[], start: number): Parts {
  const parts: HtmlElement[] = [];
  let end = start;
  for (let at = start + 1; at < nodes.length; at++) {
    const node = nodes[at]!;
    if (node instanceof HtmlText) {
      if (node.value.trim() !== '') break;
      continue;
    }
    const isTable = parts.length === 0 && node.hasClass('typetable');
    const isBracket = parts.length === 1 && node.name === 'code' && plainText(node) === '}';
    const isInfo = node.hasClass('info');
    if (!isTable && !isBracket && !isInfo) return { parts, end, next: node };
    parts.push(node);
    end = at;
    if (isInfo) break;
  }
  return { parts, end, next: undefined };
}

/** Returns a type's cases or fields as lines of code, each with its comment. */
function casesOf(table: HtmlElement, isClosed: boolean): Block {
  const lines: string[] = [];
  const places: Place[] = [];
  findElement(table, (row) => {
    if (row.name !== 'tr') return false;
    const [mark = '', ...cells] = childElements(row).map(plainText);
    for (const id of idsIn(row)) places.push({ id, line: lines.length + 1 });
    lines.push(`${mark || ' '} ${cells.join(' ')}`.trimEnd());
    return false;
  });
  if (isClosed) lines.push('}');
  return { ...codeBlockOf(lines.join('\n'), {}, 'ocaml'), places };
}
