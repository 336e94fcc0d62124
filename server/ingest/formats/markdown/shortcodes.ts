import { codeSpan } from '../code-span.ts';
import { calloutLabel } from './callouts.ts';
import { attribute } from './tags.ts';

/** Code spans, which stay; shortcodes of Hugo (`{{< name "argument" >}}`); macros such as `{{jsxref("Array")}}`; Jekyll's `raw`. */
const marks =
  /(`{1,8})[^`]{0,1000}\1|\{%-?\s*(?:end)?raw\s*-?%\}|\{\{[<%]\s*(\/?)\s*([\w.-]+)([^{}]{0,300}?)\/?\s*[>%]\}\}|\{\{\s*(\w{2,40})\(([^{}]{0,300})\)\s*\}\}/g;

/** Text in which shortcodes and macros within a line are what they show: a title, a call-out's label, a path, a name. */
export function withoutShortcodes(text: string): string {
  if (!/\{[{%]/.test(text)) return text;
  const open = new Set<string>();
  return text.replace(marks, (whole, span, slash, name, rest, macro, args, at: number) => {
    if (span !== undefined) return whole;
    if (macro !== undefined) return macroText(macro, args) ?? whole;
    if (name === undefined) return '';
    // One right behind a text, at its end, closes what a line of its own opened.
    const isGlued = at + whole.length === text.length && /\S/.test(text[at - 1] ?? '');
    if (slash === '/') return open.has(name) || isGlued ? '' : whole;
    const shown = shortcodeText(name, rest);
    if (shown === undefined) return whole;
    open.add(name);
    // What it encloses follows without a space.
    return shown + (/[\w`]/.test(text[at + whole.length] ?? '') ? ' ' : '');
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
