import { fenced } from '../draft.ts';
import { endsFence, fenceBehindMarks, indentOf, isBlank, outdent } from './lines.ts';

const begin = /^[ \t]*\{%-?\s{0,9}(?:set|capture)\s{1,9}(\w{1,60})\s{0,9}-?%\}(?:\{%-?\s{0,9}raw\s{0,9}-?%\})?/;
const end = /(?:\{%-?\s{0,9}endraw\s{0,9}-?%\}\s{0,9})?\{%-?\s{0,9}end(?:set|capture)\s{0,9}-?%\}/;
const rawMark = /^\s*\{%-?\s*(?:end)?raw\s*-?%\}\s*$/;
/**
 * Use of captured text: `{{ name
 *
 * highlight("js") }}`, `{% include code-block.html python=name %}`.
 */
const use =
  /\{\{-?\s{0,9}(\w{1,60})\s{0,9}\|\s{0,9}highlight(?:[(:]\s{0,9}["']?([\w+#-]{0,40}))?|\{%-?\s{0,9}include\s{1,9}[\w./-]{0,60}code[\w./-]{0,60}\s([^{}%]{1,500})%\}/g;
const useAlone = /^\s*\{\{-?\s*\w+\s*\|\s*highlight\b[^{}]*\}\}\s*$/;

/** Converts text that Jekyll or Eleventy captures to show as code to fences. Other captured text is unchanged. */
export function fenceCapturedCode(lines: string[]): string[] {
  const last = lines.findLastIndex((line) => end.test(line));
  const uses = last < 0 ? undefined : usesIn(lines.join('\n'));
  if (uses === undefined || uses.size === 0) return lines;
  const written: string[] = [];
  let fence: { mark: string; isQuoted: boolean } | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const isFenced = fence !== undefined;
    fence = fence === undefined ? fenceBehindMarks(line) : endsFence(line, fence) ? undefined : fence;
    const [opening = '', name = ''] = at > last || isFenced ? [] : (begin.exec(line) ?? []);
    const language = uses.get(name)?.pop();
    if (language === undefined) {
      if (isFenced || !useAlone.test(line)) written.push(line);
      continue;
    }
    const code = [line.slice(opening.length)];
    while (!end.test(code.at(-1) as string)) code.push(lines[++at] as string);
    code.push((code.pop() as string).split(end, 1)[0] as string);
    for (const each of fenceOf(code, language, indentOf(line))) written.push(each);
  }
  return written;
}

/** Returns the names of captured text that is shown as code, with the languages of its uses in reverse order. */
function usesIn(text: string): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  for (const [, highlighted, language = '', included = ''] of text.matchAll(use)) {
    const names = highlighted === undefined ? [...included.matchAll(/=(\w+)/g)].map(([, name]) => name) : [highlighted];
    for (const name of names as string[]) {
      const languages = uses.get(name) ?? [];
      languages.push(language);
      uses.set(name, languages);
    }
  }
  for (const languages of uses.values()) languages.reverse();
  return uses;
}

/** Returns a fence with this code, without blank lines at its ends, indented by the code's margin. */
export function fenceOf(captured: readonly string[], language: string, indent: number): string[] {
  const code = captured.filter((line) => !rawMark.test(line));
  const from = code.findIndex((line) => !isBlank(line));
  const shown = code.slice(Math.max(from, 0), code.findLastIndex((line) => !isBlank(line)) + 1);
  const margin = shown.reduce((least, line) => (isBlank(line) ? least : Math.min(least, indentOf(line))), indent);
  const block = fenced(shown.map((line) => outdent(line, margin)).join('\n'), language);
  return ['', ...block.split('\n').map((line) => ' '.repeat(margin) + line), ''];
}

const paneBegin = /^\s*\{\{[<%]\s*tabpane\b([^{}]{0,300})[>%]\}\}/;
const paneEnd = /\{\{[<%]\s*\/\s*tabpane\s*[>%]\}\}/;
const tabBegin = /^\s*\{\{<\s*tab\s([^{}]{0,300}[^{}/\s])\s*>\}\}/;
const tabEnd = /\{\{<\s*\/\s*tab\s*>\}\}/;
const isText = /(?:^|\s)text=(?!"?false)/;
const language = /(?:^|\s)lang="?([\w+#-]{1,40})/;
const header = /(?:^|\s)header="([\w+#-]{1,40})"/;
/** Longer lines are not written by people. */
const restMax = 2_000;
const markup = /\{\{[<%]\s*highlight\b|^\s*<(?:table|div|p|ul)\b/;

/** Puts code in the tabs of Hugo's Docsy theme in fences; a tab is code if it has a language. */
export function fenceTabCode(given: readonly string[]): string[] {
  const lines = [...given];
  const last = lines.findLastIndex((line) => tabEnd.test(line));
  if (last < 0) return lines;
  const written: string[] = [];
  let fence: { mark: string; isQuoted: boolean } | undefined;
  let pane: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    written.push(line);
    const isFenced = fence !== undefined;
    fence = fence === undefined ? fenceBehindMarks(line) : endsFence(line, fence) ? undefined : fence;
    if (isFenced || at > last) continue;
    pane = paneBegin.exec(line)?.[1] ?? (paneEnd.test(line) ? undefined : pane);
    const [opening = '', settings = ''] = tabBegin.exec(line) ?? [];
    const named = pane === undefined || opening === '' ? undefined : languageOf(settings, pane);
    if (named === undefined) continue;
    const code = [line.slice(opening.length)];
    while (!tabEnd.test(code.at(-1) as string)) code.push(lines[++at] as string);
    const end = code.pop() as string;
    const [mark = ''] = tabEnd.exec(end) ?? [];
    const rest = end.slice(end.indexOf(mark) + mark.length);
    const body = [...code, end.slice(0, end.indexOf(mark))];
    if (body.every(isBlank) || body.some((each) => fenceBehindMarks(each) !== undefined || markup.test(each))) {
      for (const each of lines.slice(at - code.length + 1, at + 1)) written.push(each);
      continue;
    }
    written[written.length - 1] = opening;
    for (const each of fenceOf(body, named, indentOf(line))) written.push(each);
    written.push(`${' '.repeat(indentOf(line))}{{< /tab >}}`);
    // The next tab may start on the same line.
    if (rest.length > restMax) written.push(rest);
    else if (rest.trim() !== '') lines[at--] = rest;
  }
  return written;
}

/** Returns the language of a tab's code; undefined for text, or if no language is given. */
function languageOf(tab: string, pane: string): string | undefined {
  if (isText.test(tab) || isText.test(pane)) return undefined;
  const named =
    language.exec(tab) ?? language.exec(pane) ?? (/\blangEqualsHeader\b/.test(pane) ? header.exec(tab) : null);
  return named?.[1]?.toLowerCase();
}
