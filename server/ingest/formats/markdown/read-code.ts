import { fenced } from '../draft.ts';
import { calloutLabel } from './callouts.ts';
import { emitPendingLabel } from './emit.ts';
import { type FenceStart, indentOf, isBlank, isFenceEnd, outdent } from './lines.ts';
import type { Scanner } from './scanner.ts';

/** Directives of MyST whose body is code of the language they name. */
const codeDirectives = new Set([
  'code',
  'code-block',
  'code-cell',
  'sourcecode',
  'prompt',
  'parsed-literal',
  'doctest',
]);

/** Reads a fence; its code is kept byte for byte. Directives written as fences are read as what they are. */
export function readFence(scanner: Scanner, start: FenceStart): void {
  const body: string[] = [];
  let end = scanner.at + 1;
  for (let line = scanner.line(end); line !== undefined; line = scanner.line(end)) {
    end++;
    if (isFenceEnd(line, start.mark) && indentOf(line) < start.indent + 4) break;
    body.push(outdent(line, start.indent));
  }
  const directive = /^\{([\w:-]+)\}\s*(.*)$/.exec(start.info);
  if (directive && readDirective(scanner, directive[1] as string, directive[2] as string, body, end)) return;
  emitPendingLabel(scanner);
  const language = fenceLanguage(start.info);
  const markdown = `${start.mark}${start.info}\n${body.join('\n')}\n${start.mark}`;
  if (!body.every(isBlank)) scanner.draft.add({ type: 'code', markdown, ...(language === '' ? {} : { language }) });
  scanner.at = end;
}

/** Language in the info string of a fence: `js {1,3}`, `rust,no_run`, `{.python}`, `language-css`. */
export function fenceLanguage(info: string): string {
  const word = /^\s*\{?\s*\.?(?:language-|lang-)?([^\s{},:;=]+)/.exec(info)?.[1] ?? '';
  return word.length <= 40 ? word.toLowerCase() : '';
}

function readDirective(
  scanner: Scanner,
  name: string,
  argument: string,
  body: readonly string[],
  end: number,
): boolean {
  const label = calloutLabel(name, argument);
  if (codeDirectives.has(name)) {
    const code = body.slice(optionLines(body)).join('\n');
    const language = fenceLanguage(argument);
    scanner.draft.add({ type: 'code', markdown: fenced(code, language), ...(language === '' ? {} : { language }) });
  } else if (label !== undefined || name === 'dropdown' || name.startsWith('tab')) {
    // The body is Markdown like any other: it is read in place, without its fence.
    for (let at = scanner.at; at < end; at++) scanner.replace(at, body[at - scanner.at - 1] ?? '');
    scanner.pendingLabel = label;
    scanner.at += 1 + optionLines(body);
    return true;
  } else if (!['toctree', 'contents', 'image', 'figure', 'raw', 'include'].includes(name)) return false;
  scanner.at = end;
  return true;
}

function optionLines(body: readonly string[]): number {
  let count = 0;
  while (count < body.length && /^:[\w-]+:/.test(body[count] as string)) count++;
  return count;
}

/** Reads code that is marked by four columns of indentation. */
export function readIndentedCode(scanner: Scanner): void {
  const code: string[] = [];
  let end = scanner.at;
  for (let line = scanner.line(end); line !== undefined; line = scanner.line(++end)) {
    if (!isBlank(line) && indentOf(line) < 4) break;
    code.push(isBlank(line) ? '' : outdent(line, 4));
  }
  while (code.length > 0 && code.at(-1) === '') code.pop();
  emitPendingLabel(scanner);
  scanner.draft.addCode(code.join('\n'));
  scanner.at = end;
}
