import { codeSpan } from '../write-markdown.ts';
import { calloutLabel } from './callouts.ts';
import { endsFence, fenceBehindMarks, indentOf, isBlank, listMarker } from './lines.ts';
import { attribute } from './tags.ts';

/**
 * Code spans (unchanged); code in shortcodes; Hugo shortcodes (`{{< name "argument" >}}`); macros such as
 * `{{jsxref("Array")}}`; Liquid comments, conditions, loops and `raw`; Nuxt components (`:badge[New]{color="info"}`).
 */
const marks =
  /(`{1,8})[^`]{0,1000}\1|\{\{[<%]\s?(code|comment)\s?[>%]\}\}([^\n]{1,500}?)\{\{[<%]\s?\/\2\s?[>%]\}\}|\{%-?\s*raw\s*-?%\}([^]{1,1000}?)\{%-?\s*endraw\s*-?%\}|\{%-?\s*comment\s*-?%\}[^]{0,1000}?\{%-?\s*endcomment\s*-?%\}|\{%-?\s*(?:(?:end)?(?:raw|if|ifversion|unless|case|for|capture)|else|elsif|when|assign)\b(?:[^%\n]|%(?!\})){0,300}%\}|\{\{[<%]\s{0,9}(\/?)\s{0,9}([\w-]{1,60}(?:[./][\w-]{1,60}){0,4})([^{}]{0,300}?)\/?\s{0,9}[>%]\}\}|\{\{\s*(\w{2,40})\(([^{}]{0,300})\)\s*\}\}|(?<![^\s(>*])(:)(?:(?:u-)?badge\[([^[\]\n]{1,200})\]\s*$|([a-z][\w-]{0,40})(?:\[([^[\]\n]{1,200})\])?\{([\w:-]{1,40}="[^{}\n]{0,300})\})|\{%-?\s{0,9}(?:(end\w{1,40})|(\w{1,40})\b([^%\n]{0,300}?))\s{0,9}-?%\}/g;

/**
 * Replaces inline shortcodes and macros with the text they show: a title, a call-out's label, a path, a name. On a page
 * with front matter (`isRendered`), does the same for all Liquid tags.
 */
export function withoutShortcodes(text: string, isRendered = false): string {
  if (!/\{[{%]|:[a-z][\w-]*[[{]/.test(text)) return text;
  let isBalanced: boolean | undefined;
  const open = new Set<string>();
  const closings = text.matchAll(/\{\{[<%]\s{0,9}\/\s{0,9}([\w./-]{1,60})|\{%-?\s{0,9}(end\w{1,40})/g);
  const closed = new Set([...closings].map(([, name, liquid]) => name ?? liquid));
  return text.replace(
    marks,
    (
      whole,
      span,
      kind,
      inside,
      literal,
      slash,
      name,
      rest,
      macro,
      args,
      colon,
      badge,
      component,
      label,
      attributes,
      liquidEnd,
      liquid,
      liquidArgs,
      at: number,
    ) => {
      if (span !== undefined) return whole;
      if (colon !== undefined) return badge ?? componentText(component, label, attributes) ?? whole;
      if (kind !== undefined) return kind === 'code' ? codeSpan(inside) : '';
      if (literal !== undefined) return literal;
      if (macro !== undefined) return macroText(macro, args) ?? whole;
      if (liquidEnd !== undefined) return isRendered ? '' : whole;
      if (liquid !== undefined) {
        const shown = isRendered ? liquidText(liquid, liquidArgs, text[at + whole.length] ?? '') : whole;
        return shown ?? (closed.has(`end${liquid}`) ? '' : whole);
      }
      if (name === undefined) {
        isBalanced ??= isBalancedLiquid(text);
        return isBalanced || /^\{%-?\s*(?:comment\b|assign\s+[\w-]+\s*=)/.test(whole) ? '' : whole;
      }
      if (slash === '/') return open.has(name) || isEndOfPart(text, at, at + whole.length) ? '' : whole;
      const isBadge = stateName.test(name) && rest.trim() === '' && !closed.has(name);
      const shown = isBadge ? name : shortcodeText(name, rest);
      if (shown === undefined && !closed.has(name)) return whole;
      open.add(name);
      if (shown === undefined) return '';
      // The enclosed text follows without a space.
      return shown + (/[\w`]/.test(text[at + whole.length] ?? '') ? ' ' : '');
    },
  );
}

/**
 * Returns true if every Liquid condition and loop has an expression and an end; otherwise the text is about such tags.
 */
function isBalancedLiquid(text: string): boolean {
  const open: string[] = [];
  let count = 0;
  for (const [, end, word = '', rest = ''] of text
    .replace(/(`{1,8})[^`]{0,1000}\1/g, '')
    .matchAll(/\{%-?\s*(end)?(raw|if|ifversion|unless|case|for|capture)\b([^%]{0,300})%\}/g)) {
    if (end !== undefined ? open.pop() !== word : word !== 'raw' && !/\w/.test(rest)) return false;
    if (end === undefined) open.push(word);
    count += 1;
  }
  return count > 0 && open.length === 0;
}

/** Returns the text of an inline Nuxt component, `:badge[New]{color="info"}`; undefined if it shows no written text. */
function componentText(component: string, label: string | undefined, attributes: string): string | undefined {
  const valueOf = (names: string) => new RegExp(`(?:^|\\s)(?:${names})="([^"]*)"`).exec(attributes)?.[1];
  const target = valueOf('to|href');
  if (target !== undefined) return `[${label ?? valueOf('title') ?? ''}](${target})`;
  return label ?? valueOf('value|alt|label|title') ?? (component === 'icon' ? '' : undefined);
}

/** Returns the text of an unknown Liquid tag: a call-out's label, a title, or its texts except paths and addresses. */
function liquidText(name: string, rest: string, next: string): string | undefined {
  const label = shortcodeText(name, rest);
  if (label !== undefined) return /[\w`*[]/.test(next) ? `${label} ` : label;
  const texts = [...rest.matchAll(/(?:^|[\s,])(?:version=)?(?:"([^"]*)"|'([^']*)')/g)];
  if (texts.length === 0) return undefined;
  // A tag directly before a word is an icon.
  if (/\w/.test(next)) return '';
  return texts
    .map(([, double, single]) => double ?? single ?? '')
    .filter((text) => text !== '' && !/^\S*(?:\/\S*|\.[a-z]{2,5})$/.test(text))
    .join(', ');
}

/** Returns true if a closing tag is alone on its line, or at the end of the text directly after a word or sentence. */
function isEndOfPart(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 80), start);
  const after = text.slice(end, end + 80);
  if (/(?:^|\n)[ \t]*$/.test(before)) return /^[ \t]*(?:\n|$)/.test(after);
  return after === '' && /(?:\S|[^\w\s:]\s)$/.test(before);
}

/** Hugo shortcodes that open a tab or close anything, without other text on their line. */
const tabsOnLine = /^\s*(?:\{\{[<%]\s?(?:\/|tab)[^{}]{1,300}[>%]\}\}[ \t]*){2,20}$/;
const commentBegin = /^\s*\{(?:\{[<%]\s*comment\s*[>%]\}|%-?\s*comment\s*-?%)\}/;
const commentEnd = /\{(?:\{[<%]\s*\/\s*comment\s*[>%]\}|%-?\s*endcomment\s*-?%)\}/;
const isLeftOpen = /^ {0,3}\{(?:\{[<%]|%-?\s)[^{}]*$/;
const wholeComment = new RegExp(`^.*?${commentEnd.source}`);
/** Maximum number of lines of one shortcode. */
const shortcodeLinesMax = 12;

/**
 * Puts shortcodes that open a tab or close anything on separate lines, joins shortcodes that span several lines, and
 * removes Hugo and Liquid comments. Code in fences stays.
 */
export function separateShortcodes(lines: readonly string[]): string[] {
  const separate: string[] = [];
  let fence: { mark: string; isQuoted: boolean } | undefined;
  let isInItem = false;
  const lastComment = lines.findLastIndex((line) => commentEnd.test(line));
  for (let at = 0; at < lines.length; at++) {
    let line = lines[at] as string;
    if (fence !== undefined) {
      if (endsFence(line, fence)) fence = undefined;
      separate.push(line);
      continue;
    }
    fence = fenceBehindMarks(line);
    isInItem = listMarker(line) !== undefined || (isInItem && (isBlank(line) || indentOf(line) > 0));
    const isCode = indentOf(line) > 3 && !isInItem;
    if (at <= lastComment && !isCode && commentBegin.test(line)) {
      while (!commentEnd.test(lines[at] as string)) at++;
      separate.push((lines[at] as string).replace(wholeComment, ''));
      continue;
    }
    const more = isLeftOpen.test(line) ? lines.slice(at + 1, at + shortcodeLinesMax) : [];
    const end = more.findIndex((each) => /[{}]/.test(each));
    const joined = [line, ...more.slice(0, end + 1).map((each) => each.trim())].join(' ');
    if (end >= 0 && /^[^{}]*(?:[>%]\}|%)\}/.test(more[end] as string) && !/\stext=/.test(joined)) {
      line = joined;
      at += end + 1;
    }
    const indent = line.slice(0, line.search(/\S|$/));
    if (!tabsOnLine.test(line) || isCode) separate.push(line);
    else separate.push(...(line.match(/\{\{[<%][^{}]*\}\}/g) ?? []).map((each) => indent + each));
  }
  return separate;
}

/** Shortcodes that show their name as a badge after the item. */
const stateName = /^(?:required|optional|deprecated|removed|experimental|alpha|beta|preview|new)$/;

function shortcodeText(name: string, rest: string): string | undefined {
  if (/^(?:rel)?ref$/.test(name)) return /"([^"]*)"|([^\s"=]+)\s*$/.exec(rest)?.slice(1).find(Boolean);
  if (name === 'kbd') {
    const keys = [...rest.matchAll(/\s(mac|win|linux)="?([^\s"=]+)/g)].map(
      ([, os, key = '']) => `${codeSpan(key)} (${os})`,
    );
    return codeSpan(rest.replace(/\s\w+=\S+|"/g, '').trim()) || keys.join(', ') || undefined;
  }
  const tag = { name, isClosing: false, isSelfClosing: false, attributes: rest, end: 0 };
  const keys = rest.includes('=') ? ['text', 'title', 'label', 'name', 'summary', 'caption', 'alt'] : [];
  const text = keys.map((key) => attribute(tag, key)).find(Boolean);
  const label = calloutLabel(kindOfNotice(name, rest) ?? name, text);
  return label === undefined ? text : `**${label}:**`;
}

/** Returns the call-out type in Hugo themes: `notice tip` or `callout type="tip"`. */
function kindOfNotice(name: string, rest: string): string | undefined {
  if (!/^(?:notice|alert|callout|admonition|hint)$/.test(name)) return undefined;
  return /^\s*"?([a-z]+)"?(?=\s|$)|(?:^|\s)(?:type|style)="?([a-z]+)/.exec(rest)?.slice(1).find(Boolean);
}

/** Returns the text of MDN macros that refer to a name; undefined for all others. */
function macroText(macro: string, args: string): string | undefined {
  const [name, shown] = [...args.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, double, single]) => double ?? single ?? '');
  if (name === undefined) return undefined;
  if (/^glossary$/i.test(macro)) return shown || name;
  if (/^(?:html|svg|mathml)element$/i.test(macro)) return codeSpan(shown || `<${name}>`);
  return /(?:xref|^httpheader|^httpmethod|^httpstatus|^webextapiref)$/i.test(macro)
    ? codeSpan(shown || name)
    : undefined;
}
