import { expect, onTestFinished, test } from 'vitest';
import { askDocsPath, type ChatEvent, chatEndpoints, chatEventSchema } from '#contract/chat.ts';
import { libraryEndpoints } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { operatorEndpoints } from '#contract/operator.ts';
import { teamHeader } from '#contract/team-header.ts';
import { teamAdministration, teamEndpoints } from '#contract/teams.ts';
import { signedIn } from '../hosting/rig.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { type ModelServer, startModelServer } from '../services/chat-model.ts';
import { sampleTeam } from '../services/sample-team.ts';
import { until } from '../services/until.ts';
import { type HttpRig, openHttpRig, refusalOf, type Sender } from './http-rig.ts';

const chapter = 'chapter page1';

/** Opens an installation with a public site, and a model if requested. */
async function openChatRig(wantsModel = false): Promise<{ rig: HttpRig; model: ModelServer | undefined }> {
  const site = await startSampleSite(3);
  const model = wantsModel ? await startModelServer() : undefined;
  onTestFinished(async () => {
    await model?.stop();
    await site.close();
  });
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: site.host, ...model?.environment });
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, { source: site.url, moduleId: 'sample' });
  await until(
    'the run has ended',
    async () => (await rig.ask(libraryEndpoints.getJob, { jobId: job.id })).job.endTime !== null,
  );
  return { rig, model };
}

const post = (rig: HttpRig, input: unknown, sender: Sender, signal?: AbortSignal) =>
  rig.send(askDocsPath, { method: 'POST', headers: sender, body: JSON.stringify(input), signal: signal ?? null });

async function* eventsOf(response: Response): AsyncGenerator<ChatEvent> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield chatEventSchema.parse(JSON.parse(line));
  }
  expect(rest).toBe('');
}

async function allOf(response: Response): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
}

test('an answer arrives line by line while the model still writes, and is stored', async () => {
  const { rig, model } = await openChatRig(true);
  const go = Promise.withResolvers<void>();
  if (model) model.script = [[{ say: 'First words [1] ' }, { wait: go.promise }, { say: 'and the rest.' }]];
  const person = await rig.signIn();
  const response = await post(rig, { question: chapter }, person);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  expect([response.headers.get('cache-control'), response.headers.get('x-accel-buffering')]).toEqual([
    'no-store',
    'no',
  ]);
  let text = '';
  let chatId = '';
  for await (const event of eventsOf(response)) {
    if (event.type === 'started') chatId = event.chatId ?? '';
    if (event.type === 'text') text += event.delta;
    // Only now may the model continue: the text so far did not wait for the end.
    if (event.type === 'text') go.resolve();
    if (event.type === 'done') expect(event.message.text).toBe(text);
  }
  expect(text).toBe('First words [1] and the rest.');
  const { messages } = await rig.ask(chatEndpoints.readChat, { chatId }, person);
  expect(messages.map((message) => message.text)).toEqual([chapter, text]);
});

test('a reader who disconnects ends the model call, and finds the text written so far', async () => {
  const { rig, model } = await openChatRig(true);
  if (model) model.script = [[{ say: 'Begun [1] ' }, { wait: new Promise(() => undefined) }]];
  const person = await rig.signIn();
  const gone = new AbortController();
  const response = await post(rig, { question: chapter }, person, gone.signal);
  let chatId = '';
  await (async () => {
    for await (const event of eventsOf(response)) {
      if (event.type === 'started') chatId = event.chatId ?? '';
      if (event.type === 'text') gone.abort();
    }
  })().catch(() => undefined);
  await until('the model is left alone', () => model?.underWay() === 0);
  const answer = await until('the answer is kept', async () => {
    const { messages } = await rig.ask(chatEndpoints.readChat, { chatId }, person);
    return messages[1]?.state === 'writing' ? undefined : messages[1];
  });
  expect(answer).toMatchObject({ state: 'stopped', writer: 'model' });
  expect(answer.text).toContain('Begun');
});

