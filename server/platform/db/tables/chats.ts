import type { Workspace } from '../column-types.ts';

export interface ChatsTables {
  chats: ChatsTable;
  chatMessages: ChatMessagesTable;
}

/** One person's conversation in one workspace; in a team it also belongs to the person, not to the team. */
interface ChatsTable {
  id: string;
  userId: string;
  workspace: Workspace;
  title: string;
  /** The only module the conversation searches. */
  moduleId: string | null;
  createdAt: number;
  updatedAt: number;
  /** The answer being written, which locks the conversation. */
  answeringId: string | null;
  answeringUntil: number | null;
}

interface ChatMessagesTable {
  id: string;
  chatId: string;
  /** Counts from 0 within a conversation. */
  position: number;
  role: 'question' | 'answer';
  body: string;
  state: 'writing' | 'complete' | 'stopped' | 'failed';
  writer: 'model' | 'passages' | null;
  errorCode: string | null;
  /** JSON array of ChatCitation. */
  citations: string;
  /** JSON of ChatUsage. */
  usage: string | null;
  createdAt: number;
}
