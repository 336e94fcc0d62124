import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { type ModelServer, startModelServer } from '#test/services/chat-model.ts';
import { ask, sampleChat, samplePerson, sampleVisitor } from '#test/services/sample-chat.ts';
import { until } from '#test/services/until.ts';
import type { ChatDependencies } from './dependencies.ts';
import { readChat } from './history.ts';

let model: ModelServer;
let deps: ChatDependencies;

beforeAll(async () => {
  model = await startModelServer();
  deps = sampleChat(model);
});
afterAll(() => model.stop());
beforeEach(() => {
  model.script = [];
  model.questions = [];
  model.keys = [];
});

describe('model answers', () => {
  test('get the passages as marked data, and are streamed and saved', async () => {
    const ctx = await samplePerson('sqlite');
    model.script = [[{ say: 'Call `create_task` [1], not [42]. An index: `a[7]`.' }]];
    const { answer, text, chatId } = await ask(ctx, { question: 'How do I create_task?' }, deps);
    expect(text).toBe('Call `create_task` [1], not. An index: `a[7]`.');
    expect(answer).toMatchObject({ writer: 'model', state: 'complete', errorCode: null, text });
    expect(answer.usage).toMatchObject({ searches: 1, credits: 1, modelInputTokens: 900, modelOutputTokens: 40 });
    const [question] = model.questions;
    expect(model.keys).toEqual(['Bearer sk-test']);
    expect(question).toMatchObject({ model: 'small', stream: true, max_tokens: limits.chatModelTokensMax });
    expect(question?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    const [system, user] = question?.messages ?? [];
    expect(system?.content).not.toContain('create_task');
    const [, word] = /^--- (\w{18}) passage 1 from Tasklib/.exec(user?.content ?? '') ?? [];
    expect(user?.content).toContain(`--- ${word} end of passage 1`);
    expect(user?.content).toMatch(/The question: How do I create_task\?$/);
    expect((await readChat(ctx, { chatId: chatId ?? '' })).messages[1]).toMatchObject({ text, writer: 'model' });
  });

  test('omit invalid token counts', async () => {
    const ctx = await samplePerson('sqlite');
    model.script = [
      [{ say: 'Done [1].' }, { usage: { prompt_tokens: 1.5e20, completion_tokens: -5, total_tokens: 3 } }],
    ];
    const { answer } = await ask(ctx, { question: 'create_task' }, deps);
    expect(answer).toMatchObject({ state: 'complete', usage: { modelInputTokens: null, modelOutputTokens: null } });
  });

  test('may search and read more; each call costs a credit, and numbering continues', async () => {
    const ctx = await samplePerson('sqlite');
    model.script = [
      [{ say: 'Let me look. ' }, { call: 'search_documentation', with: { query: 'stop_job' } }],
      [{ call: 'read_page', with: { passage: 1 } }],
      [{ say: 'Done [1].' }],
    ];
    const { events, answer, text } = await ask(ctx, { question: 'create_task' }, deps);
    expect(events.map(({ type }) => type).filter((type) => !['text', 'usage'].includes(type))).toEqual([
      ...['started', 'searching', 'passages', 'restart', 'searching', 'passages', 'reading', 'passages', 'done'],
    ]);
    expect(text).toBe('Done [1].');
    expect(answer.usage).toMatchObject({ searches: 2, reads: 1, credits: 3 });
    expect(answer.citations.map(({ number }) => number)).toEqual(answer.citations.map((_, index) => index + 1));
    expect(answer.citations.map(({ moduleId }) => moduleId)).toContain('otherlib');
    expect(model.questions.at(-1)?.messages.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'tool', 'assistant', 'tool'],
    ]);
  });

  test('can use tools only on what the user may read, by number', async () => {
    const visitor = sampleVisitor(await samplePerson('sqlite'));
    model.script = [
      [
        { call: 'search_documentation', with: { query: 'deploy red button', module: 'ours' } },
        { call: 'read_page', with: { passage: 'https://evil.example/?q=secret' } },
        { call: 'read_page', with: { passage: 99 } },
        { call: 'run_shell', with: { command: 'id' } },
        { call: 'search_documentation', with: null, raw: 'not json' },
      ],
      [{ say: 'Done [1].' }],
    ];
    const { events, answer } = await ask(visitor, { question: 'create_task' }, deps);
    expect(answer.citations.map(({ moduleId }) => moduleId)).not.toContain('ours');
    expect(events.filter(({ type }) => type === 'reading')).toEqual([]);
    const told = model.questions[1]?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(told?.[0]).not.toContain('button');
    expect(told?.slice(1)).toEqual([
      'This was not understood. Give the arguments that the tool names.',
      'There is no passage 99.',
      'This was not understood. Give the arguments that the tool names.',
      'This was not understood. Give the arguments that the tool names.',
    ]);
  });

  test('must be written once the tool limit is reached, and cost no more than the limit', async () => {
    const ctx = await samplePerson('sqlite');
    const more = (query: string) => [{ call: 'search_documentation', with: { query } }];
    model.script = ['cancel', 'scheduler', 'errors', 'jobs', 'registry'].map(more);
    const { answer } = await ask(ctx, { question: 'create_task' }, deps);
    expect(model.questions).toHaveLength(limits.chatStepsMax);
    expect(model.questions.at(-1)).not.toHaveProperty('tools');
    // It still wrote nothing, so the passages replace the answer.
    expect(answer).toMatchObject({ writer: 'passages', errorCode: 'model-failed', state: 'complete' });
    expect(answer.usage?.searches).toBeLessThanOrEqual(limits.chatToolCallsMax);
  });

  test('are still written if credits run out during the searches', async () => {
    const ctx = await samplePerson('sqlite', { credits: 1 });
    model.script = [[{ call: 'search_documentation', with: { query: 'stop_job' } }], [{ say: 'What I have [1].' }]];
    const { answer, text } = await ask(ctx, { question: 'create_task' }, deps);
    expect([text, answer.state, answer.usage?.credits]).toEqual(['What I have [1].', 'complete', 1]);
    expect(model.questions[1]?.messages.at(-1)?.content).toContain('credits-exhausted');
  });

  test('are withheld if written without any passage', async () => {
    const ctx = await samplePerson('sqlite');
    model.script = [[{ say: 'Paris is the capital of France [1].' }]];
    const { answer, text } = await ask(ctx, { question: 'xylophone quux' }, deps);
    expect(text).toMatch(/^Nothing in/);
    expect(answer).toMatchObject({ citations: [], writer: 'passages', errorCode: null, usage: { credits: 0 } });
  });

  test('get earlier messages without the numbers of other passages', async () => {
    const ctx = await samplePerson('sqlite');
    model.script = [[{ say: 'First answer [1].' }], [{ say: 'Second [1].' }]];
    const first = await ask(ctx, { question: 'create_task' }, deps);
    await ask(ctx, { question: 'And cancel?', chatId: first.chatId ?? '' }, deps);
    expect(model.questions[1]?.messages.slice(1, 3)).toEqual([
      { role: 'user', content: 'create_task' },
      { role: 'assistant', content: 'First answer.' },
    ]);
    model.script = [[{ say: 'Third [1].' }]];
    const earlier = [{ question: 'create_task', answer: 'First answer [1].' }];
    await ask(sampleVisitor(ctx), { question: 'And cancel?', earlier }, deps);
    expect(model.questions[2]?.messages[2]).toEqual({ role: 'assistant', content: 'First answer.' });
  });
});

