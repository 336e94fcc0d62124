import { childElements, HtmlElement, type HtmlNode, HtmlText, squashedText, textOf } from '../../extract/html-tree.ts';
import { callouts, htmlNames, noteKinds } from './elements.ts';
import { sections } from './prolog.ts';
import { synopses, synopsisText } from './synopsis.ts';

const headingDepthMax = 6;
/**
 * Limits for placing cells by column name: the number of columns, and of empty cells added per page; real tables stay
 * below.
 */
const columnsPlacedMax = 64;
const emptyCellsMax = 20_000;
const metadata =
  /^(?:info|(?:book|article|set|part|preface|chapter|appendix|section|sect[1-5]|reference|refentry|refsect[1-3]|refsynopsisdiv|object|glossary|bibliography)info)$/;
const aboveRows = /^(?:title|caption|textobject|desc)$/;
/** Marks and words that are normally added by the style sheet. */
const writtenMarks: Readonly<Record<string, [string, string]>> = {
  ...{ xmlelement: ['<', '>'], xmlatt: ['@', ''], xmlpi: ['<?', '?>'], textentity: ['&', ';'], optional: ['[', ']'] },
  ...{ glosssee: ['See ', ''], glossseealso: ['See also ', ''] },
};

/** Converts a DocBook or DITA tree to an HTML page. */
export function toHtml(document: HtmlElement, isPhp: boolean): HtmlElement {
  const writer = new HtmlWriter(document, isPhp);
  const body = make('body', writer.nodesOf(document, 1));
  return make('#document', [make('html', [body])]);
}

function make(name: string, children: readonly HtmlNode[], attributes: Record<string, string | undefined> = {}) {
  const entries = Object.entries(attributes);
  const given = entries.flatMap(([key, value]) => (value === undefined ? [] : [{ name: key, value }]));
  const element = new HtmlElement(name, '', given);
  element.children = [...children];
  for (const child of children) child.parent = element;
  return element;
}

class HtmlWriter {
  readonly #isPhp: boolean;
  readonly #byId = new Map<string, HtmlElement>();
  readonly #columns = new Map<HtmlElement, ReadonlyMap<string, number>>();
  readonly #reaching = new Map<HtmlElement, readonly number[]>();
  readonly #names = new Map<string, string>();
  #callouts = 0;
  #emptyCells = 0;

