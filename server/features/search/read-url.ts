import * as limits from '#contract/limits.ts';
import type { ReadOutput } from '#contract/search.ts';
import type { Context } from '#server/context.ts';
import type { Shelf } from '#server/features/catalog/index.ts';
import type { CallMeter, MeteredCall } from '#server/features/credits/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import { timed } from '#server/platform/tracing.ts';
import type { AgentMemory, CallRecord, Recollection } from './agent-memory.ts';
import { cutPage, type PageCut, passagesSkipped } from './cut-page.ts';
import { type AskedAddress, parseAddress } from './page-addresses.ts';
import { findSection, type PageToRead, pageOfSegment, partToRead, tokensOfPage } from './page-to-read.ts';
import type { ReadRendering } from './read-renderings.ts';
import type { RemotePages } from './remote-pages.ts';
import { withAnchor } from './render.ts';
import type { AgentRef, ReadAnswer, ReadUrlInput } from './types.ts';

const queriesFollowedMax = 3;
/** Share of an answer's tokens for text; the rest is for headings and JSON encoding. */
const shareOfText = 0.75;

/**
 * Reads a page, from the index or by fetching it, within the budget. A page that does not fit is cut to its start, the
 * section its fragment names and the parts most similar to this agent's searches. Passages the agent already has are
 * omitted and listed; reading the same address again sends them. Throws for an invalid address, for a page that is not
 * indexed and cannot be fetched, and if the caller has no credits; a read that sends nothing new is free.
 * `tokensBeside` returns the tokens sent beside the text, for the ledger.
 */
export async function readUrl(
  deps: { shelf: Shelf; memory: AgentMemory; remotePages: RemotePages; meter?: CallMeter },
  ctx: Context,
  input: ReadUrlInput,
  agent: AgentRef | undefined,
  rendering: ReadRendering = 'text',
  tokensBeside: (answer: ReadOutput) => number = () => 0,
): Promise<ReadAnswer> {
  requireRight(ctx, 'docs.search');
  const startedAt = performance.now();
  const address = parseAddress(input.url);
  const call: MeteredCall = { tool: 'read', args: argsOf(input), clientName: agent?.clientName ?? '' };
  await deps.meter?.admit(ctx, call);
  const page = await timed('find', () => findPage(deps, ctx, address));
  const read = { page, address, input, rendering, startedAt };
  const answerPaid = async (memory: Recollection | undefined) => {
    const { answer, record: ofText } = timed('cut', () => answerOf(read, memory));
    const record = { ...ofText, tokens: ofText.tokens + tokensBeside(answer) };
    const hasContent = record.snippetIds.length + record.parts.length > 0;
    const settled = await deps.meter?.settle(ctx, call, { ...record, hasContent, sessionId: memory?.sessionId });
    return { answer, record: settled?.isKept === false ? undefined : record };
  };
  if (agent === undefined) return (await answerPaid(undefined)).answer;
  return deps.memory.during(ctx, agent, async (memory) => {
    const { answer, record } = await answerPaid(memory);
    return { answer: { ...answer, conversation: memory.handle }, record };
  });
}

/** Returns the arguments in a form that is equal for equal calls. */
function argsOf({ url, budget, query }: ReadUrlInput): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ url, budget, query }).filter(([, value]) => value !== undefined));
}

async function findPage(
  deps: { shelf: Shelf; remotePages: RemotePages },
  ctx: Context,
  address: AskedAddress,
): Promise<PageToRead> {
  for (const url of address.candidates) {
    const found = await deps.shelf.findPage(ctx, url);
    if (found !== undefined) return pageOfSegment(found.segment, found.pageIndex, found.module.moduleId);
  }
  return deps.remotePages.fetch(ctx, address.candidates[0] ?? '');
}

interface Read {
  page: PageToRead;
  address: AskedAddress;
  input: ReadUrlInput;
  rendering: ReadRendering;
  startedAt: number;
}

