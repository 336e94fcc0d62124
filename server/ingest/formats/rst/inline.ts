import { codeSpan } from '../write-markdown.ts';
import { normalName, type RstState } from './state.ts';

/** Roles whose content is text; all others contain code. */
const textRoles = new Set(
  (
    'ref doc term numref guilabel menuselection abbr eq dfn sub subscript sup superscript emphasis strong title title-reference ' +
    'download emoji bdg ticket issue pr user'
  ).split(' '),
);

/** Roles that need no space between title and target. */
const linkRoles = new Set(['ref', 'doc', 'term', 'numref', 'download']);
const iconRoles = /^(?:octicon|fa[a-z]?|material-\w+|iconify)$/;

/** Maximum characters that substitutions may add to one file, because they can refer to each other. */
const substitutedMax = 1_000_000;
/** Maximum nesting of substitutions. */
const substitutingMax = 20;

/** Converts inline text of an RST file, or of a Markdown file whose directives are read as RST. */
export function inlineMarkdown(state: RstState, text: string): string {
  return state.inline === undefined ? inlineRst(state, text) : state.inline(text);
}

/**
 * Converts inline RST to Markdown: literals and code roles become code spans, links are resolved, escapes undone. One
 * pass, linear.
 */
function inlineRst(state: RstState, text: string): string {
  if (!/[`\\|_]/.test(text)) return text;
  const out: string[] = [];
  const special = /[`\\|:]|\b[A-Za-z0-9][\w.-]{0,80}?__?(?![\w`])/g;
  const unclosed = new Set<string>();
  let at = 0;
  while (at < text.length) {
    special.lastIndex = at;
    const match = special.exec(text);
    if (!match) break;
    out.push(text.slice(at, match.index));
    at = match.index;
    const step = readSpecial(state, text, at, match[0], unclosed);
    out.push(step?.markdown ?? match[0]);
    at = step?.end ?? at + match[0].length;
  }
  out.push(text.slice(at));
  return out.join('');
}

interface Step {
  markdown: string;
  end: number;
}

function readSpecial(
  state: RstState,
  text: string,
  at: number,
  found: string,
  unclosed: Set<string>,
): Step | undefined {
  const char = found[0];
  if (found.length > 1) return wordReference(state, found, at + found.length);
  if (char === '\\') return escaped(text, at);
  if (char === '|') return substitution(state, text, at);
  if (char === ':') return role(state, text, at, unclosed);
  if (text.startsWith('``', at)) return literal(text, at, unclosed);
  const close = closing(text, '`', at + 1, unclosed);
  if (close < 0) return undefined;
  const inside = text.slice(at + 1, close);
  const isReference = text[close + 1] === '_';
  const end = close + (isReference ? (text[close + 2] === '_' ? 3 : 2) : 1);
  return { markdown: isReference ? reference(state, inside) : codeSpan(inside), end };
}

/** Returns the position of `mark` from `from` on, or -1; a missing mark is searched for only once. */
function closing(text: string, mark: string, from: number, unclosed: Set<string>): number {
  if (unclosed.has(mark)) return -1;
  const close = text.indexOf(mark, from);
  if (close < 0) unclosed.add(mark);
  return close;
}

function escaped(text: string, at: number): Step {
  const next = text[at + 1] ?? '';
  const isSpace = next === '' || /\s/.test(next);
  return { markdown: isSpace ? '' : /[*_`[\]<\\]/.test(next) ? `\\${next}` : next, end: at + 1 + next.length };
}

function literal(text: string, at: number, unclosed: Set<string>): Step | undefined {
  let close = closing(text, '``', at + 3, unclosed);
  if (close < 0) return undefined;
  while (text[close + 2] === '`') close++;
  return { markdown: codeSpan(text.slice(at + 2, close)), end: close + 2 };
}

function substitution(state: RstState, text: string, at: number): Step | undefined {
  const [whole, written = ''] = /^\|([^|\s][^|\n]{0,60})\|_?_?/.exec(text.slice(at, at + 66)) ?? [];
  const name = normalName(written);
  const replacement = state.substitutions.get(name);
  if (whole === undefined || replacement === undefined) return undefined;
  state.substituted += replacement.length;
  if (state.substituted > substitutedMax || state.substituting >= substitutingMax) return undefined;
  // A substitution that refers to itself stays as written.
  state.substitutions.delete(name);
  state.substituting += 1;
  const markdown = inlineRst(state, replacement);
  state.substituting -= 1;
  state.substitutions.set(name, replacement);
  return { markdown, end: at + whole.length };
}

function role(state: RstState, text: string, at: number, unclosed: Set<string>): Step | undefined {
  const match = /^:([A-Za-z][\w.+-]*(?::[\w.+-]+)*):`/.exec(text.slice(at, at + 80));
  const before = text[at - 1];
  if (!match || (before !== undefined && /[\w:]/.test(before))) return undefined;
  const start = at + match[0].length;
  const close = closing(text, '`', start, unclosed);
  if (close < 0) return undefined;
  return {
    markdown: roleMarkdown((match[1] as string).toLowerCase(), text.slice(start, close), state.targets),
    end: close + 1,
  };
}

/** Returns the Markdown for a role's content. `targets` are the names defined in the file. */
export function roleMarkdown(name: string, content: string, targets?: ReadonlyMap<string, string>): string {
  const bare = name.replace(/^std:/, '');
  const { title, target } = titleAndTarget(
    linkRoles.has(bare) ? content.replace(/(\S)<([^<>]+)>$/, '$1 <$2>') : content,
  );
  if (bare === 'pep' || bare === 'rfc') return title ?? `${bare.toUpperCase()} ${target.replace(/#.*/, '')}`;
  if (bare === 'ref' && title === undefined)
    return targets?.has(normalName(target)) ? target : target.replace(/[-_]/g, ' ');
  if (bare === 'doc' && title === undefined) return target.replace(/^\/+|\.\.\//g, '');
  if (bare === 'abbr') return content.replace(/\s+/g, ' ');
  if (iconRoles.test(bare)) return '';
  if (textRoles.has(bare)) return (title ?? target).replace(/^[!~]/, '').replace(/\s+/g, ' ');
  return codeSpan((title ?? target).replace(/^[!~]/, ''));
}

/** Parses `Title <target>` or a target alone. */
function titleAndTarget(content: string): { title?: string; target: string } {
  const open = content.endsWith('>') ? content.lastIndexOf('<') : -1;
  if (open <= 0 || !/\s/.test(content[open - 1] as string)) return { target: content.trim() };
  return { title: content.slice(0, open).trim(), target: content.slice(open + 1, -1).trim() };
}

function reference(state: RstState, content: string): string {
  const { title, target } = titleAndTarget(content);
  const label = (title ?? target).replace(/\s+/g, ' ');
  const isName = title === undefined || /[^/]_$/.test(target);
  const address = isName ? state.targets.get(normalName(target.replace(/_$/, ''))) : target;
  return address === undefined || address === '' ? label : link(state, label, address);
}

function wordReference(state: RstState, found: string, end: number): Step | undefined {
  const name = found.replace(/(?<!_)_+$/, '');
  const address = state.targets.get(normalName(name));
  return address === undefined ? undefined : { markdown: address === '' ? name : link(state, name, address), end };
}

function link(state: RstState, label: string, address: string): string {
  const url = state.draft.resolve(address.replace(/\s+/g, '').replace(/\\_/g, '_'));
  if (url === undefined) return label;
  state.draft.addLink(url, label);
  return label === address ? `<${url}>` : `[${label}](${url.replace(/\(/g, '%28').replace(/\)/g, '%29')})`;
}
