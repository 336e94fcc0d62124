import { randomUUID } from 'node:crypto';
import type { AskDocsInput } from '#contract/chat.ts';
import { maskApiKeysIn } from '#contract/keys.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { cleanLabel } from '#server/features/search/index.ts';
import { confirmRight } from '#server/features/teams/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import { deleteLastTurn, insertMessages, listMessageRows, nextPosition } from './message-store.ts';
import type { EarlierTurn } from './model-prompt.ts';
import { claimChat, deleteOldChats, findChat, insertChat, type Owner, stopAbandoned } from './store.ts';

/** Where an answer is stored, and the conversation so far. */
export interface Place {
  /** Null if nothing is stored. */
  chatId: string | null;
  answerId: string;
  title: string;
  moduleId: string | undefined;
  earlier: EarlierTurn[];
}

/** Anything later than this is not part of the answer any longer. */
export const answerMsMax = (limits.chatAnswerSeconds + 10) * 1_000;

/** Returns a visitor's place, of which nothing is stored. */
export function placeOfVisitor({ question, moduleId, earlier = [] }: AskDocsInput): Place {
  const turns = earlier.slice(-limits.chatEarlierTurnsMax);
  return { chatId: null, answerId: randomUUID(), title: titleOf(question), moduleId, earlier: turns };
}

/**
 * Stores the question, in a new or the given conversation, with an empty answer after it, and claims the conversation
 * until the answer is written. Another user's conversation is reported as not found; throws if an answer is in progress
 * (`chat-busy`) or the conversation is full.
 */
export async function beginAnswer(ctx: Context, owner: Owner, input: AskDocsInput): Promise<Place> {
  const now = ctx.clock.now();
  const answerId = randomUUID();
  const until = now + answerMsMax;
  return ctx.db.transaction(async (tx) => {
    await confirmRight(tx, ctx, 'docs.search');
    const chat = await takeChat(tx, owner, input, { now, answerId, until });
    const earlier = input.chatId === undefined ? [] : await earlierTurns(tx, chat.id);
    const position = await nextPosition(tx, chat.id);
    if (position + 2 > limits.chatMessagesMax) {
      throw new AppError('chat-full', { values: { limit: limits.chatMessagesMax } });
    }
    await insertMessages(tx, [
      messageOf(chat.id, position, { role: 'question', body: maskApiKeysIn(input.question), state: 'complete' }, now),
      { ...messageOf(chat.id, position + 1, { role: 'answer', body: '', state: 'writing' }, now), id: answerId },
    ]);
    return { chatId: chat.id, answerId, title: chat.title, moduleId: chat.moduleId ?? undefined, earlier };
  });
}

interface Claim {
  now: number;
  answerId: string;
  until: number;
}

async function takeChat(
  tx: Transaction,
  owner: Owner,
  input: AskDocsInput,
  { now, answerId, until }: Claim,
): Promise<{ id: string; title: string; moduleId: string | null }> {
  if (input.chatId === undefined) {
    const chat = {
      ...{
        id: randomUUID(),
        ...owner,
        title: titleOf(maskApiKeysIn(input.question)),
        moduleId: input.moduleId ?? null,
      },
      ...{ createdAt: now, updatedAt: now, answeringId: answerId, answeringUntil: until },
    };
    await insertChat(tx, chat);
    await deleteOldChats(tx, owner, limits.chatsKept);
    return chat;
  }
  const chat = await findChat(tx, owner, input.chatId);
  if (chat === undefined) throw new AppError('chat-not-found');
  if (!(await claimChat(tx, { chatId: chat.id, answerId, now, until }))) throw new AppError('chat-busy');
  await stopAbandoned(tx, chat.id);
  if (input.replacesLast === true) await deleteLastTurn(tx, chat.id);
  return chat;
}

/** Returns the last questions with their answers; unanswered questions are omitted. */
async function earlierTurns(tx: Transaction, chatId: string): Promise<EarlierTurn[]> {
  const limit = limits.chatEarlierTurnsMax * 2;
  const rows = await listMessageRows(tx, chatId, { before: Number.MAX_SAFE_INTEGER, limit });
  return rows.flatMap((row, index) => {
    const answer = rows[index + 1];
    if (row.role !== 'question' || answer?.role !== 'answer' || answer.body === '') return [];
    return [{ question: row.body, answer: answer.body }];
  });
}

function messageOf(
  chatId: string,
  position: number,
  values: Pick<NewRow<'chatMessages'>, 'role' | 'body' | 'state'>,
  now: number,
): NewRow<'chatMessages'> {
  const empty = { writer: null, errorCode: null, citations: '[]', usage: null };
  return { id: randomUUID(), chatId, position, ...values, ...empty, createdAt: now };
}

/** Returns the initial title of a conversation: its first question, shortened. */
function titleOf(question: string): string {
  return cleanLabel(question, limits.chatTitleCharactersMax) || 'Untitled';
}
