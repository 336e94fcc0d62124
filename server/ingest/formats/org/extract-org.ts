import type { ExtractedDocument } from '../../document.ts';
import { fenced } from '../draft.ts';
import { outdented } from '../margin.ts';
import { extractMarkdown } from '../markdown/extract-markdown.ts';
import { codeSpan } from '../write-markdown.ts';

/** Extracts an Org file by converting its lines to Markdown. */
export function extractOrg(text: string, page: { url: string }): ExtractedDocument {
  return extractMarkdown(markdownOfOrg(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')), page);
}

const blockBegin = /^[ \t]*#\+begin_(\w+)[ \t]*([\w+#.-]*)/i;
const codeBlocks = new Set(['src', 'example', 'verbatim', 'export']);

function markdownOfOrg(text: string): string {
  const out: string[] = [];
  const lines = text.split('\n');
  const macros = { values: macrosIn(text), left: expandedMax };
  const ends = endsIn(lines);
  // The title is the top heading, so other headings move down by one level.
  const title = /^#\+title:[ \t]*(.+)$/im.exec(text)?.[1]?.trim();
  if (title !== undefined) out.push(`# ${inlineOf(title)}`, '');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const begin = blockBegin.exec(line);
    if (begin) at = readBlock(lines, at, begin, endOf(ends, at, begin[1]), out, macros);
    else if (/^[ \t]*:[A-Za-z][\w-]*:[ \t]*$/.test(line)) at = endOf(ends, at) ?? at;
    else if (/^[ \t]*: ?/.test(line) && /^[ \t]*:(?: |$)/.test(line)) at = readFixed(lines, at, out);
    else if (/^[ \t]*#(?:\+\w|[ \t]|$)/.test(line)) continue;
    else if (/^[ \t]*(?:SCHEDULED|DEADLINE|CLOSED):/.test(line)) continue;
    else if (goesOn(line, lines[at + 1] ?? '')) {
      lines[at + 1] = `${line} ${(lines[at + 1] as string).trim()}`;
    } else out.push(lineOf(withoutMacros(line, macros), title !== undefined));
  }
  return out.join('\n');
}

/** Longer lines are not joined with the next. */
const joinedCharactersMax = 1_000;

/** Returns true if a link or macro continues on the paragraph's next line. */
function goesOn(line: string, next: string): boolean {
  if (line.length >= joinedCharactersMax || /^(?:\*+ |[ \t]*\|)/.test(line)) return false;
  if (/^[ \t]*(?:[-+][ \t]|\d+[.)][ \t]|:(?:[ \t]|[\w-]+:|$)|[*#|]|$)/.test(next)) return false;
  const isOpen = (open: string, close: string) =>
    line.lastIndexOf(open) > line.lastIndexOf(close) && next.split(open, 1)[0]?.includes(close);
  return Boolean(isOpen('[[', ']]') || isOpen('{{{', '}}}'));
}

/** Maximum number of characters from macro calls; further calls stay as written. */
const expandedMax = 1_000_000;

interface Macros {
  values: ReadonlyMap<string, string>;
  left: number;
}

/**
 * Returns the values of `#+MACRO: name value` and of keywords that are also macros; ignores macros computed in Lisp.
 */
function macrosIn(text: string): Map<string, string> {
  const macros = new Map<string, string>();
  if (!text.includes('{{{')) return macros;
  for (const [, name = '', value = ''] of text.matchAll(/^[ \t]*#\+macro:[ \t]*([\w-]+)[ \t]+(?!\(eval\b)(.*)$/gim))
    macros.set(name.toLowerCase(), value.trim());
  for (const [, name = '', value = ''] of text.matchAll(/^#\+(title|author|email|date):[ \t]*(.+)$/gim))
    macros.set(name.toLowerCase(), value.trim());
  return macros;
}

const verbatim = String.raw`(?<![\w\\])([=~])(?=\S)[^\n]{1,400}?(?<=\S)\1(?!\w)`;
const macroCalls = new RegExp(String.raw`${verbatim}|\{\{\{([a-zA-Z][\w-]{0,60})(?:\((.{0,400}?)\))?\}\}\}`, 'g');
const snippets = new RegExp(String.raw`${verbatim}|@@[\w-]{1,30}:(?!:).{0,400}?@@`, 'g');

/**
 * Replaces `{{{name(argument)}}}` with the macro's value, a key as code, or else the arguments, and removes export
 * snippets for single output formats. Verbatim text stays.
 */
function withoutMacros(line: string, macros: Macros): string {
  const put = (whole: string, _sign?: string, name?: string, given?: string): string => {
    if (name === undefined || macros.left < 0) return whole;
    const values = (given ?? '').split(/(?<!\\),/).map((value) => value.replaceAll('\\,', ',').trim());
    const macro = macros.values.get(name.toLowerCase());
    if (macro !== undefined) {
      macros.left -= macro.length;
      const written = macro.replace(/\$([1-9])/g, (_, at: string) => {
        const value = values[Number(at) - 1] ?? '';
        macros.left -= value.length;
        return macros.left < 0 ? '' : value;
      });
      return macros.left < 0 ? whole : written;
    }
    if (given === undefined) return whole;
    return name.toLowerCase() === 'kbd' ? `~${given.replaceAll('\\,', ',')}~` : values.join(', ');
  };
  return line.replace(macroCalls, put).replace(snippets, (whole, sign?: string) => (sign === undefined ? '' : whole));
}

/** Maximum lines of a block or drawer; without an end within this range, it is text. */
const blockLinesMax = 5_000;

/** Returns the end lines of blocks by kind, and of drawers under the empty kind, in reverse order. */
function endsIn(lines: readonly string[]): Map<string, number[]> {
  const ends = new Map<string, number[]>();
  for (let at = lines.length - 1; at >= 0; at--) {
    const [end, kind = ''] = /^[ \t]*(?:#\+end_(\w+)|:end:[ \t]*$)/i.exec(lines[at] as string) ?? [];
    if (end === undefined) continue;
    const known = ends.get(kind.toLowerCase());
    if (known) known.push(at);
    else ends.set(kind.toLowerCase(), [at]);
  }
  return ends;
}

/** Returns the next end of a kind; call with increasing line numbers. */
function endOf(ends: ReadonlyMap<string, number[]>, from: number, kind = ''): number | undefined {
  const left = ends.get(kind.toLowerCase()) ?? [];
  while ((left.at(-1) ?? from + 1) <= from) left.pop();
  const end = left.at(-1);
  return end !== undefined && end < from + blockLinesMax ? end : undefined;
}

function readBlock(
  lines: readonly string[],
  at: number,
  [, kind = '', language = '']: RegExpExecArray,
  end: number | undefined,
  out: string[],
  macros: Macros,
): number {
  if (end === undefined || kind.toLowerCase() === 'comment') return end ?? at;
  const body = lines.slice(at + 1, end);
  if (codeBlocks.has(kind.toLowerCase())) {
    // A leading comma prevents a line of code from being read as Org.
    const code = body.map((line) => line.replace(/^([ \t]*),(?=[*#,])/, '$1'));
    addCode(code, kind.toLowerCase() === 'src' ? language : '', out);
  } else out.push('', ...body.map((line) => `> ${lineOf(withoutMacros(line, macros), false)}`), '');
  return end;
}

function readFixed(lines: readonly string[], from: number, out: string[]): number {
  let at = from;
  const code: string[] = [];
  for (; at < lines.length && /^[ \t]*:(?: |$)/.test(lines[at] as string); at++)
    code.push((lines[at] as string).replace(/^[ \t]*: ?/, ''));
  addCode(code, '', out);
  return at - 1;
}

function addCode(code: readonly string[], language: string, out: string[]): void {
  out.push('', fenced(outdented(code).join('\n'), language), '');
}

function lineOf(line: string, isBelowTitle: boolean): string {
  const heading =
    /^(\*{1,8}) +(?:(?:TODO|DONE|NEXT|WAITING) +)?(?:\[#[A-Z]\] +)?(.*?)(?:(?<! ) +:[\w@#%:]+:)?(?:(?<![ \t])[ \t]+)?$/s.exec(
      line,
    );
  if (heading) {
    const depth = Math.min(6, (heading[1] ?? '').length + (isBelowTitle ? 1 : 0));
    return `\n${'#'.repeat(depth)} ${inlineOf(heading[2] ?? '')}\n`;
  }
  if (/^[ \t]*\|/.test(line)) return tableLine(line);
  const term = /^([ \t]*)[-+] +(?! )(.+?)(?<! ) +::(?: +(.*))?$/s.exec(line);
  if (term) return `${term[1]}- **${inlineOf(term[2] ?? '')}** ${inlineOf(term[3] ?? '')}`.trimEnd();
  return inlineOf(line.replace(/^([ \t]*)\+ /, '$1- ').replace(/^([ \t]*\d+)\) /, '$1. '));
}

/** Converts a table line; Org's rules between rows contain plus signs. */
function tableLine(line: string): string {
  return /^[ \t]*\|[-+]+\|?[ \t]*$/.test(line) ? line.replaceAll('+', '|').trim() : inlineOf(line.trim());
}

const marked = /(?<![\w\\])([=~*/_+])(?=\S)([^\n]{1,400}?)(?<=\S)\1(?![\w])/g;

function inlineOf(text: string): string {
  const links = text.replace(
    /\[\[([^\][]{1,1000})\](?:\[([^\][]{1,1000})\])?\]/g,
    (_, target: string, label?: string) => {
      const shown = label ?? target.replace(/^(?:file|id):|^[*#]/, '');
      return /^(?:https?:|mailto:|file:|\.{0,2}\/|[\w-]+\.\w+$)/.test(target)
        ? `[${shown}](${target.replace(/^file:/, '')})`
        : shown;
    },
  );
  // Slashes in addresses do not mark italics.
  const parts = links.split(/(\[[^[\]]{1,1000}\]\([^)]{1,1000}\)|https?:\/\/\S+)/);
  return parts.map((part, at) => (at % 2 === 1 ? part : part.replace(marked, emphasis))).join('');
}

function emphasis(whole: string, sign: string, text: string): string {
  switch (sign) {
    case '=':
    case '~':
      return codeSpan(text);
    case '*':
      return `**${text}**`;
    case '/':
      return `*${text}*`;
    case '+':
      return `~~${text}~~`;
    default:
      return whole;
  }
}
