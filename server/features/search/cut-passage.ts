import { finer, isBody, type PassageBlock, renderBlocks } from './passage-blocks.ts';
import type { QueryTerm } from './query-terms.ts';

/** Tokens of a line that states what is left out. */
const gapTokens = 8;
/** Weight of a term's further occurrences in a run, relative to the first. */
const repeatedShare = 0.2;
/** Bonus of a full run over an empty one, as a share of all terms' weight: of equally good runs the longer wins. */
const fillShare = 0.1;

export interface CutPassage {
  text: string;
  /** The sentences and lines shown, as input of `traceOf`. */
  blocks: string[];
}

/**
 * Returns the run of whole blocks that answers best within `tokensMax`, preceded by the block that introduces it if the
 * run starts later; bracketed lines state what is left out. Skips the blocks in `leftOut`. Returns undefined if not
 * even one block fits.
 */
export function cutPassage(
  blocks: readonly PassageBlock[],
  tokensMax: number,
  terms: readonly QueryTerm[],
  leftOut: ReadonlySet<number> = new Set(),
): CutPassage | undefined {
  const found = blocks.map(({ text }) => termsIn(text.toLowerCase(), terms));
  const total = terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
  let best: { from: number; to: number; worth: number } | undefined;
  for (let from = 0; from < blocks.length; from += 1) {
    if (leftOut.has(from)) continue;
    const counts = new Map<number, number>();
    let tokens = leadTokens(blocks, from) + (from > 0 ? gapTokens : 0);
    let worth = 0;
    let hasBody = false;
    for (let to = from; to < blocks.length; to += 1) {
      if (leftOut.has(to)) continue;
      const block = blocks[to] as PassageBlock;
      const isNewFrame = block.frame !== undefined && (to === from || blocks[to - 1]?.frame?.id !== block.frame.id);
      tokens += block.tokens + (isNewFrame ? (block.frame?.tokens ?? 0) : 0);
      if (tokens + (to < blocks.length - 1 ? gapTokens : 0) > tokensMax) break;
      for (const term of found[to] as number[]) {
        const seen = counts.get(term) ?? 0;
        worth += (terms[term]?.weight ?? 0) * (seen === 0 ? 1 : repeatedShare / seen);
        counts.set(term, seen + 1);
      }
      hasBody ||= isBody(blocks, to);
      const score = worth / total + fillShare * Math.min(1, tokens / tokensMax);
      if (hasBody && (best === undefined || score > best.worth)) best = { from, to, worth: score };
    }
  }
  if (best === undefined) return undefined;
  const { from, to } = best;
  const run = blocks.flatMap((_, at) => (at >= from && at <= to && !leftOut.has(at) ? [at] : []));
  const lead = blocks[from]?.introducedBy;
  const chosen = lead === undefined || lead >= from ? run : [lead, ...run];
  const shown = chosen.map((at) => blocks[at] as PassageBlock);
  return { text: renderBlocks(blocks, chosen), blocks: finer(shown.map(alone)).map(({ text }) => text) };
}

/** Returns the block without `introducedBy`: the introducing block may not be among those shown. */
function alone({ text, separator, frame }: PassageBlock): Omit<PassageBlock, 'tokens'> {
  return { text, separator, frame, introducedBy: undefined };
}

function leadTokens(blocks: readonly PassageBlock[], from: number): number {
  const lead = blocks[from]?.introducedBy;
  return lead === undefined ? 0 : (blocks[lead] as PassageBlock).tokens;
}

/** Returns the indexes of the terms in a block. A plain loop, because it runs for every block of every cut passage. */
function termsIn(lower: string, terms: readonly QueryTerm[]): number[] {
  const found: number[] = [];
  for (let term = 0; term < terms.length; term++) {
    if (lower.includes((terms[term] as QueryTerm).stem)) found.push(term);
  }
  return found;
}
