import type { Block, Place } from '../document.ts';
import { headingDepth } from './block-elements.ts';
import { codeBlock, codeCellOf, sourceText } from './code-block.ts';
import { newTerm } from './definition-list.ts';
import { ownAnchor } from './heading.ts';
import { childElements, findElement, HtmlElement } from './html-tree.ts';
import { plainText, renderInline } from './inline.ts';
import { codeSpan, escapeText } from './markdown-text.ts';
import { formulaOfTable } from './math.ts';
import { type GridRow, type TableGrid, tableGrid } from './table-grid.ts';
import { withInnerRows } from './table-inner-rows.ts';
import { anchorOf, idsIn, type Walk } from './walk.ts';

/**
 * Renders a table: as a GFM table if it holds data; cell by cell if it lays out the page or contains what a GFM cell
 * cannot (multi-line code, headings); as code if its other cells are line numbers.
 */
export function tableBlocks(table: HtmlElement, walk: Walk): Block[] {
  const code = codeCellOf(table);
  if (code) {
    const block = codeBlock(code, walk);
    return block ? [...captionBlocks(table, walk), ...fileNameBlocks(table, walk), block] : [];
  }
  const formula = formulaOfTable(table);
  if (formula !== undefined)
    return formula === '' ? [] : [{ ...paragraph(escapeText(formula)), ...walk.anchors.take() }];
  const grid = withInnerRows(tableGrid(table));
  const declaration = declarationRow(grid, walk);
  if (declaration) return [declaration];
  if (table.parent?.hasClass('colist')) return walk.blocksOfElement(calloutList(grid));
  switch (kindOf(table, grid)) {
    case 'layout':
      return [...captionBlocks(table, walk), ...layoutBlocks(grid, walk)];
    case 'sections':
      return sectionBlocks(table, grid, walk);
    case 'records':
      return [
        ...captionBlocks(table, walk),
        ...grid.rows.slice(grid.headerRows).flatMap((row) => recordBlocks(row, grid, walk)),
      ];
    default:
      return [...captionBlocks(table, walk), ...dataBlocks(grid, walk, table.id)];
  }
}

/** Returns the term of a single row with a declaration and its kind in brackets: GAPDoc's `IsInt( obj ) ( category )`. */
function declarationRow(grid: TableGrid, walk: Walk): Block | undefined {
  const [row, next] = grid.rows;
  const [name, kind, third] = row && next === undefined ? startingCells(row) : [];
  const code = name && childElements(name)[0];
  if (code?.name !== 'code' || !kind || third || !/^[([][^()[\]]+[)\]]$/.test(plainText(kind))) return undefined;
  const text = plainText(name!).replace(/^‣\s*/, '');
  const own = /^[\p{L}_][\w.:]*/u.exec(text)?.[0];
  const placed = { anchor: ownAnchor(name!), within: idsIn(name!) };
  return newTerm(`${codeSpan(text)} ${escapeText(plainText(kind))}`, placed, own ? [own] : [], walk);
}

/** Returns the file name that Pygments puts in a row above numbered code. */
function fileNameBlocks(table: HtmlElement, walk: Walk): Block[] {
  const cell = findElement(table, (element) => element.name === 'th' && element.hasClass('filename'));
  return cell ? walk.blocksOf(cell) : [];
}

/** Returns a list of the notes on marked code lines, which Asciidoctor may lay out as rows with a number and a text. */
function calloutList({ rows }: TableGrid): HtmlElement {
  const list = new HtmlElement('ol', '', []);
  for (const { cells } of rows) {
    const item = new HtmlElement('li', '', []);
    item.children = cells.at(-1)?.element.children ?? [];
    list.children.push(item);
  }
  return list;
}

type TableKind = 'layout' | 'sections' | 'records' | 'data';

