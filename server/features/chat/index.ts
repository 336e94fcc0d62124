export type { Asker } from './ask-docs.ts';
export type { Chat } from './open-chat.ts';
