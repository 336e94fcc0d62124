import { hasTrait, TRAIT } from './class-traits.ts';
import { childElements, findElement, HtmlElement, squash, textOf } from './html-tree.ts';

/** True for the elements that generators put around a formula. */
export function isFormula(element: HtmlElement): boolean {
  if (element.name === 'math') return true;
  if (element.name === 'script') return true;
  if (element.name === 'img') return element.hasClass('math') || element.hasClass('tex');
  return hasTrait(element, TRAIT.formula) && element.name !== 'p' && element.name !== 'section';
}

/**
 * Source of a formula: the TeX a renderer kept beside its output, else the text as it stands. Nothing is escaped, since
 * backslashes and underscores are part of the source.
 */
export function formulaOf(element: HtmlElement): string {
  if (element.name === 'img') return delimited(element.attribute('alt') ?? '', false);
  if (element.name === 'script')
    return delimited(textOf(element), (element.attribute('type') ?? '').includes('display'));
  const tex = annotation(element);
  const isDisplay = element.hasClass('katex-display') || element.attribute('display') === 'block';
  if (tex !== undefined) return delimited(tex, isDisplay);
  if (element.name === 'math') return element.attribute('alttext') ?? squash(linear(element));
  // Renderers that keep no source set MathML beside their output, or instead of it.
  const math = findElement(element, ({ name }) => name === 'math');
  return squash(math === undefined ? textOf(element) : linear(math));
}

/** MathML on one line, with the signs that its layout stands for. */
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
