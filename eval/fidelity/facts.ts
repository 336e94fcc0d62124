import type { Corpus } from './corpora.ts';
import { attribute, classes, descendants, type Element, isWithin, parentOf, parsePage, selector, text } from './dom.ts';

/** Facts about a page, read from its own structure. */
export interface PageFacts {
  codes: { text: string; language?: string; isInCell: boolean }[];
  headings: { text: string; depth: number; id?: string }[];
  tables: { columns: number; rows: string[][] }[];
  links: { text: string; url: string }[];
  terms: { text: string; id?: string }[];
  admonitions: { label: string; start: string }[];
  /** Pieces of running text in the content. */
  passages: string[];
  /** Pieces of text in navigation and other furniture that do not occur in the content. */
  furniture: string[];
}

// Symbols beside headings and terms that are not part of their text.
const isMark = selector(
  '.headerlink, .permalink, .viewcode-link, .viewcode-back, .srclink, .rightside, .out-of-band, .mark, .id_link, .notable-traits, .copiable-anchor, .copiable-link, .anchor, .legacy, .hash-link, .header-anchor, .summary_toggle, a.tooltip, .sr-only, .view-source',
);
const isHidden = selector(
  '[hidden], [aria-hidden=true], [style=display:none], [style=display:none;], [style=display: none;], .annottext',
);
const isGutter = selector(
  '.linenos, .lineno, pre.lines, .listing_lines, .linenodiv, .gutter, .line-numbers, .hljs-ln-numbers, .lnt, .ln, .line-num',
);
const isAdmonition = selector(
  '.admonition, .admonitionblock, div.note, div.warning, div.tip, div.important, div.caution',
);

/** Reads a page's facts; returns undefined if the corpus defines no content on it. */
export function readFacts(html: string, url: string, corpus: Corpus): PageFacts | undefined {
  const root = parsePage(html);
  const all = descendants(root);
  const content = corpus.content.map((list) => all.find(selector(list))).find((found) => found !== undefined);
  if (!content) return undefined;
  const isFurniture = selector(corpus.furniture);
  const isLeftOut = (element: Element): boolean => isWithin(element, (node) => isFurniture(node) || isHidden(node));
  const inside = descendants(content).filter((element) => !isLeftOut(element));
  const passages = readPassages(inside, isFurniture);
  return {
    codes: [...readCodes(inside), ...readLaidOutCodes(inside, corpus.code)],
    headings: readHeadings(inside),
    tables: readTables(inside),
    links: readLinks(inside, url, all),
    terms: readTerms(inside),
    admonitions: readAdmonitions(inside),
    passages,
    furniture: readFurniture(all, isFurniture, text(content, isFurniture)),
  };
}

