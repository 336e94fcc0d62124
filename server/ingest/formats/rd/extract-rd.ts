import type { ExtractedDocument } from '../../document.ts';
import { codeSpan } from '../code-span.ts';
import { titleFromUrl } from '../draft.ts';
import { openMarkdown } from '../markdown/extract-markdown.ts';
import { parseRd, type RdMacro, type RdNode } from './parse-rd.ts';
import { codeOf, markdownOf, plainOf } from './rd-markdown.ts';

/** Headings of the sections that have a macro of their own, as R's help shows them. */
const headings: Readonly<Record<string, string>> = {
  ...{ description: 'Description', usage: 'Usage', arguments: 'Arguments', format: 'Format', details: 'Details' },
  ...{ value: 'Value', note: 'Note', source: 'Source', references: 'References', author: 'Author' },
  ...{ seealso: 'See also', examples: 'Examples' },
};

/** Reads a help file of R (`man/*.Rd`): sections as headings, arguments as entries, usage and examples as code. */
export function extractRd(text: string, { url }: { url: string }): ExtractedDocument {
  const { draft, read, anchorOf } = openMarkdown(url);
  const macros = parseRd(text).filter((node): node is RdMacro => typeof node !== 'string');
  const lineOf = (name: string): string =>
    plainOf(macros.find((macro) => macro.name === name)?.args[0] ?? [])
      .replace(/\s+/g, ' ')
      .trim();
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
  // Generated files describe what a topic is for behind its usage; R shows it first.
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
