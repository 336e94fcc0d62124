import { snippetKeyOf } from '#server/engine/index.ts';
import type { CallRecord, Recollection } from './agent-memory.ts';
import type { Candidate } from './candidates.ts';
import type { PackedHit } from './pack-hits.ts';
import { blocksOf, finer, isBody, traceOf } from './passage-blocks.ts';
import type { QueryTerm } from './query-terms.ts';
import { passageText } from './render.ts';

/** Separates passages that this conversation has already received: whole, or every part that matches the query. */
export function leaveOutSent(
  found: Candidate[],
  memory: Recollection | undefined,
  terms: QueryTerm[],
): { candidates: Candidate[]; sentBefore: Candidate[] } {
  if (memory === undefined) return { candidates: found, sentBefore: [] };
  const keys = new Set([...memory.sentWhole, ...memory.sentInPart.keys()].map(snippetKeyOf));
  const isSent = (candidate: Candidate): boolean => {
    if (!keys.has(candidate.snippetKey)) return false;
    const traces = memory.sentInPart.get(candidate.snippetId);
    return memory.sentWhole.has(candidate.snippetId) || (traces !== undefined && !isLeft(candidate, traces, terms));
  };
  const { sent: sentBefore = [], left: candidates = [] } = Object.groupBy(found, (one) =>
    isSent(one) ? 'sent' : 'left',
  );
  return { candidates, sentBefore };
}

/** Returns true if an unsent sentence or line contains a word of the query. */
function isLeft({ snippet, title }: Candidate, traces: ReadonlySet<string>, terms: QueryTerm[]): boolean {
  return finer(blocksOf(passageText(snippet, title))).some(({ text }, at, parts) => {
    const lower = text.toLowerCase();
    return terms.some(({ stem }) => lower.includes(stem)) && !traces.has(traceOf(text)) && isBody(parts, at);
  });
}

/**
 * Returns the record of a search for the conversation's memory: the passages sent, their tokens, and the tokens saved.
 */
export function recordSearch({
  query,
  hits,
  found,
  sentBefore,
  budget,
  tokens,
  latencyMs,
}: {
  query: string;
  hits: PackedHit[];
  /** All candidates, best first, including those in `sentBefore`. */
  found: Candidate[];
  sentBefore: Candidate[];
  budget: number;
  tokens: number;
  latencyMs: number;
}): CallRecord {
  return {
    tool: 'search',
    query,
    url: null,
    snippetIds: hits.filter((hit) => hit.isWhole).map((hit) => hit.candidate.snippetId),
    parts: hits
      .filter((hit) => hit.blocks.length > 0)
      .map(({ candidate, blocks }) => ({ id: candidate.snippetId, blocks })),
    pageUrls: [...new Set(hits.map((hit) => hit.candidate.pageUrl))],
    tokens,
    wholePageTokens: wholePageTokensOf(hits),
    withheldTokens: withheldTokensOf(found, sentBefore, hits, budget),
    latencyMs,
  };
}

/** Returns the tokens of the whole pages whose passages are shown. */
function wholePageTokensOf(hits: PackedHit[]): number {
  const pages = new Map(hits.map(({ candidate }) => [candidate.pageUrl, candidate.pageTokens]));
  return [...pages.values()].reduce((sum, tokens) => sum + tokens, 0);
}

/**
 * Returns the tokens saved: passages sent before that would have been sent now, since they rank above the last one
 * shown.
 */
function withheldTokensOf(found: Candidate[], sentBefore: Candidate[], hits: PackedHit[], budget: number): number {
  const shown = new Set(hits.map((hit) => hit.candidate));
  const lastShown = found.findLastIndex((candidate) => shown.has(candidate));
  const above = new Set(lastShown < 0 ? found : found.slice(0, lastShown));
  const withheld = sentBefore.filter((candidate) => above.has(candidate));
  const tokens = withheld.reduce((sum, candidate) => sum + candidate.snippet.tokens, 0);
  return Math.min(tokens, budget);
}
