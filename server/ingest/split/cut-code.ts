import { cutText } from './cut-text.ts';
import { closingLine, type Fence, fenceOpening, isFenceClosing } from './fences.ts';
import { type Cut, fragmentTokensMax } from './limits.ts';
import { countTokens } from './tokens.ts';

/** From this size on, a piece of code ends at the next empty line or top-level statement. */
const niceStretchTokens = 120;

/** Cuts a fenced block between lines, preferably at empty lines; every piece opens and closes the fence again. */
export function cutCode(markdown: string): Cut[] {
  const lines = markdown.split('\n');
  const fence = fenceOpening(lines[0] as string);
  if (!fence) return cutLines(lines, '', '');
  const last = lines.at(-1) as string;
  const body = lines.length > 1 && isFenceClosing(last, fence) ? lines.slice(1, -1) : lines.slice(1);
  return cutFencedLines(body, fence);
}

/** Cuts the lines inside a fence, without the fence lines. */
export function cutFencedLines(lines: readonly string[], fence: Fence): Cut[] {
  return cutLines(lines, `${fence.openLine}\n`, `\n${closingLine(fence)}`);
}

function cutLines(lines: readonly string[], open: string, close: string): Cut[] {
  const cuts: Cut[] = [];
  let stretch: string[] = [];
  let tokens = 0;
  const frameTokens = countTokens(open + close) + 2;
  const flush = (): void => {
    if (stretch.length === 0) return;
    cuts.push({ open, body: stretch.join('\n'), close, joiner: '\n', tokens: tokens + frameTokens });
    stretch = [];
    tokens = 0;
  };
  for (const line of lines) {
    const lineTokens = countTokens(line) + 1;
    if (lineTokens > fragmentTokensMax) {
      flush();
      for (const [index, cut] of cutText(line, fragmentTokensMax).entries()) {
        cuts.push({
          open,
          body: cut.body,
          close,
          joiner: index === 0 ? '\n' : cut.joiner,
          tokens: cut.tokens + frameTokens,
        });
      }
      continue;
    }
    const isNicePlace = line.trim() === '' || (line[0] !== ' ' && line[0] !== '\t' && !/^[})\]]/.test(line));
    if (tokens + lineTokens > fragmentTokensMax || (tokens >= niceStretchTokens && isNicePlace)) flush();
    stretch.push(line);
    tokens += lineTokens;
  }
  flush();
  return cuts;
}
