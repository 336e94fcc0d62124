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

/** Where an answer goes, and what was said before. */
export interface Place {
  /** Null where nothing is kept. */
  chatId: string | null;
  answerId: string;
  title: string;
  moduleId: string | undefined;
  earlier: EarlierTurn[];
}

/** What comes after the answer's time belongs to no one any more. */
export const answerMsMax = (limits.chatAnswerSeconds + 10) * 1_000;

/** A place that is gone with the answer: a visitor's. */
export function placeOfVisitor({ question, moduleId, earlier = [] }: AskDocsInput): Place {
  const turns = earlier.slice(-limits.chatEarlierTurnsMax);
  return { chatId: null, answerId: randomUUID(), title: titleOf(question), moduleId, earlier: turns };
}

/**
 * Writes the question down, in a new conversation or the one named, with an empty answer after it, and takes the
 * conversation until that is written. Refuses a conversation of someone else like one that does not exist, one in
 * which an answer is being written (`chat-busy`), and one that is full.
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

/** Questions with their answers, the last ones; a question without an answer says nothing. */
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

/** A conversation is called by its first question, cut, until someone names it. */
function titleOf(question: string): string {
  return cleanLabel(question, limits.chatTitleCharactersMax) || 'Untitled';
}
