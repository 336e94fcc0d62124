import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { ask, type SamplePerson, sampleChat, samplePerson, sampleVisitor } from '#test/services/sample-chat.ts';
import { askDocs } from './ask-docs.ts';
import { exportChats, listChats, readChat, removeAllChats, removeChat, renameChat } from './history.ts';
import { deleteChatsOfUser, deleteTeamChats } from './store.ts';

const deps = sampleChat();
const begin = async (ctx: Context, question = 'create_task') => (await ask(ctx, { question }, deps)).chatId ?? '';
const notFound = { code: 'chat-not-found', message: 'Conversation not found. Choose another, or start a new one.' };

onEachDatabase('conversations', (kind) => {
  /** The same user in a team that does not exist: only the owner of the rows matters here. */
  const inTeam = (ctx: SamplePerson, teamId: string): SamplePerson => ({ ...ctx, workspace: `team:${teamId}` });

  /** Starts a conversation and moves it to the team. */
  async function beginIn(ctx: SamplePerson, teamId: string): Promise<string> {
    const chatId = await begin(ctx);
    await ctx.db.query
      .updateTable('chats')
      .set({ workspace: `team:${teamId}` })
      .where('id', '=', chatId)
      .execute();
    return chatId;
  }

  test('are listed page by page, the most recently asked first, each once', async () => {
    const ctx = await samplePerson(kind);
    const chatId = await begin(ctx);
    const row = await ctx.db.query.selectFrom('chats').selectAll().executeTakeFirstOrThrow();
    // Many conversations of the same time: the page must not end between them.
    const others = Array.from({ length: limits.chatsListed + 5 }, (_, at) => ({ ...row, id: `chat-${at}` }));
    await ctx.db.query.insertInto('chats').values(others).execute();
    const first = await listChats(ctx, {});
    expect(first.chats).toHaveLength(limits.chatsListed);
    const second = await listChats(ctx, { cursor: first.next ?? '' });
    expect(second.next).toBeNull();
    const ids = [...first.chats, ...second.chats].map((chat) => chat.chatId);
    expect(new Set(ids)).toEqual(new Set([chatId, ...others.map(({ id }) => id)]));
    expect(ids).toHaveLength(others.length + 1);
    await expect(listChats(ctx, { cursor: "1' or 1" })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  test('are read from the end if they are long', async () => {
    const ctx = await samplePerson(kind);
    const chatId = await begin(ctx);
    const row = await ctx.db.query
      .selectFrom('chatMessages')
      .selectAll()
      .where('role', '=', 'answer')
      .executeTakeFirstOrThrow();
    const more = Array.from({ length: limits.chatMessagesListed }, (_, at) => ({
      ...row,
      id: `message-${at}`,
      position: at + 2,
    }));
    await ctx.db.query.insertInto('chatMessages').values(more).execute();
    const last = await readChat(ctx, { chatId });
    expect(last.messages.map(({ id }) => id)).toEqual(more.map(({ id }) => id));
    const before = await readChat(ctx, { chatId, cursor: last.next ?? '' });
    expect([before.messages.length, before.messages[0]?.role, before.next]).toEqual([2, 'question', null]);
    await expect(readChat(ctx, { chatId, cursor: '-1' })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  test('can be renamed by their owner, idempotently, to a valid title', async () => {
    const anna = await samplePerson(kind);
    const bert = await samplePerson(kind, { userId: 'bert', beside: anna });
    const chatId = await begin(anna);
    for (let times = 0; times < 2; times += 1) {
      const renamed = await renameChat(anna, { chatId, title: `  Tasks\u0000\n and\u202e more ${'x'.repeat(200)}` });
      expect(renamed.title).toMatch(/^Tasks and more x+…$/);
      expect(renamed.title).toHaveLength(limits.chatTitleCharactersMax);
    }
    await expect(renameChat(anna, { chatId, title: ' \u200b ' })).rejects.toMatchObject({ code: 'chat-title-empty' });
    for (const id of [chatId, 'none']) {
      await expect(renameChat(bert, { chatId: id, title: 'Mine' })).rejects.toMatchObject(notFound);
      await expect(renameChat(inTeam(anna, 't1'), { chatId: id, title: 'x' })).rejects.toMatchObject(notFound);
    }
    await expect(renameChat(sampleVisitor(anna), { chatId, title: 'x' })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    const audit = await anna.db.query.selectFrom('auditLog').selectAll().where('action', '=', 'chat.rename').execute();
    expect(audit.map(({ entityId, teamId, detail }) => [entityId, teamId, detail])).toEqual(
      Array(2).fill([chatId, null, '{}']),
    );
  });

  test('can be deleted once, even concurrently, and only by their owner', async () => {
    const anna = await samplePerson(kind);
    const bert = await samplePerson(kind, { userId: 'bert', beside: anna });
    const chatId = await begin(anna);
    for (const id of [chatId, 'none']) await expect(removeChat(bert, { chatId: id })).rejects.toMatchObject(notFound);
    const both = await Promise.allSettled([removeChat(anna, { chatId }), removeChat(anna, { chatId })]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(removeChat(anna, { chatId })).rejects.toMatchObject(notFound);
    expect(await anna.db.query.selectFrom('chatMessages').selectAll().execute()).toEqual([]);
    const audit = await anna.db.query.selectFrom('auditLog').selectAll().where('action', '=', 'chat.remove').execute();
    expect(audit).toHaveLength(1);
  });

  test('can be deleted all at once in one workspace without affecting others', async () => {
    const anna = await samplePerson(kind);
    const bert = await samplePerson(kind, { userId: 'bert', beside: anna });
    await begin(anna);
    await begin(anna, 'cancel');
    const [others, teams] = [await begin(bert), await beginIn(anna, 't1')];
    expect(await removeAllChats(anna)).toBe(2);
    expect(await removeAllChats(anna)).toBe(0);
    const left = await anna.db.query.selectFrom('chats').select('id').execute();
    expect(left.map(({ id }) => id).sort()).toEqual([others, teams].sort());
  });

  test('are not recreated by an answer that arrives after their deletion', async () => {
    const ctx = await samplePerson(kind);
    const chatId = await begin(ctx);
    const asker = { address: '', left: new AbortController().signal };
    for await (const event of await askDocs(ctx, { question: 'cancel', chatId }, deps, asker)) {
      if (event.type === 'passages') await removeChat(ctx, { chatId });
    }
    expect((await listChats(ctx, {})).chats).toEqual([]);
    expect(await ctx.db.query.selectFrom('chatMessages').selectAll().execute()).toEqual([]);
  });

  test('are exported whole, from every workspace, to their owner', async () => {
    const anna = await samplePerson(kind);
    await begin(await samplePerson(kind, { userId: 'bert', beside: anna }), 'scheduler');
    await begin(anna, 'create_task');
    await beginIn(anna, 't1');
    const exported = JSON.parse(await text(await exportChats(anna))) as {
      chats: { teamId: string | null; messages: unknown[] }[];
    };
    const { chats } = exported;
    expect(chats.map(({ teamId, messages }) => [teamId, messages.length])).toEqual(
      expect.arrayContaining([
        [null, 2],
        ['t1', 2],
      ]),
    );
    expect(JSON.stringify(chats)).not.toContain('"scheduler"');
    await expect(exportChats(sampleVisitor(anna))).rejects.toMatchObject({ code: 'unauthenticated' });
    let file = '';
    for await (const piece of await exportChats(anna)) {
      file += Buffer.from(piece).toString();
      if (file.includes('messages')) await anna.db.query.deleteFrom('chatMessages').execute();
    }
    // Conversations are read while the file is sent.
    expect((JSON.parse(file) as typeof exported).chats.map(({ messages }) => messages.length)).toEqual([2, 0]);
  });

  test('are deleted with the account, the team or the membership', async () => {
    const anna = await samplePerson(kind);
    const bert = await samplePerson(kind, { userId: 'bert', beside: anna });
    const own = await begin(bert);
    const [annas, berts, other] = [await beginIn(anna, 't1'), await beginIn(bert, 't1'), await beginIn(bert, 't2')];
    const left = async () =>
      (await anna.db.query.selectFrom('chats').select('id').execute()).map(({ id }) => id).sort();
    await anna.db.transaction((tx) => deleteTeamChats(tx, 't1', 'bert'));
    expect(await left()).toEqual([own, annas, other].sort());
    expect(await left()).not.toContain(berts);
    await anna.db.transaction((tx) => deleteTeamChats(tx, 't1'));
    expect(await left()).toEqual([own, other].sort());
    await anna.db.transaction((tx) => deleteChatsOfUser(tx, 'bert'));
    expect(await left()).toEqual([]);
  });
});