test.each<[string, (rig: HttpRig, of: { teamId: string; membershipId: string; admin: Sender }) => Promise<unknown>]>([
  ['is removed from the team', (rig, { admin, ...of }) => rig.ask(teamAdministration.removeMember, of, admin)],
  ['is disabled', (rig) => rig.ask(operatorEndpoints.updatePerson, { whose: 'berta', isDisabled: true })],
  ['is signed out', (rig) => rig.ask(operatorEndpoints.endSessionsOf, { whose: 'berta' })],
])('an answer from a team ends when its reader %s, and contains no more for them', async (_how, withdraw) => {
  const { rig, model } = await openChatRig(true);
  const { db } = rig.running.installation.base;
  const [admin, berta] = [await signedIn(rig, 'anna'), await signedIn(rig, 'berta')];
  const teamId = await sampleTeam(db, { id: 'acme', members: { anna: 'admin', berta: 'reader' } });
  const inTeam = { ...berta, [teamHeader]: teamId };
  const { members } = await rig.ask(teamEndpoints.listTeamMembers, { teamId }, admin);
  const { membershipId = '' } = members.find(({ userId }) => userId === 'berta') ?? {};
  const go = Promise.withResolvers<void>();
  const more = { call: 'search_documentation', with: { query: 'original text 2' } };
  if (model) model.script = [[{ say: 'Begun [1] ' }, { wait: go.promise }, more], [{ say: 'The rest [1].' }]];
  const seen: string[] = [];
  const response = await post(rig, { question: chapter }, inTeam);
  let isOver = false;
  void (async () => {
    for await (const event of eventsOf(response)) seen.push(event.type);
    isOver = true;
  })();
  await until('the answer has begun', () => seen.includes('text'));
  await withdraw(rig, { teamId, membershipId, admin });
  await until('the answer ends', () => isOver);
  go.resolve();
  expect([...new Set(seen)]).toEqual(['started', 'searching', 'passages', 'text']);
  expect(seen.filter((type) => type === 'passages')).toHaveLength(1);
  await until('the model is left alone', () => model?.underWay() === 0);
  expect(model?.questions).toHaveLength(1);
});

test('a call refused at the start gets an ordinary error response', async () => {
  const { rig } = await openChatRig();
  const cases: [unknown, Sender, number, string][] = [
    [{}, rig.operator, 400, 'invalid-input'],
    [{ question: ' ' }, rig.operator, 400, 'question-empty'],
    [{ question: 'x'.repeat(limits.chatQuestionCharactersMax + 1) }, rig.operator, 400, 'question-too-long'],
    [{ question: 'x'.repeat(10 * limits.chatQuestionCharactersMax) }, rig.operator, 400, 'question-too-long'],
    [{ question: 'x', moduleId: 'none' }, rig.operator, 404, 'module-not-found'],
    [{ question: 'x', moduleId: '../x' }, rig.operator, 400, 'invalid-input'],
    [{ question: 'x', chatId: 'none' }, rig.operator, 404, 'chat-not-found'],
    [{ question: 'x', chatId: 'none' }, rig.visitor, 404, 'chat-not-found'],
    [{ question: 'x' }, (await rig.createKey()).sender, 403, 'permission-denied'],
    [{ question: 'x' }, { origin: 'https://evil.example' }, 403, 'origin-refused'],
  ];
  for (const [input, sender, status, code] of cases) {
    expect({ input, ...(await refusalOf(await post(rig, input, sender))) }).toMatchObject({ input, status, code });
  }
});

test('no user can delay other users’ answers, however many questions they ask of a slow model', async () => {
  const { rig, model } = await openChatRig(true);
  const slow = { wait: new Promise(() => undefined) };
  if (model) model.script = Array.from({ length: 4 * limits.chatAnswersAtOnceMax }, () => [slow]);
  const leave = new AbortController();
  // Keeps the responses referenced: garbage collection would end an unreferenced response.
  const held: Response[] = [];
  for (let busy = 0; busy < 4; busy += 1) {
    const person = await signedIn(rig, `busy-${busy}`);
    const asked = Array.from({ length: limits.chatAnswersAtOnceMax + 2 }, () =>
      post(rig, { question: chapter }, person, leave.signal),
    );
    const answers = await Promise.all(asked);
    held.push(...answers);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
    await until('the model is asked', () => model?.underWay() === (busy + 1) * limits.chatAnswersAtOnceMax);
    const refused = await post(rig, { question: chapter }, person);
    expect(await refusalOf(refused)).toMatchObject({ status: 429, code: 'rate-limited' });
  }
  const other = await signedIn(rig, 'other');
  expect((await allOf(await post(rig, { question: chapter }, other))).at(-1)).toMatchObject({
    type: 'done',
    message: { writer: 'model' },
  });
  expect(model?.underWay()).toBe(held.filter(({ ok }) => ok).length);
  leave.abort();
  await until('the model is left alone', () => model?.underWay() === 0);
});

