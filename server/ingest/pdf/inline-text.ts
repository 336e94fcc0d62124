import { codeSpan, escapeText } from '../extract/markdown-text.ts';
import { type TextRun, textOfRuns } from './page-text.ts';

/** Returns runs as inline Markdown; fixed-width text becomes a code span. */
export function inlineOf(runs: readonly TextRun[]): string {
  let markdown = '';
  let end = Number.NaN;
  for (const part of partsOf(runs)) {
    const first = part[0] as TextRun;
    const text = textOfRuns(part);
    if (text === '') {
      if (!markdown.endsWith(' ')) markdown += ' ';
      end = part.at(-1)?.x1 ?? end;
      continue;
    }
    const hasGap = first.x0 - end > first.size * 0.12 || first.text.startsWith(' ');
    if (hasGap && markdown !== '' && !markdown.endsWith(' ')) markdown += ' ';
    markdown += first.isMono ? codeSpan(text) : escapeText(text);
    const last = part.at(-1) as TextRun;
    if (last.text.endsWith(' ')) markdown += ' ';
    end = last.x1;
  }
  return markdown.replace(/ {2,}/g, ' ').trim();
}

/** Groups adjacent runs of the same kind; white space belongs to the run before it. */
function partsOf(runs: readonly TextRun[]): TextRun[][] {
  const parts: TextRun[][] = [];
  for (const run of runs) {
    const last = parts.at(-1);
    const isBlank = run.text.trim() === '';
    if (last !== undefined && (isBlank || last[0]?.isMono === run.isMono)) last.push(run);
    else parts.push([run]);
  }
  return parts;
}