  constructor(document: HtmlElement, isPhp: boolean) {
    this.#isPhp = isPhp;
    const waiting = [document];
    for (let element = waiting.pop(); element; element = waiting.pop()) {
      if (element.id !== undefined && !this.#byId.has(element.id)) this.#byId.set(element.id, element);
      for (const child of element.children) if (child instanceof HtmlElement) waiting.push(child);
    }
  }

  /** Returns an element's children as HTML; `depth` is the heading depth of sections among them. */
  nodesOf(element: HtmlElement, depth: number, leftOut: readonly (HtmlNode | undefined)[] = []): HtmlNode[] {
    const nodes: HtmlNode[] = [];
    for (const child of element.children) {
      if (leftOut.includes(child)) continue;
      if (child instanceof HtmlText) nodes.push(new HtmlText(child.value));
      else for (const node of this.#element(child, depth)) nodes.push(node);
    }
    return nodes;
  }

  #element(element: HtmlElement, depth: number): HtmlNode[] {
    const { name, id } = element;
    const parent = element.parent?.name ?? '';
    if (sections.has(name) || (name === 'glossentry' && parent === '#document')) return this.#section(element, depth);
    if (metadata.test(name) && !/^(?:sub)?step$/.test(parent)) {
      const isTitled = sections.has(parent);
      const shown = childElements(element).filter(
        (child) => /^(?:subtitle|abstract)$/.test(child.name) || (child.name === 'title' && !isTitled),
      );
      return shown.flatMap((child) => this.#element(child, depth));
    }
    if (synopses.test(name)) return [this.#code(synopsisText(element, this.#isPhp), id, this.#isPhp ? 'php' : '')];
    if (callouts.has(name)) {
      if (element.children.length === 0) return [];
      const kind = noteKinds[element.attribute('type') ?? ''] ?? (name === 'hazardstatement' ? 'warning' : name);
      return [make('div', this.nodesOf(element, depth), { id, class: kind })];
    }
    switch (name) {
      case 'title':
        return [make('p', this.nodesOf(element, depth), { id, class: 'title' })];
      case 'bridgehead':
        return [this.#heading(this.nodesOf(element, depth), depth, id)];
      case 'varlistentry':
      case 'dlentry':
      case 'plentry':
      case 'glossentry':
        return this.#entry(element, depth);
      case 'tgroup':
        return this.nodesOf(element, depth);
      case 'footnote':
      case 'fn':
        return [new HtmlText(` (${squashedText(element)})`)];
      case 'co':
        this.#callouts += 1;
        return [new HtmlText(`(${this.#callouts})`)];
      case 'keycombo':
      case 'menuchoice':
      case 'menucascade':
        return this.#joined(element, name === 'keycombo' ? '+' : ' > ', depth);
      case 'personname':
        return this.#joined(element, ' ', depth);
      case 'textobject':
        if (parent === 'inlinemediaobject') return this.nodesOf(element, depth);
        return this.#byTable(element, depth);
      case 'citerefentry':
        return [make('code', [new HtmlText(citationOf(element))])];
      case 'image':
        return [new HtmlText(element.attribute('alt') ?? squashedText(element))];
      default:
        return this.#byTable(element, depth);
    }
  }

  #byTable(element: HtmlElement, depth: number): HtmlNode[] {
    const { name, id } = element;
    const html = htmlNames.get(name) ?? 'span';
    switch (html) {
      case '':
        if (!isInText(element)) return [];
        return childElements(element).length === 0 ? this.nodesOf(element, depth) : this.#joined(element, ' ', depth);
      case 'a':
        return this.#link(element, depth);
      case 'pre': {
        this.#callouts = 0;
        const language = element.attribute('language') ?? (name === 'screen' ? '' : element.attribute('role'));
        const css = element.attribute('outputclass') ?? '';
        const written = language || (/\blanguage-([\w+#-]+)/.exec(css)?.[1] ?? /^[\w+#-]+$/.exec(css)?.[0] ?? '');
        return [this.#code(textOf(make('pre', this.nodesOf(element, depth))), id, written)];
      }
      case 'ul':
      case 'ol':
      case 'dl':
        if (element.attribute('type') === 'inline') return this.#joined(element, ', ', depth);
        return this.#titled(element, html, depth);
      case 'table':
        return [...this.#aboveRows(element, depth), make('table', this.#table(element, depth), { id })];
      case 'tr':
        return [make('tr', this.#row(element, depth), { id })];
      case 'td':
      case 'th':
        return [this.#cell(element, depth)];
      case 'em':
        return [
          make(
            /^(?:bold|strong)$/.test(element.attribute('role') ?? '') ? 'strong' : 'em',
            this.nodesOf(element, depth),
            { id },
          ),
        ];
      default:
        return [
          make(html, this.#marked(element, depth), { id, class: isTypeOfTerm(element) ? 'classifier' : undefined }),
        ];
    }
  }

  #marked(element: HtmlElement, depth: number): HtmlNode[] {
    if (element.name === 'type' && /^(?:union|intersection)$/.test(element.className))
      return this.#joined(element, element.className === 'union' ? '|' : '&', depth);
    const nodes = element.children.length === 0 ? keyOf(element) : this.nodesOf(element, depth);
    const [before, after] = writtenMarks[element.name] ?? [];
    return before === undefined ? nodes : [new HtmlText(before), ...nodes, new HtmlText(after ?? '')];
  }

  #section(element: HtmlElement, depth: number): HtmlNode[] {
    const title = titleOf(element);
    // A question usually is one paragraph.
    const parts = title ? childElements(title).filter(({ name }) => name.endsWith('para')) : [];
    const line = title?.name === 'question' ? (parts[0] ?? title) : title;
    const named = childElements(element).find(({ name }) => name === 'refnamediv');
    const refnames = named ? childElements(named).filter(({ name }) => name === 'refname') : [];
    const heading =
      refnames.length > 0
        ? refnames.flatMap((name, at) => [...(at === 0 ? [] : [new HtmlText(', ')]), refnameOf(name)])
        : line && this.nodesOf(line, depth);
    const body = [
      ...(named ? childElements(named) : [])
        .filter(({ name }) => name !== 'refname')
        .flatMap((part) => this.#element(part, depth + 1)),
      ...(title && line !== title ? this.nodesOf(title, depth + 1, [line]) : []),
      ...this.nodesOf(element, heading ? depth + 1 : depth, [title, named]),
    ];
    if (heading) body.unshift(this.#heading(heading, depth, element.id ?? title?.id));
    return [make('div', body, heading ? {} : { id: element.id })];
  }

  #heading(nodes: readonly HtmlNode[], depth: number, id: string | undefined): HtmlElement {
    return make(`h${Math.min(depth, headingDepthMax)}`, nodes, { id });
  }

  #code(text: string, id: string | undefined, language: string): HtmlElement {
    const shown = new HtmlText(text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd());
    const css = /^[a-z][\w+#-]{0,19}$/i.test(language) ? `language-${language}` : undefined;
    return make('pre', [shown], { id, class: css });
  }

  /** Returns terms with their descriptions. */
  #entry(element: HtmlElement, depth: number): HtmlNode[] {
    const parts = childElements(element).flatMap((part, at) => {
      const isTerm = /^(?:term|glossterm|dt|pt)$/.test(part.name);
      const id = part.id ?? (at === 0 ? element.id : undefined);
      return [make(isTerm ? 'dt' : 'dd', this.#marked(part, depth), { id })];
    });
    const isInList = htmlNames.get(element.parent?.name ?? '') === 'dl';
    return isInList ? parts : [make('dl', parts)];
  }

  /** Returns a list, with its title and other leading elements above it. */
  #titled(element: HtmlElement, html: string, depth: number): HtmlNode[] {
    const isAbove = (child: HtmlNode) => child instanceof HtmlElement && /^(?:title|info|blockinfo)$/.test(child.name);
    const above = childElements(element).filter(isAbove);
    const list = make(html, [], { id: element.id });
    const items = element.children.filter((child) => !isAbove(child));
    list.children = items.flatMap((child) => (child instanceof HtmlText ? [] : this.#element(child, depth)));
    for (const child of list.children) child.parent = list;
    return [...above.flatMap((child) => this.#element(child, depth)), list];
  }

  #table(element: HtmlElement, depth: number): HtmlNode[] {
    const heads = childElements(element).filter(({ name }) => name === 'segtitle');
    const rows = childElements(element).filter(
      ({ name }) => name !== 'segtitle' && !aboveRows.test(name) && !metadata.test(name),
    );
    const head = heads.map((child) => this.#cell(child, depth));
    return [...(head.length > 0 ? [make('tr', head)] : []), ...rows.flatMap((child) => this.#element(child, depth))];
  }

  /** Returns a table's title and description. */
  #aboveRows(element: HtmlElement, depth: number): HtmlNode[] {
    const above = childElements(element).filter(({ name }) => aboveRows.test(name) || metadata.test(name));
    return above.flatMap((child) => this.#element(child, depth));
  }

  /** Returns a row's cells, with empty cells added before a cell that names a later column. */
  #row(element: HtmlElement, depth: number): HtmlNode[] {
    const part = element.parent;
    const columns = this.#columnsOf(part?.parent);
    // Number of rows by which cells from above reach into this row, by column.
    const reaching = (part && this.#reaching.get(part)) ?? [];
    const next = reaching.map((rows) => Math.max(0, rows - 1));
    const cells: HtmlNode[] = [];
    let at = 0;
    for (const child of childElements(element)) {
      const [cell] = this.#element(child, depth);
      if (!(cell instanceof HtmlElement)) continue;
      const wanted = columns.get(child.attribute('colname') ?? child.attribute('namest') ?? '') ?? 0;
      for (; (reaching[at] ?? 0) > 0 || (at < wanted && this.#emptyCells < emptyCellsMax); at += 1) {
        if (reaching[at]) continue;
        cells.push(make(cell.name, []));
        this.#emptyCells += 1;
      }
      cells.push(cell);
      const end = at + spanOf(cell, 'colspan');
      for (; at < end; at += 1) if (at < columnsPlacedMax) next[at] = spanOf(cell, 'rowspan') - 1;
    }
    if (part) this.#reaching.set(part, next);
    return cells;
  }

  #cell(element: HtmlElement, depth: number): HtmlElement {
    const row = element.parent;
    const isHead = /^(?:sthead|chhead|prophead)$/.test(row?.name ?? '') || row?.parent?.name === 'thead';
    const name = isHead || htmlNames.get(element.name) === 'th' ? 'th' : 'td';
    const more = Number(element.attribute('morerows') ?? 0);
    const columns = this.#columnsOf(row?.parent?.parent);
    const from = columns.get(element.attribute('namest') ?? '');
    const to = columns.get(element.attribute('nameend') ?? '');
    const span = from !== undefined && to !== undefined && to > from ? `${to - from + 1}` : undefined;
    return make(name, this.nodesOf(element, depth), {
      id: element.id,
      colspan: span ?? element.attribute('colspan'),
      rowspan: more > 0 && more < 1_000 ? `${more + 1}` : element.attribute('rowspan'),
    });
  }

  /** Maps the column names of a table group to their positions. */
  #columnsOf(group: HtmlElement | null | undefined): ReadonlyMap<string, number> {
    const known = group && this.#columns.get(group);
    if (known || !group) return known ?? new Map();
    const specs = childElements(group).filter(({ name }) => name === 'colspec');
    const columns = new Map(specs.map((spec, at) => [spec.attribute('colname') ?? `${at + 1}`, at]));
    this.#columns.set(group, columns);
    return columns;
  }

  #joined(element: HtmlElement, mark: string, depth: number): HtmlNode[] {
    return childElements(element).flatMap((child, at) => {
      const nodes = htmlNames.get(child.name) === 'li' ? this.nodesOf(child, depth) : this.#element(child, depth);
      return at === 0 ? nodes : [new HtmlText(mark), ...nodes];
    });
  }

  #link(element: HtmlElement, depth: number): HtmlNode[] {
    const { id } = element;
    const target = element.attribute('linkend') ?? '';
    const written = element.attribute('url') ?? element.attribute('href') ?? '';
    // DITA links name the topic before the element inside it.
    const href = written.replace(/#(?:[^/#]*\/)?/, '#') || (this.#byId.has(target) ? `#${target}` : undefined);
    const text = childElements(element).find(({ name }) => name === 'linktext');
    let nodes = this.nodesOf(text ?? element, depth);
    if (nodes.every((node) => textOf(node).trim() === '') && element.name !== 'anchor')
      nodes = [new HtmlText(this.#nameOf(target || written.split('#').at(-1) || '', written)), ...keyOf(element)];
    const link = make('a', nodes, { id, href });
    return element.parent && /^(?:related-links|linklist|linkpool)$/.test(element.parent.name)
      ? [make('div', [link])]
      : [link];
  }

  /** Returns the text of a link without text: its target's title on the page, or a name derived from the address. */
  #nameOf(target: string, written: string): string {
    const known = this.#names.get(target) ?? this.#titleOfId(target);
    this.#names.set(target, known);
    if (known !== '') return known;
    if (/^[a-z]+:/i.test(written)) return written;
    const file = written
      .split('#')[0]
      ?.split('/')
      .at(-1)
      ?.replace(/\.(?:dita|xml)$/, '');
    return file ? file.replace(/[-_]/g, ' ') : target;
  }

  #titleOfId(id: string): string {
    const found = this.#byId.get(id);
    const children = found ? childElements(found) : [];
    const named = children.find(({ name }) => name === 'refnamediv');
    const title = named
      ? childElements(named)[0]
      : found && (titleOf(found) ?? children.find(({ name }) => /^(?:term|dt)$/.test(name)));
    return title ? squashedText(title) : '';
  }
}

/** Returns the number of rows or columns that a cell spans. */
function spanOf(cell: HtmlElement, name: 'colspan' | 'rowspan'): number {
  const span = Number(cell.attribute(name) ?? 1);
  return span >= 1 && span < 1_000 ? Math.floor(span) : 1;
}

/** Returns a manual page's citation: `tea(7)`. */
function citationOf(element: HtmlElement): string {
  const parts = childElements(element).map((part) =>
    part.name === 'manvolnum' ? `(${squashedText(part)})` : squashedText(part),
  );
  return parts.join('');
}

/** Returns true if dates and people are part of a sentence or bibliography rather than metadata. */
function isInText({ name, parent }: HtmlElement): boolean {
  const within = parent?.name ?? '';
  const isData = sections.has(within) || within.endsWith('info') || htmlNames.get(within) === '';
  return /^(?:author|editor|edition|pubdate|date|copyright|releaseinfo)$/.test(name) && !isData;
}

/** Returns true for a type after a name, which is not part of the name. */
function isTypeOfTerm(element: HtmlElement): boolean {
  const { name, parent } = element;
  return (
    name === 'type' &&
    parent?.name === 'term' &&
    parent.children.find((child) => child instanceof HtmlElement) !== element
  );
}

/** Returns the key of content that DITA takes from elsewhere, for use as its text. */
function keyOf(element: HtmlElement): HtmlNode[] {
  const key = element.attribute('keyref') ?? element.attribute('conkeyref') ?? '';
  const isWord = !/^(?:div|li|pre|table|[duo]l)$/.test(htmlNames.get(element.name) ?? '');
  return key === '' || !isWord ? [] : [new HtmlText(key.split('/').at(-1) ?? '')];
}

/** Returns an element's title, also from its metadata; for a Q&A entry, the question. */
function titleOf(element: HtmlElement): HtmlElement | undefined {
  const wanted = /^(?:qandaentry|glossentry)$/.test(element.name) ? /^(?:question|glossterm)$/ : /^title$/;
  const children = childElements(element);
  return [...children, ...children.filter(({ name }) => metadata.test(name)).flatMap(childElements)].find(({ name }) =>
    wanted.test(name),
  );
}

/** Returns a name as code, or as text if it is a phrase. */
function refnameOf(element: HtmlElement): HtmlNode {
  const text = squashedText(element);
  return text.includes(' ') ? new HtmlText(text) : make('code', [new HtmlText(text)]);
}
