import { snippetKeyOf } from '#server/engine/index.ts';
import type { Recollection } from './agent-memory.ts';
import type { Candidate } from './candidates.ts';
import { blocksOf, finer, isBody, traceOf } from './passage-blocks.ts';
import type { QueryTerm } from './query-terms.ts';
import { passageText } from './render.ts';

/** Separates passages that this conversation has already received: whole, or every part of them that answers. */
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

/** Returns true if a sentence or line that was not sent has a word of the query. */
function isLeft({ snippet, title }: Candidate, traces: ReadonlySet<string>, terms: QueryTerm[]): boolean {
  return finer(blocksOf(passageText(snippet, title))).some(({ text }, at, parts) => {
    const lower = text.toLowerCase();
    return terms.some(({ stem }) => lower.includes(stem)) && !traces.has(traceOf(text)) && isBody(parts, at);
  });
}