test('of questions at once, the last credit pays for one, and the model is asked for that one alone', async () => {
  const { rig, model } = await openChatRig(true);
  const { query } = rig.running.installation.base.db;
  const person = await signedIn(rig, 'anna');
  await query.updateTable('users').set({ credits: 1 }).where('id', '=', 'anna').execute();
  const ask = async (question: string) => {
    const response = await post(rig, { question }, person);
    if (response.status !== 200) return (await refusalOf(response)).code;
    const last = (await allOf(response)).at(-1);
    return last?.type === 'error' ? last.code : last?.type;
  };
  const outcomes = await Promise.all(Array.from({ length: 20 }, (_, at) => ask(`${chapter} ${at}`)));
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
  expect(outcomes.filter((outcome) => !['done', 'credits-exhausted', 'rate-limited'].includes(outcome ?? ''))).toEqual(
    [],
  );
  expect(await ask('another question')).toBe('credits-exhausted');
  expect(model?.questions).toHaveLength(1);
  expect(await query.selectFrom('users').select('credits').where('id', '=', 'anna').execute()).toEqual([
    { credits: 0 },
  ]);
});

test('visitors of one address share a limit, and are told how long to wait', async () => {
  const { rig } = await openChatRig();
  const ask = () => post(rig, { question: chapter, isDemo: true }, rig.visitor);
  for (let asked = 0; asked < limits.chatVisitorQuestionsMax; asked += 1) {
    const events = await allOf(await ask());
    expect(events[0]).toMatchObject({ type: 'started', chatId: null });
    expect(events.at(-1)).toMatchObject({ type: 'done', message: { usage: { credits: 0 } } });
  }
  const refused = await ask();
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refusalOf(refused)).toMatchObject({ status: 429, code: 'chat-limit-reached' });
  expect((await allOf(await post(rig, { question: chapter }, await rig.signIn()))).at(-1)?.type).toBe('done');
});

test('every conversation endpoint responds by its schema, for the conversation’s owner only', async () => {
  const { rig } = await openChatRig();
  const person = await rig.signIn();
  const about = await rig.ask(chatEndpoints.describeChat, { moduleId: 'sample' }, rig.visitor);
  expect(about).toEqual({ writer: 'passages', model: null, module: { moduleId: 'sample', displayName: 'sample' } });
  const [started] = await allOf(await post(rig, { question: chapter }, person));
  const chatId = started?.type === 'started' ? (started.chatId ?? '') : '';
  expect(await rig.ask(chatEndpoints.listChats, {}, person)).toMatchObject({ chats: [{ chatId }], next: null });
  const { chat } = await rig.ask(chatEndpoints.renameChat, { chatId, title: ' Chapters ' }, person);
  expect(chat.title).toBe('Chapters');
  const file = await rig.send(chatEndpoints.exportChats.path, { headers: person });
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="chats.json"');
  expect(await file.json()).toMatchObject({ chats: [{ title: 'Chapters', messages: [{ text: chapter }, {}] }] });
  for (const endpoint of [chatEndpoints.listChats, chatEndpoints.readChat, chatEndpoints.removeChat]) {
    expect(await rig.refusal(endpoint, { chatId }, rig.visitor)).toMatchObject({ code: 'unauthenticated' });
    expect(await rig.refusal(endpoint, { chatId }, (await rig.createKey()).sender)).toMatchObject({
      code: 'permission-denied',
    });
  }
  expect(await rig.ask(chatEndpoints.removeChat, { chatId }, person)).toEqual({});
  expect(await rig.refusal(chatEndpoints.removeChat, { chatId }, person)).toMatchObject({ code: 'chat-not-found' });
  expect(await rig.ask(chatEndpoints.removeAllChats, {}, person)).toEqual({ removed: 0 });
});