function answerOf(asked: Read, memory: Recollection | undefined): { answer: ReadOutput; record: CallRecord } {
  const isDocument = asked.rendering === 'deep-research';
  const { read: whole, skipped } = isDocument ? documentOf(asked) : { read: asked, skipped: 0 };
  const read = { ...whole, page: partToRead(whole.page, whole.address.fragment).page };
  const { page, address, input, rendering } = read;
  // A deep-research client keeps documents instead of a conversation: it gets each whole, in reading order.
  const sentBefore = isDocument ? new Set<number>() : sentBeforeOf(read, memory);
  const queries = isDocument ? [] : queriesOf(read, memory);
  const { budget, reservedTokens = 0 } = input;
  const idFragment = asked.address.fragment;
  const wholePageTokens = tokensOfPage(whole.page);
  const cut = {
    ...cutPage({ page, address, idFragment, budget, reservedTokens, queries, sentBefore, rendering, skipped }),
    wholePageTokens,
  };
  const answer: ReadOutput = {
    url: withAnchor(page.url, cut.section === undefined ? '' : address.fragment),
    title: page.title,
    moduleId: page.moduleId,
    text: cut.text,
    tokens: cut.tokens,
    wholePageTokens,
    isCut: cut.plan.leftOut.length > 0 || page !== whole.page,
    fetchedAt: page.fetchedAt,
  };
  return { answer, record: recordOf(read, cut, sentBefore) };
}

/**
 * Returns the read as that of a document: a whole page if it fits, a section of a longer page, or a later part of it.
 */
function documentOf(read: Read): { read: Read; skipped: number } {
  const { page, address } = read;
  const without = { ...address, fragment: '' };
  if (findSection(page, address.fragment) !== undefined) {
    const fits = tokensOfPage(page) < limits.readTokensDefault * shareOfText;
    return { read: fits ? { ...read, address: without } : read, skipped: 0 };
  }
  const skipped = passagesSkipped(address.fragment);
  if (skipped === 0 || skipped >= page.snippets.length) return { read, skipped: 0 };
  return { read: { ...read, page: { ...page, snippets: page.snippets.slice(skipped) }, address: without }, skipped };
}

/** Returns the reader's queries, newest first: the query in this call, else the agent's searches. */
function queriesOf(read: Read, memory: Recollection | undefined): string[] {
  const said = read.input.query?.trim() ?? '';
  return said === '' ? [...new Set(memory?.queries)].slice(0, queriesFollowedMax) : [said];
}

/** Returns the passages to omit; none if the last read of this address already omitted some for that reason. */
function sentBeforeOf(read: Read, memory: Recollection | undefined): Set<number> {
  if (memory === undefined) return new Set();
  const last = memory.reads.find((earlier) => earlier.url === recordedUrl(read));
  if (last !== undefined && last.withheldTokens > 0) return new Set();
  return new Set(read.page.snippets.flatMap((snippet, index) => (memory.sentWhole.has(snippet.id) ? [index] : [])));
}

function recordOf(read: Read, cut: PageCut, sentBefore: Set<number>): CallRecord {
  const { page } = read;
  const idsOf = (indexes: number[]) => indexes.flatMap((index) => page.snippets[index]?.id ?? []);
  return {
    tool: 'read',
    query: read.input.query ?? null,
    url: recordedUrl(read),
    snippetIds: idsOf([...cut.whole]),
    parts: [...cut.cut].flatMap(([index, blocks]) => idsOf([index]).map((id) => ({ id, blocks }))),
    pageUrls: [page.url],
    tokens: cut.tokens,
    wholePageTokens: cut.wholePageTokens,
    withheldTokens: [...sentBefore].reduce((sum, index) => sum + (page.snippets[index]?.tokens ?? 0), 0),
    latencyMs: performance.now() - read.startedAt,
  };
}

function recordedUrl(read: Read): string {
  return withAnchor(read.page.url, read.address.fragment);
}
