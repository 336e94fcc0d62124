import type { ExtractedDocument } from '../../document.ts';
import { fenced, titleFromUrl } from '../draft.ts';
import { openMarkdown } from '../markdown/extract-markdown.ts';
import { codeSpan, escapeMarkdown, listItem, oneLine, tableMarkdown } from '../write-markdown.ts';
import { parseRd, type RdMacro, type RdNode } from './parse-rd.ts';

/** Headings of sections with a dedicated macro, as shown in R's help. */
const headings: Readonly<Record<string, string>> = {
  ...{ description: 'Description', usage: 'Usage', arguments: 'Arguments', format: 'Format', details: 'Details' },
  ...{ value: 'Value', note: 'Note', source: 'Source', references: 'References', author: 'Author' },
  ...{ seealso: 'See also', examples: 'Examples' },
};

/** Extracts an R help file (`man/*.Rd`): sections as headings, arguments as entries, usage and examples as code. */
export function extractRd(text: string, { url }: { url: string }): ExtractedDocument {
  const { draft, read, anchorOf } = openMarkdown(url);
  const macros = parseRd(text).filter((node): node is RdMacro => typeof node !== 'string');
  const lineOf = (name: string): string => oneLine(plainOf(macros.find((macro) => macro.name === name)?.args[0] ?? []));
  const readEntries = (nodes: readonly RdNode[]): void => {
    let between: RdNode[] = [];
    const flush = (): void => {
      read(markdownOf(between));
      between = [];
    };
    for (const node of nodes) {
      if (typeof node === 'string' || node.name !== 'item' || node.args.length < 2) {
        between.push(node);
        continue;
      }
      flush();
      const names = plainOf(node.args[0] ?? [])
        .split(/\s*,\s*/)
        .filter((name) => name !== '');
      draft.openTerm(names.map(codeSpan).join(', '), names, anchorOf(names.join(' ')));
      read(markdownOf(node.args[1] ?? []));
      draft.closeTerm();
    }
    flush();
  };
  // In generated files, the description follows the usage; R shows it first.
  const description = macros.filter(({ name }) => name === 'description');
  for (const { name, args } of new Set([...description, ...macros])) {
    const [first = [], second = []] = args;
    const heading = name === 'section' ? markdownOf(first) : headings[name];
    if (heading === undefined) continue;
    read(`## ${heading.replace(/\s+/g, ' ')}`);
    if (name === 'usage' || name === 'examples') draft.addCode(codeOf(first), 'r');
    else if (name === 'arguments' || name === 'value') readEntries(first);
    else read(markdownOf(name === 'section' ? second : first));
  }
  const [name, title] = [lineOf('name'), lineOf('title')];
  draft.title = [name, title].filter((part) => part !== '').join(': ') || titleFromUrl(url);
  return draft.finish();
}

/** Macros read only by R's own tools, or whose text is for one output format. */
const silent = new Set([
  ...['Sexpr', 'RdOpts', 'figure', 'out', 'newcommand', 'renewcommand', 'keyword', 'concept', 'alias', 'encoding'],
  ...['dontshow', 'testonly', 'if'],
]);
const spans = new Set(['code', 'verb', 'option', 'command', 'env', 'kbd', 'samp', 'file']);
const signs: Readonly<Record<string, string>> = { dots: '...', ldots: '...', R: 'R', tab: ' ', cr: '\n' };

/** Returns plain text without markup, for names and titles. */
function plainOf(nodes: readonly RdNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : plainMacro(node))).join('');
}

function plainMacro({ name, args }: RdMacro): string {
  if (silent.has(name)) return '';
  if (name === 'ifelse') return plainOf(args[2] ?? []);
  if (name === 'href') return plainOf(args[1] ?? []);
  return signs[name] ?? plainOf(args[0] ?? []);
}

/** Returns usage or examples as typed. */
function codeOf(nodes: readonly RdNode[]): string {
  const write = (node: RdNode): string => {
    if (typeof node === 'string') return node;
    const { name, args } = node;
    if (/^(?:S[34])?method$/.test(name)) return methodOf(args);
    return silent.has(name) ? '' : (signs[name] ?? (args[name === 'href' ? 1 : 0] ?? []).map(write).join(''));
  };
  return nodes
    .map(write)
    .join('')
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
}

/** Returns a method in the usage: the generic function's name and the class. */
function methodOf([generic = [], type = []]: readonly RdNode[][]): string {
  return `# method for class '${plainOf(type)}'\n${plainOf(generic)}`;
}

