import { describe, expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { ask, sampleChat, samplePerson, sampleVisitor } from '#test/services/sample-chat.ts';
import { askDocs } from './ask-docs.ts';
import { listChats, readChat } from './history.ts';

const asker = { address: '192.0.2.7', left: new AbortController().signal };
const deps = sampleChat();

onEachDatabase('asking the documentation', (kind) => {
  test('without a model the answer is the best passage, whole and numbered, and is saved', async () => {
    const ctx = await samplePerson(kind);
    const { events, answer, text, chatId } = await ask(
      ctx,
      { question: ' How do I create_task and cancel a task? ' },
      deps,
    );
    const types = events.map(({ type }) => type).filter((type) => type !== 'text');
    expect(types).toEqual(['started', 'searching', 'passages', 'usage', 'done']);
    expect(answer).toMatchObject({ writer: 'passages', state: 'complete', errorCode: null, text });
    expect(text).toContain('> Call `create_task(name)` to start a task.');
    expect(text.match(/\[\d+\]/g)).toEqual(['[1]']);
    expect(answer.citations.length).toBeGreaterThan(1);
    expect(answer.citations.map(({ url }) => url)).toContain('https://tasklib.example/tasks#create-task');
    expect(answer.usage).toMatchObject({ searches: 1, reads: 0, credits: 1, modelInputTokens: null });
    expect(answer.usage?.documentationTokens).toBeGreaterThan(50);
    const { chat, messages } = await readChat(ctx, { chatId: chatId ?? '' });
    expect(chat.title).toBe('How do I create_task and cancel a task?');
    expect(messages.map(({ role, text: said }) => [role, said])).toEqual([
      ['question', 'How do I create_task and cancel a task?'],
      ['answer', text],
    ]);
    expect(messages[1]).toMatchObject({ citations: answer.citations, usage: answer.usage, state: 'complete' });
  });

  test('an answer without results is free and suggests what to do', async () => {
    const ctx = await samplePerson(kind, { credits: 1 });
    const { answer } = await ask(ctx, { question: 'xylophone quux' }, deps);
    expect(answer).toMatchObject({ citations: [], usage: { searches: 1, documentationTokens: 0, credits: 0 } });
    expect(answer.text).toMatch(/Nothing in .* answers this question/);
    expect((await ask(ctx, { question: 'create_task' }, deps)).answer.usage?.credits).toBe(1);
  });

  test('repeating a question within two minutes is a free retry', async () => {
    const ctx = await samplePerson(kind);
    const first = await ask(ctx, { question: 'create_task' }, deps);
    const again = await ask(ctx, { question: 'create_task', chatId: first.chatId ?? '', replacesLast: true }, deps);
    expect([first.answer.usage?.credits, again.answer.usage?.credits]).toEqual([1, 0]);
    expect((await readChat(ctx, { chatId: first.chatId ?? '' })).messages).toHaveLength(2);
  });

  test('without credits a question is refused and nothing is stored', async () => {
    const ctx = await samplePerson(kind, { credits: 0 });
    await expect(askDocs(ctx, { question: 'create_task' }, deps, asker)).rejects.toMatchObject({
      code: 'credits-exhausted',
    });
    expect((await listChats(ctx, {})).chats).toEqual([]);
  });

  test('an invalid question is refused', async () => {
    const ctx = await samplePerson(kind);
    const questions = {
      '  \n': 'question-empty',
      ['x'.repeat(limits.chatQuestionCharactersMax + 1)]: 'question-too-long',
    };
    for (const [question, code] of Object.entries(questions)) {
      await expect(askDocs(ctx, { question }, deps, asker)).rejects.toMatchObject({ code });
    }
  });

  test('a missing module and an unreadable module get the same refusal', async () => {
    const anna = await samplePerson(kind);
    const bert = await samplePerson(kind, { userId: 'bert', beside: anna });
    const { answer } = await ask(anna, { question: 'cancel tasks', moduleId: 'ours' }, deps);
    expect(new Set(answer.citations.map(({ moduleId }) => moduleId))).toEqual(new Set(['ours']));
    for (const ctx of [bert, sampleVisitor(anna)]) {
      const [foreign, missing] = await Promise.all(
        ['ours', 'none'].map((moduleId) =>
          askDocs(ctx, { question: 'cancel tasks', moduleId }, deps, asker).then(
            () => 'answered',
            (error: Error & { code: string }) => [error.code, error.message.replace(/ours|none/, 'x')],
          ),
        ),
      );
      expect(foreign).toEqual(missing);
      expect(foreign?.[0]).toBe('module-not-found');
    }
  });

  test('a conversation of another user looks nonexistent', async () => {
    const anna = await samplePerson(kind);
    const bert = await samplePerson(kind, { userId: 'bert', beside: anna });
    const { chatId } = await ask(anna, { question: 'create_task' }, deps);
    for (const id of [chatId ?? '', 'none']) {
      await expect(askDocs(bert, { question: 'and?', chatId: id }, deps, asker)).rejects.toMatchObject({
        code: 'chat-not-found',
        message: 'Conversation not found. Choose another, or start a new one.',
      });
    }
    const inTeam = { ...anna, workspace: 'team:t1' as const };
    await expect(readChat(inTeam, { chatId: chatId ?? '' })).rejects.toMatchObject({ code: 'chat-not-found' });
  });

  test('one of two concurrent questions in a conversation is answered', async () => {
    const ctx = await samplePerson(kind);
    const { chatId } = await ask(ctx, { question: 'create_task' }, deps);
    const both = await Promise.allSettled(
      ['cancel', 'scheduler'].map((question) => askDocs(ctx, { question, chatId: chatId ?? '' }, deps, asker)),
    );
    const outcomes = both.map((one) =>
      one.status === 'fulfilled' ? 'answered' : (one.reason as { code: string }).code,
    );
    expect(outcomes.sort()).toEqual(['answered', 'chat-busy']);
    const answered = both.find((one) => one.status === 'fulfilled');
    for await (const _ of answered?.value ?? []);
    expect((await readChat(ctx, { chatId: chatId ?? '' })).messages).toHaveLength(4);
    await expect(ask(ctx, { question: 'scheduler', chatId: chatId ?? '' }, deps)).resolves.toBeDefined();
  });

  test('an answer whose process was killed shows as stopped and unblocks its conversation', async () => {
    const ctx = await samplePerson(kind);
    const events = await askDocs(ctx, { question: 'create_task' }, sampleChat(), asker);
    const started = await events.next();
    const chatId = started.value?.type === 'started' ? (started.value.chatId ?? '') : '';
    expect((await readChat(ctx, { chatId })).messages[1]).toMatchObject({ state: 'writing' });
    ctx.clock.advance((limits.chatAnswerSeconds + 11) * 1_000);
    expect((await readChat(ctx, { chatId })).messages[1]).toMatchObject({ state: 'stopped' });
    await ask(ctx, { question: 'cancel', chatId }, deps);
    expect((await readChat(ctx, { chatId })).messages.map(({ state }) => state)).toEqual([
      ...['complete', 'stopped', 'complete', 'complete'],
    ]);
  });

  test('an answer begun while the clock was a month ahead does not block its conversation', async () => {
    const ctx = await samplePerson(kind);
    const rightAt = ctx.clock.now();
    ctx.clock.advance(30 * 24 * 3_600_000);
    const started = await (await askDocs(ctx, { question: 'create_task' }, sampleChat(), asker)).next();
    const chatId = started.value?.type === 'started' ? (started.value.chatId ?? '') : '';
    ctx.clock.set(rightAt);
    expect((await readChat(ctx, { chatId })).messages[1]).toMatchObject({ state: 'stopped' });
    await expect(ask(ctx, { question: 'cancel', chatId }, deps)).resolves.toBeDefined();
  });

  test('an answer that the reader leaves midway is kept as far as it got', async () => {
    const ctx = await samplePerson(kind);
    const events = await askDocs(ctx, { question: 'create_task' }, deps, asker);
    let chatId = '';
    for await (const event of events) {
      if (event.type === 'started') chatId = event.chatId ?? '';
      if (event.type === 'text') break;
    }
    const { messages } = await readChat(ctx, { chatId });
    expect(messages[1]).toMatchObject({ state: 'stopped', usage: { credits: 1 } });
    expect(messages[1]?.text).not.toBe('');
    expect(messages[1]?.citations.length).toBeGreaterThan(0);
  });

  test('a visitor gets answers from public modules, and nothing is saved', async () => {
    const anna = await samplePerson(kind);
    const { answer, chatId } = await ask(sampleVisitor(anna), { question: 'cancel tasks' }, deps);
    expect(chatId).toBeNull();
    expect(answer.citations.map(({ moduleId }) => moduleId)).not.toContain('ours');
    expect(answer.usage?.credits).toBe(0);
    const demo = await ask(anna, { question: 'cancel tasks', isDemo: true }, deps);
    expect(demo.answer.citations.map(({ moduleId }) => moduleId)).not.toContain('ours');
    expect([demo.chatId, demo.answer.usage?.credits]).toEqual([null, 0]);
    expect(await anna.db.query.selectFrom('chats').selectAll().execute()).toEqual([]);
  });

  test('a visitor over the limit, counted by address, gets the waiting time', async () => {
    const visitor = sampleVisitor(await samplePerson(kind));
    const from = async (address: string) => {
      for await (const _ of await askDocs(visitor, { question: 'create_task' }, deps, { ...asker, address }));
    };
    for (let asked = 0; asked < limits.chatVisitorQuestionsMax; asked += 1) await from('192.0.2.1');
    await expect(from('192.0.2.1')).rejects.toMatchObject({
      code: 'chat-limit-reached',
      retryAfterSeconds: limits.chatVisitorMinutes * 60,
      message:
        'You can ask 10 questions in 10 minutes. Ask again in 10 minutes. With an account, you can continue now.',
    });
    await from('192.0.2.2');
    visitor.clock.advance(limits.chatVisitorMinutes * 60_000);
    await from('192.0.2.1');
  });

  test('an API key can search but has no conversations', async () => {
    const ctx = await samplePerson(kind);
    const actor = { kind: 'key', userId: 'anna', keyId: 'k', clientKind: null } as const;
    await expect(askDocs({ ...ctx, actor }, { question: 'create_task' }, deps, asker)).rejects.toMatchObject({
      code: 'permission-denied',
    });
  });

  test('a full conversation refuses further questions, and a new one removes the oldest', async () => {
    const ctx = await samplePerson(kind, { credits: 1_000 });
    const { chatId } = await ask(ctx, { question: 'create_task' }, deps);
    const position = limits.chatMessagesMax - 1;
    await ctx.db.query.updateTable('chatMessages').set({ position }).where('role', '=', 'answer').execute();
    const full = askDocs(ctx, { question: 'cancel', chatId: chatId ?? '' }, deps, asker);
    await expect(full).rejects.toMatchObject({ code: 'chat-full' });
    const row = await ctx.db.query.selectFrom('chats').selectAll().executeTakeFirstOrThrow();
    const others = Array.from({ length: limits.chatsKept }, (_, at) => ({
      ...row,
      id: `c${at}`,
      updatedAt: row.updatedAt + at,
    }));
    await ctx.db.query.insertInto('chats').values(others).execute();
    ctx.clock.advance(10_000);
    await ask(ctx, { question: 'scheduler' }, deps);
    const left = await ctx.db.query.selectFrom('chats').select('id').execute();
    expect(left).toHaveLength(limits.chatsKept);
    expect(left.map(({ id }) => id)).not.toContain(chatId);
  });
});

describe('stored questions', () => {
  test('mask an API key that was pasted', async () => {
    const ctx = await samplePerson('sqlite');
    const secret = `lec_${'a'.repeat(38)}`;
    const { chatId } = await ask(ctx, { question: `create_task with ${secret}` }, deps);
    const { chat, messages } = await readChat(ctx, { chatId: chatId ?? '' });
    expect(JSON.stringify([chat, messages])).not.toContain(secret);
  });
});
