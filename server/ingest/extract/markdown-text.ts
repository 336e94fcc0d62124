// Text without these characters needs no escaping; most text is used unchanged.
const NEEDS_ESCAPE = /[\\`*_<&~\]]/;

/**
 * Escapes only what Markdown would otherwise interpret: `pg_stat_activity` and `a * b` stay unchanged. Assumes that
 * both ends of the run touch a word.
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

/** Escapes a line start that Markdown would read as a heading, list, quote or rule. */
export function escapeLineStart(line: string): string {
  const first = line.charCodeAt(0);
  // Most lines start with a letter.
  if ((first >= 0x61 && first <= 0x7a) || (first >= 0x41 && first <= 0x5a)) return line;
  return line
    .replace(/^(#{1,6}|[-+>])(?=\s|$)/, '\\$1')
    .replace(/^>/, '\\>')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
    .replace(/^(={2,}|-{2,}|~{3,})/, '\\$1');
}

/** Returns a code span for the text, with white space collapsed as in browsers. */
export function codeSpan(text: string): string {
  const code = text.replace(/\s+/g, ' ').trim();
  if (code === '') return '';
  if (!code.includes('`')) return `\`${code}\``;
  const mark = '`'.repeat(longestRun(code) + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${mark}${pad}${code}${pad}${mark}`;
}

/** Returns a fenced code block with the text verbatim; the fence is longer than any run of backticks inside. */
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

/** Prefixes every line with `> `. */
export function quoteLines(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** Indents all lines except the first, so that they belong to a list item. */
export function indentRest(markdown: string, indent: string): string {
  return markdown.replace(/\n(?=[^\n])/g, `\n${indent}`);
}

/** Returns a link; escapes invalid link text and addresses with unbalanced parentheses. */
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
