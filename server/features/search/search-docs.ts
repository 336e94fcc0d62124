import { limits } from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import type { Snippet } from '#server/engine/index.ts';
import type { ReadableModule, UnreadableModule } from '#server/features/catalog/index.ts';
import type { CallMeter, MeteredCall } from '#server/features/credits/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import { countTokensAround } from '#server/ingest/split/tokens.ts';
import { traced } from '#server/platform/tracing.ts';
import type { AgentMemory, CallRecord, Recollection } from './agent-memory.ts';
import { budgetOf } from './budget.ts';
import type { Candidate } from './candidates.ts';
import type { VersionChoice } from './choose-versions.ts';
import { doubtNotice, isDoubtful } from './doubtful-text.ts';
import { type FindingDeps, type FoundBefore, findPassages, noPicks } from './find-passages.ts';
import { type PackedHit, packHits } from './pack-hits.ts';
import { type ParsedQuery, parseQuery } from './parse-query.ts';
import { blocksOf, finer, isBody, traceOf } from './passage-blocks.ts';
import { type QueryTerm, queryTerms } from './query-terms.ts';
import { passageText, withAnchor } from './render.ts';
import {
  cutLibraryNote,
  fittingNote,
  nothingFoundNote,
  notSearchedNote,
  otherVersionsNote,
  pinnedNote,
  sentBeforeNote,
  severalLibrariesNote,
  wordsAloneNote,
} from './search-notes.ts';
import {
  type HitToRender,
  nothingBeside,
  type SearchRendering,
  type SentBeside,
  searchRenderings,
} from './search-renderings.ts';
import type { AgentRef, SearchAnswer, SearchDocsInput } from './types.ts';
import { picksOf } from './which-library.ts';

/**
 * Searches what the caller may read and packs the best passages into the budget. With an agent, what it was sent
 * before is left out and what it is sent now is remembered; without one nothing is remembered. The rendered text and
 * what is sent beside it never have more tokens than the budget. Throws for an empty or overlong query, for a module that does not exist and when the
 * caller has no credits; an answer without passages costs nothing.
 */
export async function searchDocs(
  deps: FindingDeps & { memory: AgentMemory; meter?: CallMeter | undefined; foundBefore?: FoundBefore },
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
  const find = async () =>
    findPassages(deps, ctx, input, query, agent === undefined ? noPicks : await picksOf(deps.memory, ctx, agent));
  const { candidates, ...found } = deps.foundBefore?.get(input) ?? (await traced('find passages', find));
  const search = { query, ...found, input, rendering, beside, startedAt, now: ctx.clock.now() };
  const answerPaid = async (memory: Recollection | undefined) => {
    const { answer, record } = traced('pack', () => answerOf(search, candidates, memory));
    const hasContent = answer.results.length > 0;
    const spent = { ...record, hasContent, sessionId: memory?.sessionId };
    await traced('charge', () => deps.meter?.settle(ctx, call, spent));
    return { answer, record };
  };
  if (agent === undefined) return (await answerPaid(undefined)).answer;
  return deps.memory.during(ctx, agent, async (memory) => {
    const { answer, record } = await answerPaid(memory);
    return { answer: { ...answer, conversation: memory.handle }, record };
  });
}

