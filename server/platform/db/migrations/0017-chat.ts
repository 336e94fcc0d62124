import type { Migration } from './migration.ts';

/** Conversations with the documentation. */
export const chat: Migration = {
  name: '0017-chat',
  statements: [
    `create table chats (
      id text primary key,
      user_id text not null,
      workspace text not null,
      title text not null,
      module_id text,
      created_at integer not null,
      updated_at integer not null,
      answering_id text,
      answering_until integer
    )`,
    'create index chats_by_person on chats (user_id, workspace, updated_at)',
    'create index chats_by_workspace on chats (workspace)',
    `create table chat_messages (
      id text primary key,
      chat_id text not null references chats (id) on delete cascade,
      position integer not null,
      role text not null check (role in ('question', 'answer')),
      body text not null,
      state text not null check (state in ('writing', 'complete', 'stopped', 'failed')),
      writer text check (writer in ('model', 'passages')),
      error_code text,
      citations text not null,
      usage text,
      created_at integer not null,
      unique (chat_id, position)
    )`,
  ],
};