function kindOf(table: HtmlElement, grid: TableGrid): TableKind {
  const { role } = table;
  if (role === 'presentation' || role === 'none' || grid.rows.length === 0) return 'layout';
  let hasHead = grid.headerRows > 0;
  let isLayout = false;
  let hasLargeCode = false;
  let hasStructure = false;
  let hasLongStructure = false;
  let headCells = 0;
  findElement(table, (element) => {
    const { name } = element;
    if (headingDepth(element) > 0 || (name === 'table' && !codeCellOf(element))) isLayout = true;
    else if (name === 'pre') hasLargeCode ||= sourceText(element).includes('\n');
    else if (name === 'dl' || name === 'blockquote') {
      hasStructure = true;
      hasLongStructure ||= element.textLength > ENTRY_LENGTH_MAX;
    } else if (name === 'th' && element.textLength > 0) headCells++;
    return isLayout;
  });
  hasHead ||= headCells > 0;
  if (isLayout) return hasSections(table, grid) ? 'sections' : 'layout';
  if (grid.columns <= 1 && (headCells === 0 || grid.rows.length < 2)) return 'layout';
  if (hasLargeCode || (hasHead ? hasLongStructure : hasStructure)) {
    return hasHead || grid.columns > 1 ? 'records' : 'layout';
  }
  if (!hasHead && (isProse(table, grid) || isListInColumns(grid))) return 'layout';
  return 'data';
}

/**
 * Sphinx turns an indented second line in a cell into a term's body or a quotation; only short ones fit on one line.
 */
const ENTRY_LENGTH_MAX = 200;

/** Returns true if full-width headings divide rows of data. Doxygen's member lists have a different layout. */
function hasSections(table: HtmlElement, grid: TableGrid): boolean {
  if (grid.columns < 2 || table.hasClass('memberdecls')) return false;
  let rows = 0;
  for (const row of grid.rows) {
    const cells = startingCells(row);
    if (cells.length > 1) rows++;
    if (!isTitle(row, grid.columns) && cells.some((cell) => findElement(cell, isLarge) !== undefined)) return false;
  }
  return rows > 0;
}

const isLarge = (element: HtmlElement): boolean =>
  headingDepth(element) > 0 || /^(?:table|pre|dl|blockquote)$/.test(element.name);

function sectionBlocks(table: HtmlElement, grid: TableGrid, walk: Walk): Block[] {
  const out = captionBlocks(table, walk);
  let rows: GridRow[] = [];
  const flush = (): void => {
    if (rows.length > 0) out.push(...dataBlocks({ ...grid, rows, headerRows: 0 }, walk, undefined));
    rows = [];
  };
  for (const row of grid.rows) {
    const [only, second] = startingCells(row);
    if (only && !second && findElement(only, isLarge)) {
      flush();
      for (const block of cellBlocks(only, walk)) out.push(block);
    } else {
      rows.push(row);
    }
  }
  flush();
  return out;
}

const PROSE_CELL_LENGTH_MIN = 600;

/** Returns true if the cells are so long that they are page columns, not table entries. */
function isProse(table: HtmlElement, grid: TableGrid): boolean {
  return (
    grid.rows.length <= 2 && table.textLength / Math.max(1, grid.columns * grid.rows.length) > PROSE_CELL_LENGTH_MIN
  );
}

/** Returns true for one row of cells that each contain a list, as in Sphinx's index and short lists. */
function isListInColumns({ rows }: TableGrid): boolean {
  const cells = rows.flatMap(startingCells).filter(({ textLength }) => textLength > 0);
  const isList = (cell: HtmlElement): boolean =>
    cell.children.some(
      (child) => 'name' in child && /^[uo]l$/.test(child.name) && child.textLength === cell.textLength,
    );
  return rows.length === 1 && cells.length > 0 && cells.every(isList);
}

