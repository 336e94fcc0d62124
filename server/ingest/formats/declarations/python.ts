import { outdented } from '../margin.ts';
import { type Declaration, type DeclaredFile, withOverloads } from './declaration.ts';

interface Line {
  text: string;
  indent: number;
  /** True if the line starts inside a string or bracket. */
  isInside: boolean;
}

/** Finds public classes and functions with docstrings; in stubs, also those without. Linear. */
export function readPython(text: string, isStub: boolean): DeclaredFile {
  const lines = linesOf(text);
  const found: Declaration[] = [];
  const doc = docstringAt(lines, nextLine(lines, 0), 0);
  let holder: { indent: number; members: Declaration[] } | undefined;
  let bodyIndent = -1;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as Line;
    if (line.isInside || line.text.trim() === '') continue;
    if (holder && line.indent <= holder.indent) holder = undefined;
    const match = /^\s*(?:(class)|(?:async\s+)?def)\s+(\w+)/.exec(line.text);
    if (!match || (line.indent > 0 && !holder)) continue;
    if (holder && bodyIndent < 0) bodyIndent = line.indent;
    if (holder && line.indent !== bodyIndent) continue;
    const end = headerEnd(lines, at);
    const name = match[2] as string;
    const docstring = docstringAt(lines, nextLine(lines, end + 1), line.indent + 1);
    const isPublic =
      !name.startsWith('_') || (name === '__init__' && docstring !== '') || (name === '__call__' && docstring !== '');
    const isClass = match[1] !== undefined;
    const declaration: Declaration = {
      name,
      signatures: [signature(lines, at, end, line.indent)],
      doc: docstring,
      members: [],
    };
    const target = holder && line.indent > holder.indent ? holder.members : found;
    if (isPublic && (docstring !== '' || isStub || isClass)) target.push(declaration);
    if (isClass && line.indent === 0 && isPublic) {
      holder = { indent: line.indent, members: declaration.members };
      bodyIndent = -1;
    }
    at = end;
  }
  const declarations = withOverloads(found).map((one) => ({ ...one, members: withOverloads(one.members) }));
  return { doc, declarations: declarations.filter((one) => one.doc !== '' || one.members.length > 0 || isStub) };
}

