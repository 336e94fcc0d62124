import type { ElicitRequestFormParams, InputRequiredResult } from '@modelcontextprotocol/server';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import {
  cleanLabel,
  isWhichId,
  type Search,
  type SearchDocsInput,
  type WhichAnswer,
  type WhichQuestion,
} from '#server/features/search/index.ts';
import type { Caller } from './caller.ts';
import type { ElicitedAnswer, Talk } from './talk.ts';

const lookEveryMs = 400;
const field = 'which';
const anyOfThem = 'any';
const queryCharactersShown = 200;

/**
 * If several libraries or versions match a search about equally, asks the person at the client which is meant, where
 * the client supports that; the search then reads the answer from the stored conversation. Returns either the result
 * that asks, or passages already found. Waits for an answer no longer than clients wait for a call.
 */
export async function settleWhich(
  { which }: Pick<Search, 'which'>,
  { ctx, agent, naming }: Caller,
  input: SearchDocsInput,
  talk: Talk,
): Promise<{ asking?: InputRequiredResult; found?: SearchDocsInput['found'] }> {
  const answered = talk.answered();
  if (answered !== undefined && isWhichId(answered.id)) {
    await which.answer(ctx, answered.id, answerIn(answered));
    return {};
  }
  if (talk.asks === 'not-at-all' || naming !== 'product') return {};
  const { question, found } = await which.ask(ctx, input, agent);
  if (question === undefined) return { found };
  if (talk.asks === 'by-result') return { asking: talk.question(question.id, formFor(question)) };
  await talk.ask(question.id, formFor(question));
  await waitForAnswer(which, ctx, question.id, talk);
  return {};
}

/** Records an answer that arrived as a separate message. */
export async function takeWhichAnswer(
  { which }: Pick<Search, 'which'>,
  ctx: Context,
  questionId: string,
  given: { action: ElicitedAnswer; content: Record<string, unknown> },
): Promise<void> {
  await which.answer(ctx, questionId, answerIn(given));
}

function answerIn({ action, content }: { action: ElicitedAnswer; content: Record<string, unknown> }): WhichAnswer {
  const picked = content[field];
  if (action !== 'accept' || typeof picked !== 'string') return 'declined';
  return picked === anyOfThem ? 'any' : { picked };
}

/** Candidate names come from documentation sources, so they are shown as cleaned labels, one line each. */
function formFor({ kind, query, libraryName, candidates }: WhichQuestion): ElicitRequestFormParams {
  const asked = `“${cleanLabel(query, queryCharactersShown)}”`;
  const message =
    kind === 'library'
      ? `Which library is meant? Several answer equally well: ${asked}`
      : `Which version of ${libraryName ?? 'the library'} is meant? They answer differently: ${asked}`;
  return {
    message,
    requestedSchema: {
      type: 'object',
      properties: {
        [field]: {
          type: 'string',
          title: kind === 'library' ? 'Library' : 'Version',
          enum: [...candidates.map(({ value }) => value), anyOfThem],
          enumNames: [...candidates.map(({ label }) => label), kind === 'library' ? 'Any of them' : 'The newest'],
        },
      },
      required: [field],
    },
  };
}

async function waitForAnswer(which: Search['which'], ctx: Context, questionId: string, talk: Talk): Promise<void> {
  const until = ctx.clock.now() + limits.indexConsentWaitSeconds * 1000;
  while (ctx.clock.now() < until && !talk.signal.aborted) {
    await ctx.clock.sleep(lookEveryMs);
    if (!(await which.isOpen(ctx, questionId))) return;
    await talk.progress(0, undefined, 'Waiting for an answer');
  }
}
