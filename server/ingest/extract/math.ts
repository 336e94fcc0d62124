import { hasTrait, TRAIT } from './class-traits.ts';
import { findElement, HtmlElement, squash, textOf } from './html-tree.ts';

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
  if (element.name === 'math') return element.attribute('alttext') ?? squash(textOf(element));
  return squash(textOf(element));
}

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
