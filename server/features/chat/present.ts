import { z } from 'zod';
import { type Chat, type ChatMessage, chatCitationSchema, chatMessageSchema, chatUsageSchema } from '#contract/chat.ts';
import type { Context } from '#server/context.ts';
import { readFolderNames } from '#server/features/search/index.ts';
import type { ChatRow, MessageRow } from './store.ts';

/** A conversation as its owner sees it. */
export function presentChat({ id, title, moduleId, createdAt, updatedAt }: ChatRow): Chat {
  return { chatId: id, title, moduleId, createdAt, updatedAt };
}

const storedCitations = z.array(chatCitationSchema);

type Told = Pick<ChatMessage, 'text' | 'citations'>;

/** Makes messages as the actor sees them; an answer that no one writes any more was stopped. */
export async function messagePresenter(
  ctx: Context,
  rows: readonly MessageRow[],
): Promise<(row: MessageRow, isBeingWritten: boolean) => ChatMessage> {
  const hasOld = rows.some((row) => `${row.citations}${row.body}`.includes('file:///'));
  const told = hasOld ? await withPageAddresses(ctx) : (message: Told) => message;
  return (row, isBeingWritten) => presentMessage(row, isBeingWritten, told);
}

/** What was kept while pages of folders were addressed by where their files lie. */
async function withPageAddresses(ctx: Context): Promise<(message: Told) => Told> {
  const namesOf = await readFolderNames(ctx);
  return ({ text, citations }) => ({
    text: citations.reduce((said, citation) => namesOf(citation).toldText(said), text),
    citations: citations.map((citation) => {
      const names = namesOf(citation);
      return { ...citation, url: names.told(citation.url), text: names.toldText(citation.text) };
    }),
  });
}

function presentMessage(row: MessageRow, isBeingWritten: boolean, told: (message: Told) => Told): ChatMessage {
  const { id, role, body: text, writer, createdAt } = row;
  const citations = storedCitations.parse(JSON.parse(row.citations));
  const errorCode = chatMessageSchema.shape.errorCode.safeParse(row.errorCode);
  return {
    ...{ id, role, writer, createdAt },
    ...told({ text, citations }),
    state: row.state === 'writing' && !isBeingWritten ? 'stopped' : row.state,
    // A code that a later program does not know any more says nothing.
    errorCode: errorCode.success ? errorCode.data : null,
    usage: row.usage === null ? null : chatUsageSchema.parse(JSON.parse(row.usage)),
  };
}