/** Converts text, lists, tables and code to Markdown. */
function markdownOf(nodes: readonly RdNode[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? escapeMarkdown(node.replace(/\n[ \t]+/g, '\n')) : macroMarkdown(node)))
    .join('')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function macroMarkdown(macro: RdMacro): string {
  const { name, args } = macro;
  const [first = [], second = []] = args;
  if (silent.has(name)) return '';
  if (spans.has(name)) return codeSpan(codeOf(first));
  const sign = signs[name];
  if (sign !== undefined) return sign;
  switch (name) {
    case 'emph':
    case 'var':
    case 'dfn':
    case 'cite':
      return marked('*', first);
    case 'strong':
    case 'bold':
    case 'pkg':
    case 'CRANpkg':
      return marked('**', first);
    case 'url':
      return `<${plainOf(first).trim()}>`;
    case 'doi':
      return `<https://doi.org/${plainOf(first).trim()}>`;
    case 'email':
      return escapeMarkdown(plainOf(first));
    case 'href':
      return `[${markdownOf(second)}](${plainOf(first).trim()})`;
    case 'dQuote':
      return `“${markdownOf(first)}”`;
    case 'sQuote':
      return `‘${markdownOf(first)}’`;
    case 'eqn':
      return `$${plainOf(first).trim()}$`;
    case 'deqn':
      return `\n\n$$${plainOf(first).trim()}$$\n\n`;
    case 'ifelse':
      return markdownOf(args[2] ?? []);
    case 'preformatted':
      return `\n\n${fenced(codeOf(first), '')}\n\n`;
    case 'examples':
    case 'usage':
      return `\n\n${fenced(codeOf(first), 'r')}\n\n`;
    case 'subsection':
      return `\n\n### ${markdownOf(first).replace(/\s+/g, ' ')}\n\n${markdownOf(second)}\n\n`;
    case 'itemize':
      return listOf(first, () => '- ');
    case 'enumerate':
      return listOf(first, (at) => `${at}. `);
    case 'describe':
      return `\n\n${itemsOf(first).map(describedOf).join('\n')}\n\n`;
    case 'tabular':
      return tableOf(second);
    default:
      return inOrder(args);
  }
}

/** Returns the content of an unknown macro without its braces. */
function inOrder(args: readonly RdNode[][]): string {
  return args
    .map((nodes) =>
      nodes.map((node) => (typeof node === 'string' ? escapeMarkdown(node) : macroMarkdown(node))).join(''),
    )
    .join(' ');
}

function marked(mark: string, nodes: readonly RdNode[]): string {
  const text = markdownOf(nodes);
  return text === '' || text.includes('\n\n') ? text : `${mark}${text}${mark}`;
}

/** Returns the items of a list: the text after each `\item`, or in its braces. */
function itemsOf(nodes: readonly RdNode[]): { term: RdNode[] | undefined; text: RdNode[] }[] {
  const items: { term: RdNode[] | undefined; text: RdNode[] }[] = [];
  for (const node of nodes) {
    if (typeof node !== 'string' && node.name === 'item') {
      const [first = [], second] = node.args;
      items.push(second === undefined ? { term: undefined, text: [...first] } : { term: first, text: [...second] });
    } else items.at(-1)?.text.push(node);
  }
  return items;
}

function listOf(nodes: readonly RdNode[], markerOf: (place: number) => string): string {
  const lines = itemsOf(nodes).map(({ term, text }, at) => {
    const marker = markerOf(at + 1);
    return listItem(marker, markdownOf(term === undefined ? text : [...term, ' ', ...text]));
  });
  return `\n\n${lines.join('\n')}\n\n`;
}

function describedOf({ term = [], text }: { term: RdNode[] | undefined; text: RdNode[] }): string {
  const [name, body] = [markdownOf(term), markdownOf(text)];
  return listItem('- ', name === '' ? body : `**${name}**: ${body}`);
}

/** Converts a table: rows end with `\cr`, cells with `\tab`; the first row is the header. */
function tableOf(nodes: readonly RdNode[]): string {
  const rows: RdNode[][][] = [[[]]];
  for (const node of nodes) {
    const name = typeof node === 'string' ? '' : node.name;
    if (name === 'cr') rows.push([[]]);
    else if (name === 'tab') rows.at(-1)?.push([]);
    else rows.at(-1)?.at(-1)?.push(node);
  }
  const cells = rows.map((row) => row.map(markdownOf)).filter((row) => row.some((cell) => cell !== ''));
  return `\n\n${tableMarkdown(cells)}\n\n`;
}
