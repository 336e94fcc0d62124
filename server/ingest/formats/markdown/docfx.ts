import { codeSpan } from '../write-markdown.ts';
import { endsFence, fenceBehindMarks, indentOf, outdent } from './lines.ts';

/** Quick test for any of the marks below. */
const trace = /:::|[<(]xref:|\[!(?:div|VIDEO)\b|\]\(#tab\/|\{\{\s*'[{}]'/i;
const layout = /^\s*:::\s*(?:row|column)(-end)?\b[^\n]*:::\s*$/;
const readersOnly = /^\s*:::\s*(?:zone|moniker)(?:-end\b|\s[^\n]*?\b(?:target|pivot|range)=)/;
const within =
  /(`{1,8})[^`]{1,1000}\1|:::image\b([^\n]{0,600}?):::|:::no-loc text="([^"]{1,200})":::|<xref:([^<>\s?]{1,300})(?:\?[^<>\s]{0,200})?>/g;
const brace = /\{\{\s{0,9}'([{}])'\s{0,9}\}\}/g;
/** Indentation of the content of a row or column. */
const step = 3;

/**
 * Replaces docfx's marks with the text they show: tab titles, images, API names, and the tool or version that a part
 * applies to. Angular's `{{ '{' }}` becomes the brace. Code in fences stays. Keeps the number of lines.
 */
export function withoutDocfxMarks(lines: string[]): string[] {
  if (!lines.some((line) => trace.test(line))) return lines;
  let fence: { mark: string; isQuoted: boolean; loss: number } | undefined;
  let depth = 0;
  return lines.map((line) => {
    if (fence !== undefined) {
      const code = outdent(line, fence.loss);
      if (endsFence(code, fence)) fence = undefined;
      return code;
    }
    const inside = depth === 0 ? line : outdent(line, depth * step);
    const opened = fenceBehindMarks(inside);
    if (opened) fence = { ...opened, loss: indentOf(line) - indentOf(inside) };
    if (opened || !trace.test(inside)) return inside;
    const end = layout.exec(inside);
    if (end) {
      depth = Math.max(0, depth + (end[1] === undefined ? 1 : -1));
      return '';
    }
    if (readersOnly.test(inside)) {
      const readers = valueOf(inside, 'pivot') || valueOf(inside, 'range');
      return readers === '' ? '' : `**${readers}**`;
    }
    if (/^\s*:::\s*(?:image-end|video\s[^\n]*):::\s*$/.test(inside)) return '';
    if (/^\s*>\s*\[!(?:div|VIDEO)\b[^\]]*\]\s*$/i.test(inside)) return '>';
    const tab = /^#{1,6} \[([^\]]+)\]\(#tab\/[^)\s]*\)\s*$/.exec(inside)?.[1];
    if (tab !== undefined) return `**${tab}**`;
    return inside.replace(brace, '$1').replace(within, (whole, _, picture?: string, kept?: string, api?: string) => {
      if (picture !== undefined) return `![${valueOf(picture, 'alt-text')}](${valueOf(picture, 'source')})`;
      return kept ?? (api === undefined ? whole : codeSpan(nameOf(api)));
    });
  });
}

function valueOf(attributes: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
}

/** Returns an API's uid without escapes: `List%601.Add%2A`. */
function nameOf(uid: string): string {
  return uid
    .replace(/%2A$|\*$/i, '')
    .replace(/%60+\d+|(?<!`)`+\d+/g, '')
    .replaceAll('%23', '#');
}