/** Renders the cells one after the other; rows of several short cells become list items. */
function layoutBlocks(grid: TableGrid, walk: Walk): Block[] {
  const out: Block[] = [];
  let items: string[] = [];
  let places: Place[] = [];
  let template = '';
  const flush = (): void => {
    if (items.length > 0) out.push({ type: 'list', markdown: items.join('\n'), ...(places.length > 0 && { places }) });
    items = [];
    places = [];
  };
  for (const row of grid.rows) {
    const cells = startingCells(row);
    const [only] = cells;
    if (cells.length === 1 && only?.hasClass('memTemplParams')) {
      template = renderInline(only.children, walk.addresses, { isOneLine: true });
      for (const id of idsIn(row.element)) places.push({ id, line: items.length });
      continue;
    }
    const isEntry = grid.columns > 1 && cells.length > 1 && cells.every((cell) => !cell.hasBlock);
    if (isEntry) {
      addEntry(items, cells, walk, template);
      for (const id of idsIn(row.element)) places.push({ id, line: Math.max(0, items.length - 1) });
      template = '';
      continue;
    }
    walk.anchors.note(row.element.id);
    const blocks = cells.flatMap((cell) => cellBlocks(cell, walk));
    if (blocks.length > 0) flush();
    for (const block of blocks) out.push(block);
  }
  flush();
  return out;
}

/** Adds a row to the items. A row with an empty first cell continues the previous entry. */
function addEntry(items: string[], cells: readonly HtmlElement[], walk: Walk, template: string): void {
  const texts = cells.map((cell) => renderInline(cell.children, walk.addresses, { isOneLine: true }));
  const text = [template, ...texts].filter(Boolean).join(' ');
  if (text === '') return;
  // Doxygen's constructors have no type before their name but are separate entries.
  const isMember = cells.some((cell) => cell.hasClass('memItemRight') || cell.hasClass('memTemplItemRight'));
  const isContinued = !isMember && texts[0] === '' && items.length > 0 && texts.filter(Boolean).length === 1;
  if (isContinued) items[items.length - 1] += ` — ${text}`;
  else items.push(`- ${text}`);
}

function startingCells(row: GridRow): HtmlElement[] {
  return row.cells.filter((cell) => cell?.isStart && !cell.isFromAbove).map((cell) => cell!.element);
}

function cellBlocks(cell: HtmlElement, walk: Walk): Block[] {
  walk.anchors.note(cell.id);
  return walk.blocksOf(cell);
}

function captionBlocks(table: HtmlElement, walk: Walk): Block[] {
  const caption = table.children.find((child): child is HtmlElement => 'name' in child && child.name === 'caption');
  if (!caption) return [];
  const text = renderInline(caption.children, walk.addresses, { isOneLine: true, isPlain: true });
  return text === '' ? [] : [{ type: 'paragraph', markdown: `**${text}**` }];
}

/** Renders one row as labelled blocks: the first cell is its name, the others follow under their column headers. */
function recordBlocks(row: GridRow, grid: TableGrid, walk: Walk): Block[] {
  const headers = grid.headerRows > 0 ? headerTexts(grid, walk) : [];
  const out: Block[] = [];
  walk.anchors.note(row.element.id);
  row.cells.forEach((cell, column) => {
    if (!cell?.isStart || cell.isFromAbove) return;
    const blocks = cellBlocks(cell.element, walk);
    const isLabel = cell.element.name === 'th' || (column === 0 && grid.columns > 1 && cell.element.textLength <= 80);
    const first = blocks[0];
    if (isLabel && blocks.length === 1 && first?.type === 'paragraph') {
      out.push({ ...first, markdown: first.markdown.startsWith('**') ? first.markdown : `**${first.markdown}**` });
      return;
    }
    const header = headers[column];
    if (header && blocks.length > 0) out.push({ type: 'paragraph', markdown: `**${header}:**` });
    for (const block of blocks) out.push(block);
  });
  return out;
}

