import { emitPendingLabel } from './emit.ts';
import { type FenceStart, indentOf, isBlank, isFenceEnd, outdent } from './lines.ts';
import { readMystDirective } from './read-directive.ts';
import type { Scanner } from './scanner.ts';

/**
 * Reads a fence; its code is kept verbatim except for comments that highlight lines. Directives written as fences are
 * read as directives.
 */
export function readFence(scanner: Scanner, start: FenceStart): void {
  const body: string[] = [];
  let end = scanner.at + 1;
  for (let line = scanner.line(end); line !== undefined; line = scanner.line(end)) {
    end++;
    if (isFenceEnd(line, start.mark) && indentOf(line) < start.indent + 4) break;
    body.push(outdent(line, start.indent));
  }
  emitPendingLabel(scanner);
  scanner.at = end;
  if (start.info.startsWith('{') && readMystDirective(scanner, start.info, body)) return;
  const juliaBlock = documenterInfo.exec(start.info)?.[1];
  const language = juliaBlock === undefined ? fenceLanguage(start.info) : 'julia';
  const isChunk = chunkInfo.test(start.info);
  const shown = isChunk
    ? shownOfChunk(start.info, body)
    : juliaBlock === undefined
      ? withoutMarks(body, language)
      : shownByDocumenter(juliaBlock, body);
  const info = isChunk || juliaBlock !== undefined ? language : start.info;
  const markdown = `${start.mark}${info}\n${shown.join('\n')}\n${start.mark}`;
  if (!shown.every(isBlank)) scanner.draft.add({ type: 'code', markdown, ...(language === '' ? {} : { language }) });
}

const mark =
  /(?<!\s)\s*(?:\/\/|#|--|;|%|\/\*|<!--|\{\/\*)\s*(?:\[!code (?!\+\+|--)[^\]\n]{1,80}\]|highlight-(?:next-line|start|end)(?=\s*(?:\*|-->|$)))\s*(?:\*\/\}?|-->)?/;
const cutBefore = /^\s*\/\/ ?---cut(?:-before)?---\s*$/;

/**
 * Removes the comments with which VitePress, Nuxt and Docusaurus highlight lines, and the part cut off by Twoslash.
 * Markdown examples are unchanged, because they may be about these comments.
 */
function withoutMarks(body: readonly string[], language: string): readonly string[] {
  if (/^(?:markdown|mdx?)$/.test(language)) return body;
  const shown = body.slice(body.findLastIndex((line) => cutBefore.test(line)) + 1);
  if (!shown.some((line) => mark.test(line))) return shown;
  return shown.map((line) => line.replace(mark, '')).filter((line, at) => !isBlank(line) || isBlank(shown[at]!));
}

/**
 * The complete info string of a chunk: `{r}`, `{python name, echo=FALSE}`. With an argument after it, it is a MyST
 * directive.
 */
const chunkInfo = /^\{[A-Za-z]\w*(?:[\s,].*)?\}\s*$/;

/**
 * Returns the visible lines of an R Markdown or Quarto chunk, without its options (`{r, echo=FALSE}`, `#| echo:
 * false`).
 */
function shownOfChunk(info: string, body: readonly string[]): readonly string[] {
  const end = body.findIndex((line) => !/^\s*#\|/.test(line));
  const options = [info, ...body.slice(0, Math.max(end, 0))].join('\n');
  const unquoted = options.replace(/"[^"\n]*"|'[^'\n]*'/g, '""');
  if (/[\s,{|](?:include|echo)\s*[=:]\s*(?:F|FALSE|false)\b/.test(unquoted)) return [];
  return end < 0 ? [] : body.slice(end);
}

/** A block that Julia's Documenter runs or fills in: `@example name`, `jldoctest; setup = :(using A)`. */
const documenterInfo =
  /^(@(?:example|repl|eval|setup|meta|docs|autodocs|index|contents)|jldoctest|julia-repl)(?:[ ;].*)?$/;

/** Returns a Documenter block's visible lines; none for a block that only controls the build. */
function shownByDocumenter(block: string, body: readonly string[]): readonly string[] {
  if (/^@(?:eval|setup|meta|autodocs|index|contents)/.test(block)) return [];
  return body.filter((line) => !/#\s*hide\s*$/.test(line));
}

/** Returns the language in a fence's info string: `js {1,3}`, `rust,no_run`, `{.python}`, `language-css`. */
export function fenceLanguage(info: string): string {
  const word = /^\s*(?:\{\s*)?\.?(?:language-|lang-)?([^\s{},:;=]+)/.exec(info)?.[1] ?? '';
  return word.length <= 40 ? word.toLowerCase() : '';
}

/** Reads code indented by four columns. */
export function readIndentedCode(scanner: Scanner): void {
  const code: string[] = [];
  let end = scanner.at;
  for (let line = scanner.line(end); line !== undefined; line = scanner.line(++end)) {
    if (!isBlank(line) && indentOf(line) < 4) break;
    code.push(isBlank(line) ? '' : outdent(line, 4));
  }
  while (code.length > 0 && code.at(-1) === '') code.pop();
  emitPendingLabel(scanner);
  scanner.draft.addCode(code.join('\n'));
  scanner.at = end;
}