/** Splits text into lines and marks those that start inside a multi-line string or open bracket. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let quote = '';
  let depth = 0;
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    lines.push({ text: line, indent: line.length - line.trimStart().length, isInside: quote !== '' || depth > 0 });
    for (let at = 0; at < line.length; at++) {
      const char = line[at] as string;
      if (quote !== '') {
        if (char === '\\') at++;
        else if (line.startsWith(quote, at)) {
          at += quote.length - 1;
          quote = '';
        }
      } else if (char === '#') break;
      else if (char === '"' || char === "'") {
        quote = line.startsWith(char.repeat(3), at) ? char.repeat(3) : char;
        at += quote.length - 1;
      } else if ('([{'.includes(char)) depth++;
      else if (')]}'.includes(char)) depth = Math.max(0, depth - 1);
    }
    if (quote.length === 1 && !line.endsWith('\\')) quote = '';
    // A bracket still open at the start of a definition is never closed.
    if (depth > 0 && /^(?:def|class)\s/.test(line) && (lines.at(-1) as Line).isInside) depth = 0;
  }
  return lines;
}

/** Returns the last line of a definition's header, that is, the last that starts inside its brackets. */
function headerEnd(lines: readonly Line[], at: number): number {
  let end = at;
  while (
    end + 1 < lines.length &&
    (lines[end + 1] as Line).isInside &&
    end - at < 300 &&
    !/:\s*(?:#.*)?$/s.test((lines[end] as Line).text.replace(/^.*->/, ''))
  )
    end++;
  while (
    end + 1 < lines.length &&
    (lines[end + 1] as Line).isInside &&
    end - at < 300 &&
    !/["']{3}/.test((lines[end + 1] as Line).text)
  )
    end++;
  return end;
}

function signature(lines: readonly Line[], at: number, end: number, indent: number): string {
  const decorators: string[] = [];
  for (let above = at - 1; above >= 0 && decorators.length < 4; above--) {
    const text = (lines[above] as Line).text.trim();
    if (!/^@(?:property|classmethod|staticmethod|abstractmethod|cached_property|overload|dataclass)\b/.test(text))
      break;
    decorators.unshift(text);
  }
  const header = lines
    .slice(at, end + 1)
    .map((line) => line.text.slice(Math.min(indent, line.indent)).trimEnd())
    .join('\n')
    .slice(0, 10_000)
    .replace(/:\s*(?:(?:\.\.\.|pass)\s*)?(?:#[^\n]*)?$/, '');
  return [...decorators, header].join('\n').slice(0, 3000);
}

function nextLine(lines: readonly Line[], from: number): number {
  let at = from;
  while (at < lines.length && /^\s*(?:#.*)?$/.test((lines[at] as Line).text)) at++;
  return at;
}

/** Returns the string that starts at a line indented by at least `indent`, without quotes and common indentation. */
function docstringAt(lines: readonly Line[], at: number, indent: number): string {
  const line = lines[at];
  if (!line || line.isInside || line.indent < indent) return '';
  const open = /^\s*[rRuU]?("""|'''|"|')/.exec(line.text);
  if (!open) return '';
  const mark = open[1] as string;
  const first = line.text.slice(open[0].length);
  const body: string[] = [];
  for (let next = at, rest = first; ; rest = (lines[++next] as Line).text) {
    const close = rest.indexOf(mark);
    if (close >= 0) {
      body.push(rest.slice(0, close));
      break;
    }
    body.push(rest);
    if (mark.length === 1 || next + 1 >= lines.length) break;
  }
  const [head = '', ...tail] = body;
  return [head.trim(), ...outdented(tail).map((one) => one.trimEnd())].join('\n').trim();
}

const googleSection =
  /^(Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments|Other Parameters|Returns|Return|Yields|Raises|Attributes|Examples?|Notes?|Warnings?|See Also|References|Methods|Todo|Usage):\s*$/;
const numpySection =
  /^(?:Parameters|Other Parameters|Returns|Yields|Receives|Raises|Warns|Attributes|Methods|Examples?|Notes?|Warnings|See Also|References)$/;

/** Converts a docstring to reStructuredText: Google and NumPy sections become a label and a list. */
export function docstringRst(doc: string): string {
  const lines = doc.split('\n');
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const google = googleSection.exec(line);
    const isNumpy = numpySection.test(line.trim()) && /^\s*-{3,}\s*$/.test(lines[at + 1] ?? '');
    if (!google && !isNumpy) {
      out.push(line);
      continue;
    }
    const label = google?.[1] ?? line.trim();
    const from = at + (isNumpy ? 2 : 1);
    const end = sectionEnd(lines, from, isNumpy);
    out.push('', `**${label}**`, '');
    const body = outdented(lines.slice(from, end));
    const isList = !/^(?:Examples?|Notes?|Warnings?|See Also|References|Usage|Todo)$/.test(label);
    out.push(...(isList ? listOf(body, isNumpy) : body), '');
    at = end - 1;
  }
  return out.join('\n');
}

function sectionEnd(lines: readonly string[], from: number, isNumpy: boolean): number {
  let at = from;
  for (; at < lines.length; at++) {
    const line = lines[at] as string;
    if (
      isNumpy
        ? /^\s*-{3,}\s*$/.test(lines[at + 1] ?? '') && line.trim() !== ''
        : line.trim() !== '' && !/^\s/.test(line)
    )
      break;
  }
  return at;
}

/**
 * Returns a section's entries, which start without indentation: `name (type): text`, or `name : type` with the text
 * below.
 */
function listOf(lines: readonly string[], isNumpy: boolean): string[] {
  const out: string[] = [];
  for (const line of lines) {
    if (line.trim() === '') continue;
    if (/^\s/.test(line)) {
      out.push(`  ${line.trim()}`);
      continue;
    }
    const entry = isNumpy
      ? /^([*\w., ]+?)(?<!\s)\s*:\s*(.*)$/s.exec(line)
      : /^([*\w.]+)\s*(?:\(([^()]*(?:\([^()]*\)[^()]*)?)\))?:\s*(.*)$/s.exec(line);
    if (!entry) out.push(`- ${line}`);
    else if (isNumpy) out.push(`- \`\`${entry[1]}\`\` (${entry[2]}):`.replace(' ():', ':'));
    else out.push(`- \`\`${entry[1]}\`\`${entry[2] === undefined ? '' : ` (${entry[2]})`}: ${entry[3]}`);
  }
  return out;
}
