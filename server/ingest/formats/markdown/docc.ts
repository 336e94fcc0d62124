import { fenceStart, isFenceEnd } from './lines.ts';

/** Page settings of Swift's DocC that readers do not see. */
const opening = /^@(?:Metadata|Options|Comment)(?:\([^()\n]{0,200}\))? ?\{$/;
/** A longer block is not a settings block. */
const linesMax = 60;

/** Removes DocC's settings blocks: `@Metadata { … }`, closed at the same indentation. */
export function withoutDoccSettings(lines: string[]): string[] {
  if (!lines.some((line) => opening.test(line))) return lines;
  const out: string[] = [];
  let fence: string | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (fence === undefined) fence = fenceStart(line)?.mark;
    else if (isFenceEnd(line, fence)) fence = undefined;
    const length = fence === undefined && opening.test(line) ? lines.slice(at, at + linesMax).indexOf('}') : -1;
    if (length < 0) out.push(line);
    else at += length;
  }
  return out;
}