function readCodes(inside: readonly Element[]): PageFacts['codes'] {
  const codes: PageFacts['codes'] = [];
  for (const pre of inside) {
    if (pre.tagName !== 'pre' || isWithin(pre, isGutter)) continue;
    const outer = parentOf(pre);
    if (outer && isWithin(outer, ({ tagName }) => tagName === 'pre')) continue;
    const source = text(
      pre,
      (element) => isGutter(element) || isMark(element) || isHidden(element),
      ({ tagName, childNodes }) => tagName === 'div' && childNodes.length > 0,
    ).replace(/[\r\n]+$|\u200b(?=\()|(?<=,)\u200b/g, '');
    if (source.trim() === '') continue;
    const isInCell =
      isWithin(pre, ({ tagName }) => tagName === 'td' || tagName === 'th') &&
      !isWithin(pre, selector('.highlighttable, .rouge-table, .lntable'));
    codes.push({ text: source, language: languageOf(pre), isInCell });
  }
  return codes;
}

/** Returns code laid out in rows or paragraphs; its non-breaking spaces belong to the code. */
function readLaidOutCodes(inside: readonly Element[], list: string | undefined): PageFacts['codes'] {
  if (list === undefined) return [];
  const isCode = selector(list);
  const outermost = inside.filter((element) => isCode(element) && !isWithin(parentOf(element) ?? element, isCode));
  return outermost.flatMap((element) => {
    const lines = descendants(element)
      .filter(({ tagName }) => tagName === 'tr' || tagName === 'p')
      .filter((row) => !descendants(row).some(({ tagName }) => tagName === 'tr' || tagName === 'p'))
      .map((row) => text(row).replaceAll('\u00a0', ' ').trimEnd());
    const source = lines.join('\n').replace(/^\n+|\n+$/g, '');
    const isInCell = isWithin(parentOf(element) ?? element, ({ tagName }) => tagName === 'td');
    return source.trim() === '' ? [] : [{ text: source, isInCell }];
  });
}

function languageOf(pre: Element): string | undefined {
  const code = pre.childNodes.find((node): node is Element => 'tagName' in node && node.tagName === 'code');
  const around = [parentOf(pre), parentOf(parentOf(pre) ?? pre)].filter((element) => element !== undefined);
  for (const element of [code, pre, ...around]) {
    for (const name of element ? classes(element) : []) {
      const language =
        /^(?:language|lang|highlight)-([a-z0-9+#-]+)$/i.exec(name)?.[1] ??
        (name === 'rust' && element === pre ? 'rust' : undefined);
      if (language && !/^(default|none|text|plain|txt|block|source)$/.test(language)) return language.toLowerCase();
    }
  }
  return undefined;
}

function readHeadings(inside: readonly Element[]): PageFacts['headings'] {
  return inside
    .filter((element) => /^h[1-6]$/.test(element.tagName) && !isWithin(element, isAdmonition))
    .map((element) => ({ text: text(element, isMark), depth: Number(element.tagName[1]), id: headingId(element) }))
    .filter((heading) => heading.text.trim() !== '');
}

/** Returns the id only if it is unambiguous: that of the heading, or of a section that begins with it. */
function headingId(heading: Element): string | undefined {
  const own = attribute(heading, 'id');
  if (own) return own;
  const section = parentOf(heading);
  const id = section && attribute(section, 'id');
  if (!id || !section || (section.tagName !== 'section' && !classes(section).includes('section'))) return undefined;
  const first = section.childNodes.find((node): node is Element => 'tagName' in node && text(node).trim() !== '');
  return first === heading &&
    !descendants(section).some(
      (element) => element.tagName === 'span' && attribute(element, 'id') && parentOf(element) === section,
    )
    ? id
    : undefined;
}

function readTables(inside: readonly Element[]): PageFacts['tables'] {
  const tables: PageFacts['tables'] = [];
  for (const table of inside) {
    if (table.tagName !== 'table' || !isDataTable(table)) continue;
    const rows = descendants(table)
      .filter(({ tagName }) => tagName === 'tr')
      .map((row) => row.childNodes.filter((node): node is Element => 'tagName' in node && /^t[dh]$/.test(node.tagName)))
      .filter((row) => row.length > 0);
    const hasSpans = rows.flat().some((cell) => attribute(cell, 'colspan') ?? attribute(cell, 'rowspan'));
    const columns = Math.max(...rows.map((row) => row.length));
    if (rows.length < 2 || columns < 2 || hasSpans) continue;
    const texts = rows.map((row) => row.map((cell) => text(cell, isMark).trim()));
    tables.push({ columns, rows: [texts[0]!, texts[1]!, texts.at(-1)!] });
  }
  return tables;
}

function isDataTable(table: Element): boolean {
  const inner = descendants(table);
  if (!inner.some(({ tagName }) => tagName === 'th')) return false;
  if (inner.some(({ tagName }) => /^(table|h[1-6]|dl|blockquote)$/.test(tagName))) return false;
  if (inner.some((element) => element.tagName === 'pre' && text(element).trim().includes('\n'))) return false;
  const outer = parentOf(table);
  if (outer && isWithin(outer, (element) => element.tagName === 'table' || isAdmonition(element))) return false;
  return !isWithin(table, selector('.highlighttable, .field-list, .footnote, .citation, [role=presentation]'));
}

function readLinks(inside: readonly Element[], url: string, all: readonly Element[]): PageFacts['links'] {
  const base = all.find(({ tagName }) => tagName === 'base');
  const from = base ? new URL(attribute(base, 'href') ?? '', url).href : url;
  const links: PageFacts['links'] = [];
  for (const link of inside) {
    const href = link.tagName === 'a' ? attribute(link, 'href') : undefined;
    if (!href || text(link).trim() === '' || isWithin(link, isMark)) continue;
    // Links are not expected in code, which is text only, or in headings and terms, which are names.
    if (isWithin(link, ({ tagName }) => /^(pre|h[1-6]|dt)$/.test(tagName))) continue;
    const target = URL.parse(href, from);
    if (target && /^https?:$/.test(target.protocol)) links.push({ text: text(link), url: target.href });
  }
  return links;
}

function readTerms(inside: readonly Element[]): PageFacts['terms'] {
  return inside
    .filter(
      (element) =>
        element.tagName === 'dt' &&
        !isWithin(element, isAdmonition) &&
        !isWithin(element, selector('.footnote, .citation, .toc, .footnotes')),
    )
    .map((element) => ({ text: text(element, isMark), id: attribute(element, 'id') }))
    .filter((term) => term.text.trim() !== '');
}

function readAdmonitions(inside: readonly Element[]): PageFacts['admonitions'] {
  const found: PageFacts['admonitions'] = [];
  for (const element of inside) {
    const outer = parentOf(element);
    if (!isAdmonition(element) || (outer && isWithin(outer, isAdmonition))) continue;
    const parts = descendants(element);
    const title =
      parts.find(selector('.admonition-title, h3.title, .icon .title, .icon')) ??
      parts.find((part) => /^h[3-6]$/.test(part.tagName));
    const label = title ? text(title).trim() || (attribute(descendants(title)[0] ?? title, 'alt') ?? '') : '';
    const body =
      parts.find((part) => part.tagName === 'p' && part !== title && text(part).trim().length > 10) ?? element;
    const start = text(body, (part) => part === title)
      .trim()
      .slice(0, 60);
    if (start !== '') found.push({ label, start });
  }
  return found;
}

const BLOCKS =
  /^(p|div|ul|ol|dl|table|pre|section|blockquote|h[1-6]|article|details|figure|li|dd|dt|td|th|tr|tbody|aside)$/;

function readPassages(inside: readonly Element[], isFurniture: (element: Element) => boolean): string[] {
  const passages: string[] = [];
  for (const element of inside) {
    if (!/^(p|li|td|th|dd|dt|h[1-6]|figcaption|blockquote|div)$/.test(element.tagName)) continue;
    if (isWithin(element, ({ tagName }) => tagName === 'pre')) continue;
    if (descendants(element).some(({ tagName }) => BLOCKS.test(tagName))) continue;
    const passage = text(element, (part) => isFurniture(part) || isMark(part) || isHidden(part))
      // Doxygen's link to the full description.
      .replace(/\s*More\.\.\.\s*$/, '')
      .trim();
    if (passage.length >= 3) passages.push(passage);
  }
  return passages;
}

const PIECE_LENGTH_MIN = 4;

function readFurniture(all: readonly Element[], isFurniture: (element: Element) => boolean, content: string): string[] {
  const pieces = new Set<string>();
  const known = lettersOf(content);
  for (const element of all) {
    if (!isFurniture(element)) continue;
    for (const leaf of [element, ...descendants(element)]) {
      if (leaf.childNodes.some((node) => 'tagName' in node && node.tagName !== 'br')) continue;
      const piece = text(leaf).trim();
      const letters = lettersOf(piece);
      if (letters.length >= PIECE_LENGTH_MIN && !known.includes(letters)) pieces.add(piece);
    }
  }
  return [...pieces];
}

/** Returns only letters and digits, in lower case, for comparisons that ignore marks and spaces. */
export function lettersOf(source: string): string {
  return source.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