describe('a failing model', () => {
  test.each([
    ['refuses', [{ status: 401 }]],
    ['is overloaded', [{ status: 503 }]],
    ['answers nothing', []],
    ['answers garbage', [{ garbage: 'data: {"choices": 7}\n\ndata: nonsense\n\n' }]],
    ['breaks off before a word', [{ break: true as const }]],
    ['asks with arguments of megabytes', [{ call: 'search_documentation', with: { query: 'x'.repeat(900_000) } }]],
    ['names a tool of megabytes', [{ call: 'x'.repeat(900_000), with: {} }]],
    ['asks for thousands of tools', Array.from({ length: 2_000 }, () => ({ call: 'read_page', with: {} }))],
  ])('that %s is replaced by passages', async (_how, steps) => {
    const ctx = await samplePerson('sqlite');
    // The SDK sends one request; nothing here retries by itself.
    model.script = [steps];
    const { answer, text } = await ask(ctx, { question: 'create_task' }, deps);
    expect(answer).toMatchObject({ writer: 'passages', state: 'complete', errorCode: 'model-failed', text });
    expect(text).toContain('> Call `create_task(name)`');
    expect(model.questions).toHaveLength(1);
  });

  test('that writes nothing in time is replaced by passages; one that has begun keeps its text', async () => {
    const ctx = await samplePerson('sqlite');
    const never = new Promise(() => undefined);
    const impatient = { ...deps, answerSeconds: 1 };
    // Some servers send comments while they read the prompt, so the connection is never silent.
    model.script = [
      [{ garbage: ': still reading\n\n' }, { wait: never }],
      [{ say: 'Begun [1] ' }, { wait: never }],
    ];
    const late = await ask(ctx, { question: 'create_task' }, impatient);
    expect(late.answer).toMatchObject({ writer: 'passages', state: 'complete', errorCode: 'model-failed' });
    expect(late.text).toContain('> Call `create_task(name)`');
    const half = await ask(ctx, { question: 'create_task' }, impatient);
    expect(half.answer).toMatchObject({ state: 'failed', errorCode: 'deadline-exceeded', text: 'Begun [1]' });
  });

  test('that fails midway keeps its text, and the failure is reported', async () => {
    const ctx = await samplePerson('sqlite');
    // Unread output may be lost when a connection breaks.
    const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
    model.script = [[{ say: 'Half an answer [1] ' }, { wait: isRead }, { break: true }]];
    const { events, answer, chatId } = await ask(ctx, { question: 'create_task' }, deps, undefined, (told) => {
      const text = told.map((event) => (event.type === 'text' ? event.delta : '')).join('');
      if (text.includes('[1]')) read();
    });
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'model-failed', requestId: 'request-of-anna' });
    expect(answer).toMatchObject({ state: 'failed', errorCode: 'model-failed', text: 'Half an answer [1]' });
    expect((await readChat(ctx, { chatId: chatId ?? '' })).messages[1]).toMatchObject({ state: 'failed' });
    const again = await ask(ctx, { question: 'create_task', chatId: chatId ?? '', replacesLast: true }, deps);
    expect(again.answer).toMatchObject({ state: 'complete', usage: { credits: 0 } });
  });

  test('a reader who leaves aborts the model call; the partial answer is saved', async () => {
    const ctx = await samplePerson('sqlite');
    model.script = [[{ say: 'Begun [1] ' }, { wait: new Promise(() => undefined) }]];
    const left = new AbortController();
    const asked = ask(ctx, { question: 'create_task' }, deps, left.signal);
    await until('the model is asked', () => model.underWay() === 1);
    await until('it has begun', async () => {
      left.abort();
      return true;
    });
    const { answer, chatId } = await asked;
    expect(answer.state).toBe('stopped');
    await until('the model is left alone', () => model.underWay() === 0);
    expect((await readChat(ctx, { chatId: chatId ?? '' })).messages[1]?.state).toBe('stopped');
  });
});