function headerTexts(grid: TableGrid, walk: Walk): string[] {
  const texts: string[] = [];
  for (let column = 0; column < grid.columns; column++) {
    const parts: string[] = [];
    for (const row of grid.rows.slice(0, grid.headerRows)) {
      const cell = row.cells[column];
      if (!cell || cell.isFromAbove || (column > 0 && isTitle(row, grid.columns))) continue;
      const text = cellText(cell.element, walk).replace(/^\*\*([^*]*)\*\*$/, '$1');
      if (text !== '' && parts[parts.length - 1] !== text) parts.push(text);
    }
    texts.push(parts.join(' '));
  }
  return texts;
}

/** Renders javadoc's grid of `div` elements as a table: header cells first, then the others row by row. */
export function gridBlocks(grid: HtmlElement, walk: Walk): Block[] | undefined {
  const cells = grid.children.filter((child): child is HtmlElement => 'name' in child);
  const headers = cells.filter((cell) => cell.hasClass('table-header'));
  if (headers.length === 0 || cells.length <= headers.length) return undefined;
  const placed = walk.anchors.take();
  const texts = cells.map((cell) => cellText(cell, walk));
  const lines = [tableLine(texts.slice(0, headers.length)), tableLine(headers.map(() => '---'))];
  const places = [...(placed.places ?? [])];
  for (let at = headers.length; at < texts.length; at += headers.length) {
    for (const id of cells.slice(at, at + headers.length).flatMap(idsIn)) places.push({ id, line: lines.length });
    lines.push(tableLine(texts.slice(at, at + headers.length)));
  }
  walk.anchors.take();
  return [{ type: 'table', markdown: lines.join('\n'), ...placed, ...(places.length > 0 && { places }) }];
}

function dataBlocks(given: TableGrid, walk: Walk, id: string | undefined): Block[] {
  const grid = isSectioned(given) ? { ...given, headerRows: 0 } : given;
  const placed = walk.anchors.take(id);
  const anchor = placed.anchor ?? firstAnchor(grid);
  const header = grid.headerRows > 0 ? headerTexts(grid, walk) : [];
  const rows = grid.rows.slice(grid.headerRows).map((row) => rowTexts(row, grid.columns, walk));
  moveTitles(grid, header, rows);
  const used = usedColumns(header, rows, grid.columns);
  const filled = rows.filter((row) => row.some((text) => text !== ''));
  const places = [...(placed.places ?? []), ...rowPlaces(grid, rows)];
  walk.anchors.take();
  if (used.length === 0 || (filled.length === 0 && !header.some(Boolean))) return [];
  if (used.length === 1 && !header.some(Boolean)) {
    const ofRows = Map.groupBy(places, ({ line }) => Math.max(0, line - 2));
    return filled.map((row, at) => {
      const own = (ofRows.get(at) ?? []).map(({ id: of }) => ({ id: of, line: 0 }));
      return { ...paragraph(row[used[0]!]!), ...(own.length > 0 && { places: own }) };
    });
  }
  const lines = [
    tableLine(used.map((column) => header[column] ?? '')),
    tableLine(used.map(() => '---')),
    ...filled.map((row) => tableLine(used.map((column) => row[column] ?? ''))),
  ];
  const ids = { ...placed, ...(anchor && { anchor }), ...(places.length > 0 && { places }) };
  return [{ type: 'table', markdown: lines.join('\n'), ...ids }];
}

/** Returns true if one cell spans the whole width: it is a title for the rows below. */
function isTitle(row: GridRow, columns: number): boolean {
  const [first] = row.cells;
  return (
    columns > 1 &&
    row.cells.length === columns &&
    row.cells.every((cell) => cell?.element === first?.element && !cell?.isFromAbove)
  );
}

/** Returns true if the first of several titles serves as the header: it titles its rows, not the table. */
function isSectioned({ rows, columns, headerRows }: TableGrid): boolean {
  const [first, ...others] = rows;
  return (
    headerRows === 1 && first !== undefined && isTitle(first, columns) && others.some((row) => isTitle(row, columns))
  );
}

