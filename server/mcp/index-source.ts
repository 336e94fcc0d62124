import type { CallToolResult, ElicitRequestFormParams, InputRequiredResult } from '@modelcontextprotocol/server';
import type { JobRun } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { countOf } from '#contract/quantities.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { AnswerByAgent, AskInput, Standing } from '#server/features/index-requests/index.ts';
import type { Caller } from './caller.ts';
import type { ElicitedAnswer, Talk } from './talk.ts';

/** The parts of the product that index requests need. */
export interface Indexing {
  mayAsk(ctx: Context): boolean;
  ask(ctx: Context, input: AskInput): Promise<Standing>;
  /** Records the answer of the person at the client. */
  answer(ctx: Context, answer: AnswerByAgent): Promise<unknown>;
  /** Returns the workspace's name for the question to the person. */
  workspaceName(ctx: Context): Promise<string>;
  /** Address of the page on which people answer requests. */
  approvalAddress: string;
}

type Pending = Extract<Standing, { state: 'pending' }>;

const lookEveryMs = 400;

/**
 * Requests indexing of a source and returns its state in a sentence. Asks the person at the client for consent where
 * possible, once per request. Silence is not consent; after a cancel, the person can still answer on the approval page.
 */
export async function callIndexSource(
  indexing: Indexing,
  { ctx }: Caller,
  input: AskInput,
  talk: Talk,
): Promise<CallToolResult | InputRequiredResult> {
  let standing = await indexing.ask(ctx, input);
  if (standing.state === 'pending' && standing.mayAnswer) {
    const consented = await consent(indexing, ctx, standing, talk);
    if (typeof consented === 'object') return consented;
    if (consented === 'answered') standing = await indexing.ask(ctx, input);
  }
  if (standing.state === 'under-way') standing = await follow(indexing, ctx, input, talk, standing);
  const isError = standing.state === 'failed';
  const content: CallToolResult['content'] = [{ type: 'text', text: sentenceFor(standing, indexing, ctx) }];
  return isError ? { content, isError } : { content };
}

/** Returns whether the person has answered, or the result that asks them. */
async function consent(
  indexing: Indexing,
  ctx: Context,
  { request, isNew, address }: Pending,
  talk: Talk,
): Promise<InputRequiredResult | 'answered' | 'waits'> {
  const answered = talk.answerTo(request.id);
  if (answered !== undefined) {
    await takeAnswer(indexing, ctx, request.id, answered);
    return 'answered';
  }
  if (!isNew || talk.asks === 'not-at-all') return 'waits';
  const params = questionFor(address, request, await indexing.workspaceName(ctx));
  if (talk.asks === 'by-result') return talk.question(request.id, params);
  await talk.ask(request.id, params);
  return (await waitForAnswer(indexing, ctx, request, talk)) ? 'answered' : 'waits';
}

/**
 * Records an answer from a client. A form closed or submitted without ticking its box decides nothing, and a late
 * answer is ignored.
 */
export async function takeAnswer(
  indexing: Indexing,
  ctx: Context,
  requestId: string,
  { action, content }: { action: ElicitedAnswer; content: Record<string, unknown> },
): Promise<void> {
  try {
    await indexing.answer(ctx, { requestId, answer: decisionOf(action, content) });
  } catch (error) {
    const isLate = error instanceof AppError && error.code === 'index-request-settled';
    if (!isLate) throw error;
  }
}

function decisionOf(action: ElicitedAnswer, content: Record<string, unknown>): AnswerByAgent['answer'] {
  if (action === 'decline') return 'decline';
  return action === 'accept' && content['index'] === true ? 'approve' : 'close';
}

function questionFor(
  address: string,
  { library, version, credentialName }: Pending['request'],
  workspaceName: string,
): ElicitRequestFormParams {
  const named = [library, version].filter((part) => part !== null).join(' ');
  return {
    message: [
      `Index ${address}?`,
      ...(named === '' ? [] : [`As: ${named}`]),
      `For: ${workspaceName}, privately. Requested by: ${credentialName}.`,
      'Cost: no credits. Its pages count toward the limit of the plan.',
    ].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: { index: { type: 'boolean', title: 'Index this source' } },
      required: ['index'],
    },
  };
}

/**
 * Returns true once a person has answered, on any channel. After closing the question or a timeout they can still
 * answer on the approval page.
 */
async function waitForAnswer(
  indexing: Indexing,
  ctx: Context,
  request: Pending['request'],
  talk: Talk,
): Promise<boolean> {
  const until = ctx.clock.now() + limits.indexConsentWaitSeconds * 1000;
  while (ctx.clock.now() < until && !talk.signal.aborted) {
    await ctx.clock.sleep(lookEveryMs);
    const standing = await indexing.ask(ctx, { address: request.source });
    if (standing.state !== 'pending') return true;
    if (standing.request.answeredThrough === 'agent') return false;
    await talk.progress(0, undefined, 'Waiting for consent');
  }
  return false;
}

/** Follows a run for a short time, so that small sources are ready in the same response. */
async function follow(
  indexing: Indexing,
  ctx: Context,
  input: AskInput,
  talk: Talk,
  first: Standing,
): Promise<Standing> {
  const until = ctx.clock.now() + limits.indexRunWaitSeconds * 1000;
  let standing = first;
  let told = -1;
  while (standing.state === 'under-way' && ctx.clock.now() < until && !talk.signal.aborted) {
    const { docsCount, found, skipped } = standing.job;
    // The protocol requires progress to increase.
    if (docsCount > told)
      await talk.progress(docsCount, Math.max(found - skipped, docsCount), countOf(docsCount, 'page'));
    told = Math.max(told, docsCount);
    await ctx.clock.sleep(lookEveryMs);
    standing = await indexing.ask(ctx, input);
  }
  return standing;
}

function sentenceFor(standing: Standing, { approvalAddress }: Indexing, ctx: Context): string {
  switch (standing.state) {
    case 'indexed':
      return `Indexed: ${countOf(standing.pages, 'page')}. Search with module "${standing.moduleId}".`;
    case 'under-way':
      return `${progressOf(standing.job)} Call again with the address for its state.`;
    case 'failed':
      return `Indexing failed: ${standing.job.error ?? 'no reason was given.'} A person can try again: ${approvalAddress}`;
    case 'pending':
      return `Waiting for a person's approval (${standing.request.id}): ${approvalAddress}. Continue without it; call again later for its state.`;
    case 'declined': {
      const hours = Math.max(1, Math.ceil((standing.until - ctx.clock.now()) / 3_600_000));
      return `Declined. Do not ask again within ${hours} h.`;
    }
  }
}

function progressOf({ status, docsCount, found, skipped, secondsLeft }: JobRun): string {
  if (status === 'QUEUED') return 'Indexing is queued.';
  const left = secondsLeft === null ? '' : `, about ${Math.max(1, Math.ceil(secondsLeft / 60))} min left`;
  return `Indexing: ${docsCount} of ${countOf(Math.max(found - skipped, docsCount), 'page')}${left}.`;
}
