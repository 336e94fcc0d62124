import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import type { CallMeter, MeteredCall } from '#server/features/credits/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import { timed } from '#server/platform/tracing.ts';
import type { AgentMemory, Recollection } from './agent-memory.ts';
import { type FindingDeps, findPassages, noPicks } from './find-passages.ts';
import { leaveOutSent, recordSearch } from './leave-out-sent.ts';
import { packAnswer } from './pack-answer.ts';
import { leastScoreOf } from './pack-hits.ts';
import { budgetOf, parseQuery } from './parse-query.ts';
import { queryTerms } from './query-terms.ts';
import { nothingFoundNote, searchNotes } from './search-notes.ts';
import { nothingBeside, type SearchRendering, type SentBeside } from './search-renderings.ts';
import type { AgentRef, SearchAnswer, SearchDocsInput } from './types.ts';
import { picksOf } from './which-library.ts';

/**
 * Searches the modules that the caller can read and packs the best passages into the budget. With an agent, passages
 * sent earlier in its conversation are omitted and new ones are remembered; without an agent nothing is remembered. The
 * rendered text and the data sent beside it never exceed the token budget. Throws for an empty or overlong query, for
 * an unknown module and if the caller has no credits; an answer without passages is free.
 */
export async function searchDocs(
  deps: FindingDeps & { memory: AgentMemory; meter?: CallMeter | undefined },
  ctx: Context,
  input: SearchDocsInput,
  agent: AgentRef | undefined,
  rendering: SearchRendering = 'text',
  beside: SentBeside = nothingBeside,
): Promise<SearchAnswer> {
  requireRight(ctx, 'docs.search');
  const startedAt = performance.now();
  const query = parseQuery(input.query);
  const call: MeteredCall = { tool: 'search', args: argsOf(input), clientName: agent?.clientName ?? '' };
  await deps.meter?.admit(ctx, call);
  const picks = agent === undefined ? noPicks : await picksOf(deps.memory, ctx, agent);
  const found = input.found ?? (await timed('find', () => findPassages(deps, ctx, input, query, picks)));
  const terms = queryTerms([query.text]);
  const budget = textBudgetOf(input, beside);

  const answerTo = async (memory: Recollection | undefined) => {
    const { candidates, sentBefore } = leaveOutSent(found.candidates, memory, terms);
    const shown = { candidates, sentBefore, isFiltered: input.module !== undefined, actor: ctx.actor };
    const pack = () =>
      packAnswer({
        candidates,
        sentBefore,
        sentBlocks: memory?.sentInPart ?? new Map(),
        terms,
        budget,
        hitsMax: input.limit ?? limits.searchResultsMax,
        rendering,
        beside,
        choices: found.choices,
        now: ctx.clock.now(),
        notes: searchNotes(found, query, shown),
        noteWhenEmpty: () => nothingFoundNote(found, query, shown),
      });
    const { hits, ...packed } = timed('pack', pack);
    const least = leastScoreOf({ candidates, sentBefore });
    const isLeft = candidates.some(({ score }) => score >= least);
    const latencyMs = performance.now() - startedAt;
    const answer: SearchAnswer = {
      query: query.text,
      ...packed,
      searchedSnippets: found.modules.reduce((sum, module) => sum + module.snippetCount, 0),
      tookMs: latencyMs,
      ...(hits.length === 0 && sentBefore.length > 0 && !isLeft ? { isAllSent: true } : {}),
    };
    const tokens = answer.tokens + beside.sentWith(answer);
    const sent = { query: query.text, hits, found: found.candidates, sentBefore, budget, tokens, latencyMs };
    const record = recordSearch(sent);
    const spent = { ...record, hasContent: hits.length > 0, sessionId: memory?.sessionId };
    const settled = await timed('charge', () => deps.meter?.settle(ctx, call, spent));
    return { answer, record: settled?.isKept === false ? undefined : record };
  };

  if (agent === undefined) return (await answerTo(undefined)).answer;
  return deps.memory.during(ctx, agent, async (memory) => {
    const { answer, record } = await answerTo(memory);
    return { answer: { ...answer, conversation: memory.handle }, record };
  });
}

/** Returns the arguments in a form that is equal for equal calls: a retry is charged once. */
function argsOf({ query, module, budget, limit }: SearchDocsInput): Record<string, unknown> {
  const given = Object.entries({ query, module, budget, limit }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

/** Returns the token budget of the text; a caller's budget covers both copies if the text is sent twice. */
function textBudgetOf({ budget }: SearchDocsInput, { isCopy }: SentBeside): number {
  const tokens = budgetOf(budget, limits.searchTokensDefault);
  return isCopy && budget !== undefined ? Math.floor(tokens / 2) : tokens;
}
