import { CodeSpans } from './code-spans.ts';

const targetCharsMax = 2000;

export interface MarkdownLink {
  /** Position of the opening bracket; `labelEnd` is the closing one, `end` the position after the target. */
  start: number;
  labelEnd: number;
  end: number;
  target: string;
}

/** Returns links of the form `[label](target)`, ordered by their ends; none inside code spans. */
export function linksIn(text: string): MarkdownLink[] {
  const links: MarkdownLink[] = [];
  const open: number[] = [];
  const spans = new CodeSpans(text);
  for (let at = 0; at < text.length; ) {
    const char = text[at];
    if (char === '\\') at += 2;
    else if (char === '`') at = spans.end(at);
    else {
      if (char === '[') open.push(at);
      const start = char === ']' ? open.pop() : undefined;
      const end = start !== undefined && text[at + 1] === '(' ? targetEnd(text, at + 1) : -1;
      if (start !== undefined && end > 0 && text[start - 1] !== '!') {
        links.push({ start, labelEnd: at, end, target: text.slice(at + 2, end - 1) });
        at = end;
      } else at++;
    }
  }
  return links;
}

function targetEnd(text: string, open: number): number {
  const limit = Math.min(text.length, open + targetCharsMax);
  let depth = 0;
  for (let at = open; at < limit; at++) {
    const char = text[at];
    if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at + 1;
    else if (char === ' ' || char === '\n' || char === '[') return -1;
  }
  return -1;
}
