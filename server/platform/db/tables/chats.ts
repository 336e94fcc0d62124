import type { Workspace } from '../column-types.ts';

export interface ChatsTables {
  chats: ChatsTable;
  chatMessages: ChatMessagesTable;
}

/** A conversation of one person in one workspace; in a team it is theirs too, not the team's. */
interface ChatsTable {
  id: string;
  userId: string;
  workspace: Workspace;
  title: string;
  /** The only module it asks. */
  moduleId: string | null;
  createdAt: number;
  updatedAt: number;
  /** The answer that is being written; anyone who writes it holds the conversation until then. */
  answeringId: string | null;
  answeringUntil: number | null;
}

interface ChatMessagesTable {
  id: string;
  chatId: string;
  /** Counts up from 0 in a conversation. */
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
