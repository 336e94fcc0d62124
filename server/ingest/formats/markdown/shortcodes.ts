import { codeSpan } from '../code-span.ts';
import { calloutLabel } from './callouts.ts';
import { fenceStart, isFenceEnd } from './lines.ts';
import { attribute } from './tags.ts';

/** Code spans, which stay; shortcodes of Hugo (`{{< name "argument" >}}`); macros such as `{{jsxref("Array")}}`; Jekyll's `raw`. */
const marks =
  /(`{1,8})[^`]{0,1000}\1|\{%-?\s*(?:end)?raw\s*-?%\}|\{\{[<%]\s*(\/?)\s*([\w./-]+)([^{}]{0,300}?)\/?\s*[>%]\}\}|\{\{\s*(\w{2,40})\(([^{}]{0,300})\)\s*\}\}/g;

/** Text in which shortcodes and macros within a line are what they show: a title, a call-out's label, a path, a name. */
export function withoutShortcodes(text: string): string {
  if (!/\{[{%]/.test(text)) return text;
  const open = new Set<string>();
  return text.replace(marks, (whole, span, slash, name, rest, macro, args, at: number) => {
    if (span !== undefined) return whole;
    if (macro !== undefined) return macroText(macro, args) ?? whole;
    if (name === undefined) return '';
    // One right behind a text or a sentence, at its end, closes what a line of its own opened.
    const isLast = at + whole.length === text.length && /(?:\S|[^\w\s]\s)$/.test(text.slice(Math.max(0, at - 2), at));
    if (slash === '/') return open.has(name) || isLast ? '' : whole;
    const shown = shortcodeText(name, rest);
    if (shown === undefined) return whole;
    open.add(name);
    // What it encloses follows without a space.
    return shown + (/[\w`]/.test(text[at + whole.length] ?? '') ? ' ' : '');
  });
}

/** Two shortcodes of Hugo, or more, with nothing else on their line. */
const severalOnLine = /^\s*(?:\{\{[<%][^{}]{1,300}[>%]\}\}[ \t]*){2,20}$/;

/** Lines in which each shortcode that opens or closes a part stands on its own. */
export function separateShortcodes(lines: string[]): string[] {
  let fence: string | undefined;
  return lines.flatMap((line) => {
    if (fence !== undefined) {
      if (isFenceEnd(line, fence)) fence = undefined;
      return [line];
    }
    fence = fenceStart(line)?.mark;
    return severalOnLine.test(line) ? (line.match(/\{\{[<%][^{}]*\}\}/g) ?? []) : [line];
  });
}

function shortcodeText(name: string, rest: string): string | undefined {
  if (/^(?:rel)?ref$/.test(name)) return /"([^"]*)"|([^\s"=]+)\s*$/.exec(rest)?.slice(1).find(Boolean);
  if (name === 'kbd') return codeSpan(rest.replace(/\s\w+=\S+|"/g, '').trim()) || undefined;
  const tag = { name, isClosing: false, isSelfClosing: false, attributes: rest, end: 0 };
  const text = ['text', 'title', 'label', 'name', 'summary'].map((key) => attribute(tag, key)).find(Boolean);
  const label = calloutLabel(name, text);
  return label === undefined ? text : `**${label}:**`;
}

/** Macros of MDN that refer to a name; `undefined` for all others. */
function macroText(macro: string, args: string): string | undefined {
  const [name, shown] = [...args.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, double, single]) => double ?? single ?? '');
  if (name === undefined) return undefined;
  if (/^glossary$/i.test(macro)) return shown || name;
  if (/^(?:html|svg|mathml)element$/i.test(macro)) return codeSpan(shown || `<${name}>`);
  return /(?:xref|^httpheader|^httpmethod|^httpstatus|^webextapiref)$/i.test(macro)
    ? codeSpan(shown || name)
    : undefined;
}