/** What was given, in a form that is the same for the same call. */
function argsOf({ query, module, budget, limit }: SearchDocsInput): Record<string, unknown> {
  const given = Object.entries({ query, module, budget, limit }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

interface Search {
  query: ParsedQuery;
  modules: ReadableModule[];
  /** Libraries whose version is worth a word: see `chooseVersions`. */
  choices: VersionChoice[];
  /** Of these, those that cannot be read. */
  unreadable: UnreadableModule[];
  isModelAway: boolean;
  input: SearchDocsInput;
  rendering: SearchRendering;
  beside: SentBeside;
  startedAt: number;
  now: number;
}

function answerOf(
  search: Search,
  found: Candidate[],
  memory: Recollection | undefined,
): { answer: SearchAnswer; record: CallRecord } {
  const budget = textBudgetOf(search);
  const terms = queryTerms([search.query.text]);
  const { candidates, sentBefore } = withoutSent(found, memory, terms);
  const notes = notesOf(search, { found, candidates, sentBefore });
  // What is sent was counted last, as it was packed.
  let counted = { text: '', tokens: 0 };
  const countOnce = (text: string, hits: PackedHit[]): number => {
    if (text !== counted.text) counted = { text, tokens: countTokensAround(text, hits) };
    return counted.tokens;
  };
  const packWith = (lines: string[]) => {
    const render = (packed: PackedHit[]) =>
      searchRenderings[search.rendering](
        packed.map((hit) => toHit(hit, search)),
        lines,
        search.now,
      );
    const hits = packHits({
      candidates,
      sentBefore,
      sentBlocks: memory?.sentInPart ?? new Map(),
      budget,
      hitsMax: search.input.limit ?? limits.searchResultsMax,
      terms,
      tokensOf: (packed) =>
        countOnce(render(packed), packed) + search.beside.tokensOf(packed.map((hit) => toHit(hit, search))),
    });
    return { hits, note: lines.length === 0 ? undefined : lines.join('\n'), text: render(hits) };
  };
  let packed = packWith(notes.toAppend);
  // Lines for the reader go before a small budget holds them and no passage.
  if (packed.hits.length === 0 && notes.toAppend.length > 0) packed = packWith([]);
  const { hits } = packed;
  const note = hits.length > 0 ? packed.note : fittingNote(notes.whenEmpty, budget);
  const text = hits.length > 0 ? packed.text : searchRenderings[search.rendering]([], [note ?? ''], search.now);
  const tokens = countOnce(text, hits);
  const tookMs = performance.now() - search.startedAt;
  const answer: SearchAnswer = {
    query: search.query.text,
    results: hits.map((hit) => ({ ...toHit(hit, search), tokens: hit.tokens })),
    note,
    text,
    tokens,
    searchedSnippets: search.modules.reduce((sum, module) => sum + module.snippetCount, 0),
    tookMs,
    ...(candidates.length === 0 && sentBefore.length > 0 ? { isAllSent: true } : {}),
  };
  const spent = { tokens: tokens + search.beside.sentWith(answer), tookMs };
  return { answer, record: recordOf(search, withheldTokensOf(found, candidates, hits, budget), hits, spent) };
}

/** Sorts out passages that the reader has: whole, or all of them that answers. */
function withoutSent(
  found: Candidate[],
  memory: Recollection | undefined,
  terms: QueryTerm[],
): { candidates: Candidate[]; sentBefore: Candidate[] } {
  // To know a passage by its id its text has to be read: not where nothing was sent.
  if (memory === undefined || memory.sentWhole.size + memory.sentInPart.size === 0) {
    return { candidates: found, sentBefore: [] };
  }
  const isSent = ({ snippet, title }: Candidate): boolean => {
    const traces = memory.sentInPart.get(snippet.id);
    return memory.sentWhole.has(snippet.id) || (traces !== undefined && !isLeft(snippet, title, traces, terms));
  };
  const { sent: sentBefore = [], left: candidates = [] } = Object.groupBy(found, (one) =>
    isSent(one) ? 'sent' : 'left',
  );
  return { candidates, sentBefore };
}

/** Returns true if a sentence or line that was not sent has a word of the query. */
function isLeft(snippet: Snippet, title: string, traces: ReadonlySet<string>, terms: QueryTerm[]): boolean {
  return finer(blocksOf(passageText(snippet, title).text)).some(({ text }, at, parts) => {
    if (traces.has(traceOf(text)) || !isBody(parts, at)) return false;
    const lower = text.toLowerCase();
    return terms.some(({ stem }) => lower.includes(stem));
  });
}

/** Who names a budget pays for a copy from it; the default is what one reading costs. */
function textBudgetOf({ input, beside }: Search): number {
  const budget = budgetOf(input.budget, limits.searchTokensDefault);
  return beside.isCopy && input.budget !== undefined ? Math.floor(budget / 2) : budget;
}

function notesOf(
  search: Search,
  { found, candidates, sentBefore }: { found: Candidate[]; candidates: Candidate[]; sentBefore: Candidate[] },
): { toAppend: string[]; whenEmpty: string } {
  const isAmbiguous = search.input.module === undefined;
  return {
    toAppend: [
      ...notSearchedNote(search.unreadable),
      ...sentBeforeNote(found, sentBefore),
      ...cutLibraryNote(found, search.modules, search.query.text),
      ...pinnedNote(candidates, search.choices),
      ...otherVersionsNote(candidates, search.choices),
      ...(isAmbiguous ? severalLibrariesNote(candidates, search.query.text) : []),
      ...(search.isModelAway ? [wordsAloneNote] : []),
    ],
    whenEmpty: nothingFoundNote({
      query: search.query,
      modules: search.modules,
      isFiltered: !isAmbiguous,
      sentBefore,
      hasCandidates: candidates.length > 0,
      unreadable: search.unreadable,
    }),
  };
}

function toHit({ candidate, text }: PackedHit, { choices }: Search): HitToRender {
  const { snippet, module } = candidate;
  return {
    url: withAnchor(candidate.pageUrl, snippet.anchor),
    passageId: snippet.id,
    title: candidate.title,
    headingPath: snippet.headingPath,
    moduleId: module.moduleId,
    moduleName: module.displayName,
    visibility: module.visibility,
    kind: snippet.kind,
    text,
    ...(isDoubtful(text, candidate.title, ...snippet.headingPath) ? { notice: doubtNotice } : {}),
    score: candidate.score,
    fetchedAt: candidate.fetchedAt,
    version: choices.some(({ chosen }) => chosen.rowId === module.rowId) ? module.version : null,
  };
}

function recordOf(
  search: Search,
  withheldTokens: number,
  hits: PackedHit[],
  spent: { tokens: number; tookMs: number },
): CallRecord {
  return {
    tool: 'search',
    query: search.query.text,
    url: null,
    snippetIds: hits.filter((hit) => hit.isWhole).map((hit) => hit.candidate.snippet.id),
    parts: hits
      .filter((hit) => hit.blocks.length > 0)
      .map(({ candidate, blocks }) => ({ id: candidate.snippet.id, blocks })),
    pageUrls: [...new Set(hits.map((hit) => hit.candidate.pageUrl))],
    tokens: spent.tokens,
    wholePageTokens: wholePageTokensOf(hits),
    withheldTokens,
    latencyMs: spent.tookMs,
  };
}

/** What the pages shown would have cost whole. */
function wholePageTokensOf(hits: PackedHit[]): number {
  const pages = new Map(hits.map(({ candidate }) => [candidate.pageUrl, candidate.pageTokens]));
  return [...pages.values()].reduce((sum, tokens) => sum + tokens, 0);
}

/** Tokens of the passages sent before that would have been sent now: they rank above the last one that is. */
function withheldTokensOf(found: Candidate[], candidates: Candidate[], hits: PackedHit[], budget: number): number {
  const remaining = new Set(candidates);
  const shown = new Set(hits.map((hit) => hit.candidate));
  const lastShown = found.findLastIndex((candidate) => shown.has(candidate));
  const above = lastShown < 0 ? found : found.slice(0, lastShown);
  const withheld = above.filter((candidate) => !remaining.has(candidate));
  const tokens = withheld.reduce((sum, candidate) => sum + candidate.snippet.tokens, 0);
  return Math.min(tokens, budget);
}
