import type { ExtraProps } from 'react-markdown';

type Element = NonNullable<ExtraProps['node']>;
interface Parent {
  children: Element['children'];
}

interface FinishOptions {
  baseUrl: string | undefined;
  linkTo: ((url: string) => string | undefined) | undefined;
  headingLevel: number;
  idPrefix: string;
}

const rel = ['nofollow', 'noopener', 'noreferrer'];
const withOwnDirection = new Set(['p', 'li', 'blockquote', 'td', 'th', 'dt', 'dd', 'summary', 'figcaption', 'caption']);
const callouts = /^\s*\[!(note|tip|important|warning|caution)\]\s*/i;

/**
 * Prepares a sanitised tree for the page: headings below the page's own, links that open in a new tab and send no
 * referrer, images as their description and address, callouts, and text direction.
 */
export function finishMarkdown(options: FinishOptions) {
  return (tree: Parent): void => {
    const ids = new Set<string>();
    eachElement(tree, (element) => {
      if (typeof element.properties.id === 'string') ids.add(element.properties.id);
    });
    eachElement(tree, (element, isInLink) => finishElement(element, isInLink, options, ids));
  };
}

/** Visits elements in document order, without recursion: third-party text may be nested deeply. */
function eachElement(tree: Parent, visit: (element: Element, isInLink: boolean) => void): void {
  const open = tree.children.map((node) => ({ node, isInLink: false })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, isInLink } = next;
    if (node.type !== 'element') continue;
    const children = node.children.map((child) => ({ node: child, isInLink: isInLink || node.tagName === 'a' }));
    visit(node, isInLink);
    open.push(...children.reverse());
  }
}

function finishElement(element: Element, isInLink: boolean, options: FinishOptions, ids: Set<string>): void {
  const { tagName } = element;
  if (/^h[1-6]$/.test(tagName)) {
    element.tagName = `h${Math.min(6, Number(tagName[1]) + options.headingLevel - 1)}`;
    element.properties.dir = 'auto';
  }
  if (withOwnDirection.has(tagName)) element.properties.dir ??= 'auto';
  if (tagName === 'blockquote') finishCallout(element);
  if (tagName === 'a') finishLink(element, options, ids);
  if (tagName === 'img') finishImage(element, isInLink, options);
}

/** Converts a blockquote that begins with `[!NOTE]` and the like into a callout, as code hosts do. */
function finishCallout(quote: Element): void {
  const paragraph = quote.children.find((child) => child.type === 'element');
  if (paragraph?.type !== 'element' || paragraph.tagName !== 'p') return;
  const [first] = paragraph.children;
  const kind = first?.type === 'text' ? callouts.exec(first.value)?.[1]?.toLowerCase() : undefined;
  if (first?.type !== 'text' || kind === undefined) return;
  first.value = first.value.replace(callouts, '');
  quote.properties.dataCallout = kind;
  const name = `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
  quote.children.unshift(elementOf('p', { className: ['prose-callout'] }, [textOf(name)]));
}

function finishLink(link: Element, options: FinishOptions, ids: Set<string>): void {
  const { href } = link.properties;
  if (typeof href !== 'string') return;
  const ownId = options.idPrefix + href.slice(1);
  if (href.startsWith('#') && ids.has(ownId)) {
    link.properties.href = `#${ownId}`;
    return;
  }
  const url = absolute(href, options.baseUrl);
  const inside = options.linkTo?.(url);
  // Only the viewer can open pages of folders and PDF sets.
  if (inside === undefined && /^(?:folder|pdf):/.test(url)) {
    delete link.properties.href;
    return;
  }
  link.properties.href = inside ?? url;
  link.properties.rel = rel;
  if (inside === undefined && !url.startsWith('#')) link.properties.target = '_blank';
}

/** Replaces an image by text. Images are never loaded: their host would learn who reads the page. */
function finishImage(image: Element, isInLink: boolean, { baseUrl }: FinishOptions): void {
  const { src, alt, title } = image.properties;
  const description = typeof alt === 'string' ? alt : '';
  const shown = elementOf('img', { alt: description, title }, []);
  const children: Element['children'] = [shown];
  if (typeof src === 'string') {
    const url = absolute(src, baseUrl);
    const address = [textOf(shortened(url))];
    children.push(
      textOf(' '),
      isInLink
        ? elementOf('span', { className: ['prose-image-address'] }, address)
        : elementOf('a', { className: ['prose-image-address'], href: url, rel, target: '_blank' }, address),
    );
  }
  Object.assign(image, elementOf('span', { className: ['prose-image'] }, children));
}

/** Returns an absolute address, limited to what the sanitiser allows, regardless of the base. */
function absolute(address: string, baseUrl: string | undefined): string {
  if (baseUrl === undefined) return address;
  const url = URL.parse(address, baseUrl);
  return url !== null && /^(?:https?|mailto|file|folder|pdf):$/.test(url.protocol) ? url.href : address;
}

function shortened(url: string): string {
  const bare = url.replace(/^https?:\/\//, '');
  return bare.length > 60 ? `…${bare.slice(-59)}` : bare;
}

function elementOf(tagName: string, properties: Element['properties'], children: Element['children']): Element {
  return { type: 'element', tagName, properties, children };
}

function textOf(value: string): Element['children'][number] {
  return { type: 'text', value };
}
