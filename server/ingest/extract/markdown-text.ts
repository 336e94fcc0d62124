// Everything an unescaped run may contain without changing its meaning; most text passes this test and is used as it is.
const NEEDS_ESCAPE = /[\\`*_<&~\]]/;

/**
 * Escapes text so that Markdown shows it unchanged, and no more than that: `pg_stat_activity` and `a * b` stay as they
 * are. Characters at the edges of the run are taken to stand beside a word.
 */
export function escapeText(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text;
  return text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replace(/`/g, '\\`')
    .replace(/\*/g, (star, at: number) => (isSpaceAt(text, at - 1) && isSpaceAt(text, at + 1) ? star : '\\*'))
    .replace(/_+/g, (run, at: number, whole: string) => {
      const isInsideWord = isWordAt(whole, at - 1) && isWordAt(whole, at + run.length);
      return isInsideWord ? run : run.replace(/_/g, '\\_');
    })
    .replace(/<(?=[A-Za-z/!?])/g, '\\<')
    .replace(/&(?=#?\w{1,32};)/g, '\\&')
    .replace(/~~/g, '\\~\\~')
    .replace(/\](?=\()/g, '\\]');
}

/** Escapes what would turn the start of a line into a heading, a list, a quote or a rule. */
export function escapeLineStart(line: string): string {
  const first = line.charCodeAt(0);
  // Letters start most lines.
  if ((first >= 0x61 && first <= 0x7a) || (first >= 0x41 && first <= 0x5a)) return line;
  return line
    .replace(/^(#{1,6}|[-+>])(?=\s|$)/, '\\$1')
    .replace(/^>/, '\\>')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
    .replace(/^(={2,}|-{2,}|~{3,})/, '\\$1');
}

/** A code span that shows the text as it is; white space is folded, as browsers do. */
export function codeSpan(text: string): string {
  const code = text.replace(/\s+/g, ' ').trim();
  if (code === '') return '';
  if (!code.includes('`')) return `\`${code}\``;
  const mark = '`'.repeat(longestRun(code) + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${mark}${pad}${code}${pad}${mark}`;
}

/** A fenced code block. The text stands between the fences byte for byte; the fence is longer than any run inside. */
export function fence(code: string, language = ''): string {
  const mark = '`'.repeat(Math.max(3, longestRun(code) + 1));
  return `${mark}${language}\n${code}\n${mark}`;
}

function longestRun(text: string): number {
  let longest = 0;
  let run = 0;
  for (let i = text.indexOf('`'); i >= 0 && i < text.length; i++) {
    run = text.charCodeAt(i) === 0x60 ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

/** Puts `> ` before every line. */
export function quoteLines(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** Indents every line but the first, so that it belongs to a list item. */
export function indentRest(markdown: string, indent: string): string {
  return markdown.replace(/\n(?=[^\n])/g, `\n${indent}`);
}

/** A link; text that is no valid link text or an address with unpaired parentheses is escaped. */
export function markdownLink(text: string, address: string): string {
  const label = hasPairedBrackets(text) ? text : text.replace(/(?<!\\)[[\]]/g, '\\$&');
  const target = /[()<>\s]/.test(address) ? address.replace(/[()<>\s]/g, percentEncode) : address;
  return `[${label}](${target})`;
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function hasPairedBrackets(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '[') depth++;
    else if (character === ']' && --depth < 0) return false;
  }
  return depth === 0;
}

const isSpaceAt = (text: string, at: number): boolean => at >= 0 && at < text.length && /\s/.test(text[at]!);
const isWordAt = (text: string, at: number): boolean => at >= 0 && at < text.length && /[\p{L}\p{N}]/u.test(text[at]!);
