import { isPointer } from '#server/ingest/split/shorten-links.ts';

const fence = /^\s*(`{3,}|~{3,})/;
/** Longer targets are not addresses; this also bounds the work per bracket. */
const targetCharactersMax = 4_096;

/**
 * Replaces links by their text and images by their description; code is unchanged. Addresses are up to half of the
 * tokens of generated reference pages, and agents find each page by its name. Links with generic text (`[here](…)`)
 * keep their targets.
 */
export function withoutLinkTargets(markdown: string): string {
  if (!markdown.includes('](')) return markdown;
  const blocks: string[] = [];
  let prose: string[] = [];
  let open: string | undefined;
  const endProse = () => {
    if (prose.length > 0) blocks.push(withoutInlineTargets(prose.join('\n')));
    prose = [];
  };
  for (const line of markdown.split('\n')) {
    const marks = fence.exec(line)?.[1];
    if (open === undefined && marks === undefined) {
      prose.push(line);
      continue;
    }
    endProse();
    blocks.push(line);
    if (open === undefined) open = marks;
    else if (marks?.startsWith(open) && line.trim() === marks) open = undefined;
  }
  endProse();
  return blocks.join('\n');
}

function withoutInlineTargets(prose: string): string {
  const pieces: string[] = [];
  /** Indexes in `pieces` of brackets that may begin a link. */
  const brackets: number[] = [];
  const ticksWithoutEnd = new Set<number>();
  for (let at = 0; at < prose.length; ) {
    const end = endOfPiece(prose, at, ticksWithoutEnd);
    const piece = prose.slice(at, end);
    at = end;
    if (piece === '[' || piece === '![') brackets.push(pieces.length);
    if (piece === ']') {
      const opening = brackets.pop();
      const afterTarget = opening === undefined ? at : endOfTarget(prose, at);
      if (opening !== undefined && afterTarget > at) {
        if (isPointerAt(pieces, opening)) pieces.push(`]${prose.slice(at, afterTarget)}`);
        else pieces[opening] = '';
        at = afterTarget;
        continue;
      }
    }
    pieces.push(piece);
  }
  return pieces.join('');
}

const labelPiecesMax = 4;

function isPointerAt(pieces: readonly string[], opening: number): boolean {
  if (pieces[opening] !== '[' || pieces.length - opening > labelPiecesMax) return false;
  return isPointer(pieces.slice(opening + 1).join(''), pieces[opening - 1] ?? '');
}

const plain = /[^\\`![\]]+/y;
const ticks = /`+/y;

/** Returns the end of the next piece: plain text, an escape, a code span, a bracket, or another single character. */
function endOfPiece(prose: string, at: number, ticksWithoutEnd: Set<number>): number {
  plain.lastIndex = at;
  if (plain.test(prose)) return plain.lastIndex;
  const character = prose[at];
  if (character === '\\') return Math.min(at + 2, prose.length);
  if (character === '!' && prose[at + 1] === '[') return at + 2;
  return character === '`' ? endOfCode(prose, at, ticksWithoutEnd) : at + 1;
}

function endOfCode(prose: string, at: number, ticksWithoutEnd: Set<number>): number {
  const length = runOfTicks(prose, at);
  const contentAt = at + length;
  if (ticksWithoutEnd.has(length)) return contentAt;
  for (let next = prose.indexOf('`', contentAt); next >= 0; ) {
    const run = runOfTicks(prose, next);
    if (run === length) return next + run;
    next = prose.indexOf('`', next + run);
  }
  ticksWithoutEnd.add(length);
  return contentAt;
}

function runOfTicks(prose: string, at: number): number {
  ticks.lastIndex = at;
  return ticks.test(prose) ? ticks.lastIndex - at : 0;
}

const target = /\((?:<[^>\n]*>|(?:[^()\s]|\([^()\s]*\))*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/y;

/** Returns the position after the `(…)` that begins here, or `at` if there is none. */
function endOfTarget(prose: string, at: number): number {
  if (prose[at] !== '(') return at;
  const near = prose.slice(at, at + targetCharactersMax);
  target.lastIndex = 0;
  return target.test(near) ? at + target.lastIndex : at;
}
