import { fenceOf } from './captured-code.ts';
import { endsFence, fenceBehindMarks, indentOf, isBlank } from './lines.ts';

const paneBegin = /^\s*\{\{[<%]\s*tabpane\b([^{}]{0,300})[>%]\}\}/;
const paneEnd = /\{\{[<%]\s*\/\s*tabpane\s*[>%]\}\}/;
const tabBegin = /^\s*\{\{<\s*tab\s([^{}]{0,300}[^{}/\s])\s*>\}\}/;
const tabEnd = /\{\{<\s*\/\s*tab\s*>\}\}/;
const isText = /(?:^|\s)text=(?!"?false)/;
const language = /(?:^|\s)lang="?([\w+#-]{1,40})/;
const header = /(?:^|\s)header="([\w+#-]{1,40})"/;
/** Longer lines are no page that someone wrote. */
const restMax = 2_000;
const markup = /\{\{[<%]\s*highlight\b|^\s*<(?:table|div|p|ul)\b/;

/** Lines in which the tabs of Hugo's theme Docsy that have a language, and are code by that, have it in a fence. */
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
    // The next tab may begin on the same line.
    if (rest.length > restMax) written.push(rest);
    else if (rest.trim() !== '') lines[at--] = rest;
  }
  return written;
}

/** The language of a tab's code; undefined where it is text, or nothing names a language. */
function languageOf(tab: string, pane: string): string | undefined {
  if (isText.test(tab) || isText.test(pane)) return undefined;
  const named =
    language.exec(tab) ?? language.exec(pane) ?? (/\blangEqualsHeader\b/.test(pane) ? header.exec(tab) : null);
  return named?.[1]?.toLowerCase();
}
