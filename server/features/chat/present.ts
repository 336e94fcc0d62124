import { z } from 'zod';
import { type Chat, type ChatMessage, chatCitationSchema, chatMessageSchema, chatUsageSchema } from '#contract/chat.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import type { ChatRow, MessageRow } from './store.ts';

/** Returns a conversation as shown to its owner. */
export function presentChat({ id, title, moduleId, createdAt, updatedAt }: ChatRow): Chat {
  return { chatId: id, title, moduleId, createdAt, updatedAt };
}

const storedCitations = z.array(chatCitationSchema);

/** Returns a message as shown to its reader; an unfinished answer that is no longer being written counts as stopped. */
export function presentMessage(row: MessageRow, isBeingWritten: boolean): ChatMessage {
  const { id, role, body: text, writer, createdAt } = row;
  const citations = storedCitations.catch([]).parse(storedJson<unknown>(row.citations, []));
  const errorCode = chatMessageSchema.shape.errorCode.safeParse(row.errorCode);
  return {
    ...{ id, role, text, citations, writer, createdAt },
    state: row.state === 'writing' && !isBeingWritten ? 'stopped' : row.state,
    // An error code unknown to this version is omitted.
    errorCode: errorCode.success ? errorCode.data : null,
    usage: row.usage === null ? null : (chatUsageSchema.safeParse(storedJson(row.usage, null)).data ?? null),
  };
}
