import type { ExtractedDocument } from '../../document.ts';
import { Draft, titleFromUrl } from '../draft.ts';
import { ManMacros } from './man-macros.ts';
import { MdocMacros } from './mdoc-macros.ts';
import { PageWriter } from './page-writer.ts';
import { type Request, requestsOf } from './requests.ts';
import { plainOf, runsOf } from './runs.ts';

const namesMax = 1_000;

/**
 * Extracts a manual page written with `man` or `mdoc` macros: sections, options and other terms with all their names,
 * the synopsis and examples as code, tables. Ignores macros that the page defines. Linear; accepts any input.
 */
export function extractMan(text: string, page: { url: string }): ExtractedDocument {
  const strings = new Map<string, string>([
    ['R', '®'],
    ['Tm', '™'],
    ['lq', '“'],
    ['rq', '”'],
  ]);
  const requests = requestsOf(text, strings);
  const draft = new Draft(page.url);
  const head = requests.find(({ macro }) => macro === 'TH' || macro === 'Dt');
  const [name = '', section = ''] = (head?.args ?? []).map((arg) => plainOf(runsOf(arg, 'R', strings).runs));
  // Another page's alias: its names are on that page, and a title alone would be found before it.
  if (requests[0]?.macro === 'so' && requests.every(({ macro, rest }) => macro === 'so' || rest === ''))
    return draft.finish();
  const names = listedNames(requests, strings);
  // Old pages have names in capitals only.
  const written = (): string => names.find((one) => one.toUpperCase() === name) ?? nameAsWritten(requests, name);
  const shown = name === name.toUpperCase() ? written() : name;
  draft.title = shown === '' ? titleFromUrl(page.url) : section === '' ? shown : `${shown}(${section})`;
  draft.add({
    type: 'heading',
    markdown: draft.title,
    depth: 1,
    identifiers: [...new Set([shown, ...names])].filter(Boolean),
  });
  const writer = new PageWriter(draft);
  const macros =
    head?.macro === 'Dt' ? new MdocMacros(writer, requests, strings) : new ManMacros(writer, requests, strings);
  macros.read();
  writer.finish();
  return draft.finish();
}

/**
 * Returns the names that the first section lists before a dash. Each is the name of a link to the page, and links are
 * skipped.
 */
function listedNames(requests: readonly Request[], strings: Map<string, string>): string[] {
  const start = requests.findIndex(isSection) + 1;
  const section = requests.slice(start, start + namesMax);
  const length = section.findIndex((request) => isSection(request) || request.macro === 'Nd');
  const lines = section
    .slice(0, length < 0 ? namesMax : length + 1)
    .filter(({ macro }) => /^(?:N[dm]|[BIR]{1,2})?$/.test(macro))
    .map(({ macro, rest }) => (macro === 'Nd' ? ' - ' : plainOf(runsOf(rest, 'R', strings).runs)));
  const [before = '', after] = lines.join(' ').split(/\s[-–—]+(?:\s|$)/, 2);
  if (after === undefined) return [];
  const names = before.split(',').map((name) => name.trim());
  return [...new Set(names)].filter((name) => /^[\w.:@+-]{1,100}$/.test(name)).slice(0, namesMax);
}

const isSection = ({ macro }: Request): boolean => macro === 'SH' || macro === 'Sh';

/** Returns the name in the case used in the page's first lines. */
function nameAsWritten(requests: readonly Request[], name: string): string {
  for (const { macro, rest } of requests.slice(0, 60)) {
    // Pages made from POD say their title in an index entry too.
    if (macro === 'TH' || macro === 'Dt' || macro === 'IX') continue;
    const at = rest
      .replace(/\\(?=-)/g, '')
      .toUpperCase()
      .indexOf(name);
    if (at >= 0 && name !== '') return rest.replace(/\\(?=-)/g, '').slice(at, at + name.length);
  }
  return name.toLowerCase();
}
