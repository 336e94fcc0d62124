import { type Directive, readOptions } from '../rst/directive.ts';
import { isKnownDirective, readDirective } from '../rst/directives.ts';
import { readRst } from '../rst/extract-rst.ts';
import { RstState } from '../rst/state.ts';
import { rewriteInline } from './inline.ts';
import type { FenceStart } from './lines.ts';
import type { Scanner } from './scanner.ts';

/** Fences and lists nested deeper than this are read as code and text. */
export const nestingMax = 24;

/** Returns the MyST directive that a line of colons opens: `:::{note}`. */
export function colonDirective(line: string): FenceStart | undefined {
  const match = /^( {0,3})(:{3,})(\{([\w:-]+)\}.*)$/.exec(line);
  if (!match || !isKnownDirective(match[4] as string)) return undefined;
  return { mark: match[2] as string, indent: (match[1] as string).length, info: match[3] as string };
}

/** Returns true if a fence with this info string is a MyST directive. */
export function isMystDirective(info: string): boolean {
  return isKnownDirective(/^\{([\w:-]+)\}/.exec(info)?.[1] ?? '');
}

/**
 * Reads a MyST directive, which is an RST directive of the same name with Markdown inside. Returns false if the braces
 * contain something else, such as a code language.
 */
export function readMystDirective(scanner: Scanner, info: string, body: readonly string[]): boolean {
  const [, name, argument = ''] = /^\{([\w:-]+)\}\s*(.*)$/s.exec(info) ?? [];
  if (name === undefined || scanner.page.nesting >= nestingMax) return false;
  if (name === 'eval-rst') {
    readRst(
      body.map((line) => line.trimEnd()),
      scanner.draft,
    );
  } else if (isKnownDirective(name)) readAsRst(scanner, name, argument, body);
  else return false;
  return true;
}

function readAsRst(scanner: Scanner, name: string, argument: string, body: readonly string[]): void {
  const state = (scanner.page.directives ??= new RstState(
    [],
    scanner.draft,
    (inner, from, to) => scanner.readInside(inner.lines.slice(from, to)),
    (text) => rewriteInline(text, scanner.context, ' '),
  ));
  const outer = state.lines;
  state.lines = ['', ...body];
  const directive: Directive = {
    ...{ name, argument: argument === '' ? [] : [argument], options: new Map() },
    ...{ at: 0, bodyFrom: 1, end: state.lines.length, bodyIndent: 0 },
  };
  // Options are single lines or a YAML block.
  const yamlEnd = body[0] === '---' ? body.indexOf('---', 1) : -1;
  if (yamlEnd > 0) directive.bodyFrom = yamlEnd + 2;
  else if (/^:[\w-]+:/.test(body[0] ?? '')) readOptions(state, directive);
  readDirective(state, directive);
  state.lines = outer;
}
