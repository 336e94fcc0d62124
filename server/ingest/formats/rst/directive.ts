import { indentOf, isEmpty, type RstState } from './state.ts';

/** A directive: `.. name:: argument`, options, body. */
export interface Directive {
  name: string;
  /** Text on the name's line and following lines, up to the first option or empty line. */
  argument: string[];
  options: Map<string, string>;
  /** Line of the name; the body is `bodyFrom` to `end`. */
  at: number;
  bodyFrom: number;
  end: number;
  bodyIndent: number;
}

const start = /^\.\.\s+(?:\|[^|]+\|\s+)?([A-Za-z0-9][\w.+-]*(?::[A-Za-z0-9][\w.+-]*)*)\s?::(?:\s+|$)/;

/** Returns the directive that starts at `at`, or undefined for a comment, a target or text. */
export function directiveAt(state: RstState, at: number, to: number, indent: number): Directive | undefined {
  const line = (state.lines[at] as string).slice(indent);
  const match = start.exec(line);
  if (!match) return undefined;
  const end = state.bodyEnd(at + 1, to, indent);
  const bodyIndent = end > at + 1 ? state.indentBetween(at + 1, end) : indent + 3;
  const first = line.slice(match[0].length).trim();
  const directive: Directive = {
    name: (match[1] as string).toLowerCase(),
    argument: first === '' ? [] : [first],
    options: new Map(),
    at,
    bodyFrom: at + 1,
    end,
    bodyIndent,
  };
  readOptions(state, directive);
  return directive;
}

/** Reads options and argument continuation lines from the start of the body. */
export function readOptions(state: RstState, directive: Directive): void {
  let at = directive.at + 1;
  const isArgument = (line: string): boolean => directive.argument.length > 0 && !/^\s*:[\w-]+:(?:\s|$)/.test(line);
  while (at < directive.end && !isEmpty(state.lines[at] as string) && isArgument(state.lines[at] as string)) {
    directive.argument.push((state.lines[at] as string).trim());
    at++;
  }
  let name: string | undefined;
  for (; at < directive.end; at++) {
    const line = state.lines[at] as string;
    const option = /^\s*:([\w-]+):(?:\s+(.*))?$/s.exec(line);
    if (option) {
      name = option[1] as string;
      directive.options.set(name, (option[2] ?? '').trim());
    } else if (name !== undefined && !isEmpty(line) && indentOf(line) > directive.bodyIndent) {
      directive.options.set(name, `${directive.options.get(name)} ${line.trim()}`);
    } else break;
  }
  directive.bodyFrom = at;
}
