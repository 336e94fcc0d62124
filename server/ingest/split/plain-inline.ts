/** Converts inline Markdown to plain text: removes link targets, code and emphasis marks, and escapes. */
export function plainText(markdown: string): string {
  if (!/[[`*_\\<]/.test(markdown)) return markdown.replace(/\s+/g, ' ').trim();
  const parts: string[] = [];
  let at = 0;
  while (at < markdown.length) {
    const char = markdown[at] as string;
    const next = markdown[at + 1];
    if (char === '\\' && next !== undefined && /[!-/:-@[-`{-~]/.test(next)) {
      parts.push(next);
      at += 2;
    } else if (char === '`') {
      const run = runLength(markdown, at);
      const close = markdown.indexOf('`'.repeat(run), at + run);
      const end = close < 0 ? at + run : close;
      parts.push(close < 0 ? '`'.repeat(run) : trimOne(markdown.slice(at + run, end)));
      at = end + (close < 0 ? 0 : run);
    } else if (char === '!' && next === '[') at++;
    else if (char === '[') at++;
    else if (char === ']' && next === '(') at = targetEnd(markdown, at + 1);
    else if (char === ']') at++;
    else if (char === '*') at += runLength(markdown, at);
    else {
      parts.push(char);
      at++;
    }
  }
  return parts.join('').replace(/\s+/g, ' ').trim();
}

function runLength(text: string, at: number): number {
  let run = 1;
  while (text[at + run] === text[at]) run++;
  return run;
}

function trimOne(code: string): string {
  const isPadded = code.length > 2 && code.startsWith(' ') && code.endsWith(' ');
  return isPadded ? code.slice(1, -1) : code;
}

/**
 * Returns the position after the target of a link that opens at `at`, or after the bracket if the target is never
 * closed.
 */
function targetEnd(text: string, at: number): number {
  let depth = 0;
  for (let end = at; end < text.length && end < at + 2000; end++) {
    if (text[end] === '(') depth++;
    else if (text[end] === ')' && --depth === 0) return end + 1;
  }
  return at + 1;
}
