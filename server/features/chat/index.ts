export { AnswersInProgress } from './answers-in-progress.ts';
export { type Asker, askDocs } from './ask-docs.ts';
export type { ChatDependencies } from './dependencies.ts';
export {
  exportChats,
  listChats,
  readChat,
  removeAllChats,
  removeChat,
  renameChat,
} from './history.ts';
export { type Chat, createChatSearch } from './open-chat.ts';
