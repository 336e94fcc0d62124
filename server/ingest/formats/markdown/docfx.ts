import { codeSpan } from '../code-span.ts';
import { fenceStart, isFenceEnd, outdent } from './lines.ts';

/** Something of the marks below, before a page is gone through for them. */
const trace = /:::|[<(]xref:|\[!(?:div|VIDEO)\b|\]\(#tab\/|\{\{\s*'/i;
const block = /^\s*:::\s*(zone|moniker|row|column)(-end)?\b(?:[^\n]*(?:pivot|range)="([^"]{1,100})")?/;
const within =
  /:::image\b([^\n]{0,600}?):::|:::no-loc text="([^"]{1,200})":::|<xref:([^<>\s?]{1,300})(?:\?[^<>\s]{0,200})?>|\{\{\s*'([^'\n]{1,40})'\s*\}\}/g;
/** Columns that a row or a column of a page stands in. */
const step = 3;

/**
 * The lines of a page with the marks of docfx as what they show: the heads of tabs, pictures, names of an API, for which tool or
 * version a part is. Angular's `{{ '{' }}` is its sign. Code in fences stays. As many lines as before.
 */
export function withoutDocfxMarks(lines: string[]): string[] {
  if (!lines.some((line) => trace.test(line))) return lines;
  let fence: string | undefined;
  let depth = 0;
  return lines.map((line) => {
    const inside = depth === 0 ? line : outdent(line, depth * step);
    if (fence !== undefined) {
      if (isFenceEnd(inside, fence)) fence = undefined;
      return inside;
    }
    fence = fenceStart(inside)?.mark;
    if (fence !== undefined || !trace.test(inside)) return inside;
    const [, name, end, readers] = block.exec(inside) ?? [];
    if (name !== undefined) {
      if (name === 'row' || name === 'column') depth = Math.max(0, depth + (end === undefined ? 1 : -1));
      return readers === undefined ? '' : `**${readers}**`;
    }
    if (/^\s*:::\s*(?:image-end|video\b)|^\s*>\s*\[!(?:div|VIDEO)\b[^\]]*\]\s*$/i.test(inside))
      return inside.trimStart().startsWith('>') ? '>' : '';
    const tab = /^#{1,6} \[([^\]]+)\]\(#tab\/[^)\s]*\)\s*$/.exec(inside)?.[1];
    if (tab !== undefined) return `**${tab}**`;
    return inside.replace(within, (_, picture?: string, kept?: string, api?: string, sign?: string) =>
      picture === undefined
        ? (kept ?? sign ?? codeSpan(nameOf(api ?? '')))
        : `![${valueOf(picture, 'alt-text')}](${valueOf(picture, 'source')})`,
    );
  });
}

function valueOf(attributes: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
}

/** A unique id of an API without what its address escapes: `List%601.Add%2A`. */
function nameOf(uid: string): string {
  return uid
    .replace(/%2A$|\*$/i, '')
    .replace(/%60+\d+|`+\d+/g, '')
    .replaceAll('%23', '#');
}
