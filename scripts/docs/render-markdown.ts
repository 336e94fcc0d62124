import type { Element, ElementContent, Root } from 'hast';
import { toHtml } from 'hast-util-to-html';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import type { DocsPage } from '../../contract/product-docs.ts';
import { Slugs } from '../../server/ingest/formats/draft.ts';
import { codeFigure } from './code-figure.ts';
import { element, textOf } from './hast.ts';

interface Rendered {
  title: string;
  anchor: string;
  description: string;
  html: string;
  outline: DocsPage['outline'];
}

const toTree = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeSanitize);

/**
 * Returns a page's HTML: sanitised first, then given anchors, highlighted code and scrolling tables. Anchors are those
 * that the index assigns to the same text. `hrefOf` returns the address of a relative link, or undefined if it leads to
 * no page.
 */
export async function renderMarkdown(
  markdown: string,
  hrefOf: (target: string) => string | undefined,
): Promise<Rendered> {
  const tree = (await toTree.run(toTree.parse(markdown))) as Root;
  const slugs = new Slugs();
  const outline: DocsPage['outline'] = [];
  let title = '';
  let titleAnchor = '';
  let description = '';
  const written: Root = { type: 'root', children: [] };
  for (const node of tree.children) {
    if (node.type !== 'element') continue;
    const text = textOf(node);
    const level = /^h([1-6])$/.exec(node.tagName)?.[1];
    if (level !== undefined) {
      const anchor = slugs.next(text);
      if (level === '1' && title === '') {
        title = text;
        titleAnchor = anchor;
        continue;
      }
      if (level === '2' || level === '3') outline.push({ anchor, text, level: level === '2' ? 2 : 3 });
      written.children.push(heading(await dressed(node, hrefOf), anchor, text));
      continue;
    }
    if (node.tagName === 'p' && description === '') description = text;
    written.children.push(await dressed(node, hrefOf));
  }
  return { title, anchor: titleAnchor, description: shortened(description), html: toHtml(written), outline };
}

/** Returns whole sentences of at most 200 characters in total; always includes the first. */
function shortened(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const sentences = flat.match(/.*?[.:](?=\s|$)|.+$/g) ?? [];
  let kept = '';
  for (const sentence of sentences) {
    if (kept !== '' && kept.length + sentence.length > 200) break;
    kept += sentence;
  }
  return kept.trim().replace(/:$/, '.');
}

const methods = new Set(['GET', 'POST', 'PUT', 'DELETE']);

async function dressed(node: Element, hrefOf: (target: string) => string | undefined): Promise<Element> {
  if (node.tagName === 'pre') return codeFigure(node);
  const children: ElementContent[] = [];
  for (const child of node.children) children.push(child.type === 'element' ? await dressed(child, hrefOf) : child);
  if (node.tagName === 'a') return link({ ...node, children }, hrefOf);
  if (node.tagName === 'code' && methods.has(textOf(node))) {
    const className = ['method', `method-${textOf(node).toLowerCase()}`];
    return { ...node, children, properties: { className } };
  }
  if (node.tagName === 'table') return scrolling({ ...node, children });
  return { ...node, children };
}

function heading(node: Element, anchor: string, text: string): Element {
  return element('div', { className: ['docs-heading'] }, [
    { ...node, properties: { id: anchor } },
    element('a', { className: ['docs-anchor'], href: `#${anchor}`, ariaLabel: `Link to “${text}”` }, [
      { type: 'text', value: '#' },
    ]),
  ]);
}

function link(node: Element, hrefOf: (target: string) => string | undefined): Element {
  const target = String(node.properties.href ?? '');
  if (/^https?:/.test(target)) return { ...node, properties: { href: target, rel: ['noreferrer'] } };
  if (target.startsWith('#')) return { ...node, properties: { href: target } };
  const href = hrefOf(target);
  // Links to files outside the documentation become plain text.
  return href === undefined ? { ...node, tagName: 'span', properties: {} } : { ...node, properties: { href } };
}

function scrolling(table: Element): Element {
  const properties = { className: ['prose-table'], tabIndex: 0, role: 'group', ariaLabel: 'Table' };
  return element('div', properties, [table]);
}
