import type { PageText, TextRun } from './page-text.ts';

/** A node in a tagged page's structure, as PDF.js returns it: an element with a role, or the id of marked content. */
export interface StructureNode {
  role?: string;
  type?: string;
  id?: string;
  children?: StructureNode[];
}

const depthMax = 60;
/** A table with longer cells is page layout. */
const cellCharsMax = 2_000;

/**
 * Adds information that only tags contain: which runs are table cells, headings or paragraphs, and which list items
 * have drawn bullets. `nodes` is the page's whole structure; `contentOf` returns the id of the marked content that
 * contains a run.
 */
export function withTags(
  page: PageText,
  nodes: readonly StructureNode[],
  contentOf: (run: TextRun) => string | undefined,
): PageText {
  const contents = Map.groupBy(page.runs, contentOf);
  // Several elements can name the same content: its text belongs to the first one.
  const first = new Map<string | undefined, StructureNode>();
  for (const node of nodes) if (node.type === 'content' && !first.has(node.id)) first.set(node.id, node);
  const runsOf = (node: StructureNode) =>
    [node, ...nodesOf(node)]
      .filter((part) => first.get(part.id) === part)
      .flatMap(({ id }) => contents.get(id) ?? [])
      .filter(({ text }) => text.trim() !== '');
  for (const node of nodes) {
    const heading = { depth: Number(/^H([1-6])$/.exec(node.role ?? '')?.[1]) };
    if (heading.depth > 0) for (const run of runsOf(node)) run.heading = heading;
    // Nested paragraphs come later and overwrite outer ones.
    if (isParagraph(node)) for (const run of runsOf(node)) run.paragraph = node;
  }
  const bullets = new Map(nodes.filter(({ role }) => role === 'LI').flatMap((item) => bulletOf(item, runsOf)));
  const withBullets = (runs: readonly TextRun[]) => runs.flatMap((run) => [...(bullets.get(run) ?? []), run]);
  const tables = nodes
    .filter(({ role }) => role === 'Table')
    .map((table) => rowsOf(table, runsOf))
    .filter((rows) => rows.length > 1 && rows.filter((cells) => cells.length > 1).length > rows.length / 2);
  const inTables = new Set(tables.flat(3));
  return {
    ...page,
    runs: withBullets(page.runs.filter((run) => !inTables.has(run))),
    tables: tables.map((rows) => rows.map((cells) => cells.map(withBullets))),
  };
}

/** Returns all descendants in reading order. */
export function nodesOf({ children = [] }: StructureNode, depth = 0): StructureNode[] {
  return depth > depthMax ? [] : children.flatMap((child) => [child, ...nodesOf(child, depth + 1)]);
}

/**
 * Returns true for a paragraph or a list item's text. Browsers tag neither the item's text nor a `div`, which appears
 * as an element nested in others.
 */
function isParagraph(node: StructureNode): boolean {
  if (node.role !== 'LI') return node.role === 'P' || node.role === 'LBody';
  const isBlock = ({ role, children = [] }: StructureNode) =>
    role === 'NonStruct' && children.some((child) => child.role !== undefined);
  return !nodesOf(node).some(isBlock);
}

type RunsOf = (node: StructureNode) => TextRun[];

/** Returns each row's cells that have text. Returns none for page layout and for code beside its line numbers. */
function rowsOf(table: StructureNode, runsOf: RunsOf): TextRun[][][] {
  const nodes = nodesOf(table);
  if (nodes.some(({ role = '' }) => role === 'Table' || /^H\d?$/.test(role))) return [];
  const rows = nodes
    .filter(({ role }) => role === 'TR')
    .map(({ children = [] }) =>
      children
        .filter(({ role }) => role === 'TD' || role === 'TH')
        .map(runsOf)
        .filter(({ length }) => length > 0),
    )
    .filter(({ length }) => length > 0);
  return rows.flat().some((cell) => isCode(cell) || lengthOf(cell) > cellCharsMax) ? [] : rows;
}

const lengthOf = (runs: readonly TextRun[]) => runs.reduce((sum, { text }) => sum + text.length, 0);
const isCode = (runs: readonly TextRun[]) =>
  runs.every(({ isMono }) => isMono) && new Set(runs.map(({ y }) => y)).size > 2;

/** Returns the bullet of an item whose label has no text, with the run that follows it. */
function bulletOf(item: StructureNode, runsOf: RunsOf): [TextRun, TextRun[]][] {
  const labels = (item.children ?? []).filter(({ role }) => role === 'Lbl');
  const first = runsOf(item)[0];
  if (labels.length === 0 || labels.flatMap(runsOf).length > 0 || first === undefined) return [];
  const { size, x0 } = first;
  return [[first, [{ ...first, text: '•', x0: x0 - size, x1: x0 - size * 0.6, isMono: false }]]];
}