/** Moves titles to the first column in which other rows have text, so that no column contains only titles. */
function moveTitles({ rows, columns, headerRows }: TableGrid, header: string[], texts: readonly string[][]): void {
  const isOfTitle = rows.map((row) => isTitle(row, columns));
  const others = texts.filter((_, at) => !isOfTitle[at + headerRows]);
  const column = Array.from({ length: columns }).findIndex((_, at) => others.some((row) => row[at] !== ''));
  if (column <= 0) return;
  const titles = texts.filter((_, at) => isOfTitle[at + headerRows]);
  if (headerRows > 0 && isOfTitle.slice(0, headerRows).every(Boolean)) titles.push(header);
  for (const title of titles) {
    title[column] = title[0] ?? '';
    title[0] = '';
  }
}

/**
 * Returns the ids of rows and their descendants with their lines; ids of an empty row get the line of the row before.
 */
function rowPlaces({ rows, headerRows }: TableGrid, texts: readonly string[][]): Place[] {
  let line = 1;
  return rows.flatMap((row, at) => {
    if (at >= headerRows && texts[at - headerRows]!.some((text) => text !== '')) line++;
    return idsIn(row.element).map((id) => ({ id, line: at < headerRows ? 0 : line }));
  });
}

/** Returns the table's first anchor: PasDoc uses a one-row table for each member, with its anchor in a cell. */
function firstAnchor({ rows }: TableGrid): string | undefined {
  const [first] = rows;
  const anchor = first && findElement(first.element, (element) => anchorOf(element) !== undefined);
  return first?.element.id ?? (anchor && anchorOf(anchor));
}

const paragraph = (markdown: string): Block => ({ type: 'paragraph', markdown: markdown.replace(/\\\|/g, '|') });
const tableLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function rowTexts(row: GridRow, columns: number, walk: Walk): string[] {
  const texts: string[] = [];
  for (let column = 0; column < columns; column++) {
    const cell = row.cells[column];
    if (!cell?.isStart) {
      texts.push('');
      continue;
    }
    const text = cellText(cell.element, walk);
    texts.push(cell.isFromAbove && text.length > REPEATED_LENGTH_MAX ? '' : text);
  }
  return texts;
}

// A value that spans several rows is repeated in each, so that every row is complete, unless it is longer than this.
const REPEATED_LENGTH_MAX = 80;

function usedColumns(header: readonly string[], rows: readonly string[][], columns: number): number[] {
  const used: number[] = [];
  for (let column = 0; column < columns; column++) {
    if (header[column] || rows.some((row) => row[column] !== '')) used.push(column);
  }
  return used;
}

/** Returns a cell on one line with pipes escaped; paragraphs are joined, list items get a bullet. */
function cellText(cell: HtmlElement, walk: Walk): string {
  const text = cell.hasBlock
    ? walk.blocksOf(cell).map(blockLine).filter(Boolean).join(' ')
    : renderInline(cell.children, walk.addresses, { isOneLine: true });
  return text.replace(/(?<!\\)\|/g, '\\|');
}

function blockLine(block: Block): string {
  switch (block.type) {
    case 'code':
      return codeSpan(block.markdown.split('\n').slice(1, -1).join(' '));
    case 'list':
      return block.markdown
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) =>
          line.replace(/^\s*(?:[-*]|(\d+\.))\s+/, (_marker, number?: string) => (number ? `${number} ` : '• ')).trim(),
        )
        .join(' ');
    case 'quote':
    case 'admonition':
      return block.markdown
        .split('\n')
        .map((line) => line.replace(/^(?:> ?)+/, ''))
        .filter(Boolean)
        .join(' ');
    default:
      return block.markdown.replace(/(?:(?<!\s)\s+)?\n\s*/g, ' ');
  }
}
