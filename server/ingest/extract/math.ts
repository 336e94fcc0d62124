import { hasTrait, TRAIT } from './class-traits.ts';
import { childElements, findElement, HtmlElement, type HtmlNode, HtmlText, squash, textOf } from './html-tree.ts';
import { tableGrid } from './table-grid.ts';

/** Returns true for elements that generators wrap around a formula. */
export function isFormula(element: HtmlElement): boolean {
  if (element.name === 'math') return true;
  if (element.name === 'script') return true;
  if (element.name === 'img') return element.hasClass('math') || element.hasClass('tex');
  return hasTrait(element, TRAIT.formula) && element.name !== 'p' && element.name !== 'section';
}

/**
 * Returns a formula's source: the TeX that the renderer kept next to its output, or else the text. Nothing is escaped,
 * because backslashes and underscores belong to the source.
 */
export function formulaOf(element: HtmlElement): string {
  if (element.name === 'img') return delimited(element.attribute('alt') ?? '', false);
  if (element.name === 'script')
    return delimited(textOf(element), (element.attribute('type') ?? '').includes('display'));
  const tex = annotation(element);
  const isDisplay = element.hasClass('katex-display') || element.attribute('display') === 'block';
  if (tex !== undefined) return delimited(tex, isDisplay);
  if (element.name === 'math') return element.attribute('alttext') ?? squash(linear(element));
  // Renderers that keep no source emit MathML next to or instead of their output.
  const math = findElement(element, ({ name }) => name === 'math');
  return squash(math === undefined ? textOf(element) : linear(math));
}

/** Returns, on one line, a formula that HeVeA lays out as a table; undefined for any other table. */
export function formulaOfTable(table: HtmlElement): string | undefined {
  if (!table.hasClass('display')) return undefined;
  return findElement(table, (cell) => cell.hasClass('dcell')) ? withBrackets(squash(displayed(table))) : undefined;
}

/** Joins tall brackets, which are drawn in several pieces. */
function withBrackets(text: string): string {
  return text
    .replace(/⎛[\s⎜⎝]*/g, '(')
    .replace(/(?:(?<!\s)\s+)?⎞[\s⎟⎠]*/g, ')')
    .replace(/⎡[\s⎢⎣]*/g, '[')
    .replace(/(?:(?<!\s)\s+)?⎤[\s⎥⎦]*/g, ']')
    .replace(/⎧[\s⎪⎨⎩]*/g, '{');
}

/** Returns the text of HeVeA's layout. The recursion depth is bounded by the tree's nesting limit. */
function displayed(element: HtmlElement): string {
  const inner = (node: HtmlNode): string => (node instanceof HtmlText ? node.value : displayed(node));
  switch (element.name) {
    case 'sup':
      return `^${index(element.children.map(inner).join('').trim())}`;
    case 'sub':
      return `_${index(element.children.map(inner).join('').trim())}`;
    case 'td':
      return ` ${element.children.map(inner).join('')} `;
    case 'table':
      break;
    default:
      return element.children.map(inner).join('');
  }
  const rows = tableGrid(element).rows.map(({ element: row }) => row);
  const bar = rows.findIndex((row) => childElements(row).some((cell) => cell.hasClass('hrule')));
  const over = squash(rows.slice(0, Math.max(0, bar)).map(displayed).join(' '));
  const under = squash(
    rows
      .slice(bar + 1)
      .map(displayed)
      .join(bar < 0 ? '; ' : ' '),
  );
  return bar < 0 ? under : `${grouped(over)}/${grouped(under)}`;
}

/** Returns MathML on one line, with operators in place of its layout. */
function linear(element: HtmlElement): string {
  const parts = childElements(element).map((child) => ({ child, text: linear(child) }));
  const [first = '', second = '', third = ''] = parts.map(({ text }) => text.trim());
  switch (element.name) {
    case 'annotation':
    case 'annotation-xml':
      return '';
    case 'mfrac':
      return `${grouped(first)}/${grouped(second)}`;
    case 'msup':
    case 'mover':
      return `${first}^${index(second)}`;
    case 'msub':
    case 'munder':
      return `${first}_${index(second)}`;
    case 'msubsup':
    case 'munderover':
      return `${first}_${index(second)}^${index(third)}`;
    case 'msqrt':
      return `√${grouped(parts.map(({ text }) => text).join(''))}`;
    case 'mroot':
      return `root_${index(second)}${grouped(first)}`;
    case 'mtr':
      return parts.map(({ text }) => text.trim()).join(' ');
    case 'mtable':
      return parts.map(({ text }) => text.trim()).join('; ');
    default:
      return parts.length === 0 ? textOf(element) : parts.map(({ text }) => text).join('');
  }
}

const grouped = (text: string): string => (/^[\p{L}\p{N}.]*$/u.test(text) ? text : `(${text})`);
const index = (text: string): string => ([...text].length <= 1 || /^\d+$/.test(text) ? text : `{${text}}`);

function annotation(element: HtmlElement): string | undefined {
  const found = findElement(element, ({ name, attributes }) => {
    if (name !== 'annotation') return false;
    return attributes.some((attribute) => attribute.name === 'encoding' && /tex/i.test(attribute.value));
  });
  return found instanceof HtmlElement ? textOf(found) : undefined;
}

function delimited(tex: string, isDisplay: boolean): string {
  const source = squash(tex);
  if (source === '') return '';
  return isDisplay ? `$$${source}$$` : `$${source}$`;
}
