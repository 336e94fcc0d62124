/** A stretch of Markdown text that is all prose or all program listing. */
export interface MarkdownPart {
  isCode: boolean;
  text: string;
}

const fencePattern = /^[ \t>]{0,40}(`{3,}|~{3,})/;
const escapedMark = /\\([!-/:-@[-`{-~])/g;
// Bounded, so that an unclosed bracket costs at most this much scanning.
const linkTarget = /\]\([^()\s]{0,2000}(?:\s{1,4}"[^"]{0,300}")?\)/g;

function cleanProse(text: string): string {
  const withoutTargets = text.includes('](') ? text.replace(linkTarget, '] ') : text;
  return withoutTargets.includes('\\') ? withoutTargets.replace(escapedMark, '$1') : withoutTargets;
}

/** Splits Markdown into prose (without link targets and escapes) and fenced listings, in reading order, in one pass. */
export function splitMarkdown(markdown: string): MarkdownPart[] {
  if (!markdown.includes('```') && !markdown.includes('~~~')) return [{ isCode: false, text: cleanProse(markdown) }];
  const parts: MarkdownPart[] = [];
  let fence = '';
  let start = 0;
  const close = (end: number): void => {
    if (end <= start) return;
    const text = markdown.slice(start, end);
    parts.push(fence === '' ? { isCode: false, text: cleanProse(text) } : { isCode: true, text });
  };
  for (let lineStart = 0; lineStart < markdown.length; ) {
    const newline = markdown.indexOf('\n', lineStart);
    const lineEnd = newline < 0 ? markdown.length : newline;
    const mark = fencePattern.exec(markdown.slice(lineStart, Math.min(lineEnd, lineStart + 120)))?.[1];
    if (mark !== undefined && (fence === '' || mark.startsWith(fence))) {
      close(lineStart);
      fence = fence === '' ? mark : '';
      start = lineEnd + 1;
    }
    lineStart = lineEnd + 1;
  }
  close(markdown.length);
  return parts;
}
