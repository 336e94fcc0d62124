import { expect, onTestFinished, test } from 'vitest';
import { askDocsPath, type ChatEvent, chatEventSchema } from '#contract/chat.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { type HttpRig, openHttpRig } from '../http/http-rig.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { startModelServer } from '../services/chat-model.ts';
import { type CuttableProxy, startCuttableProxy } from '../services/cuttable-proxy.ts';
import { until } from '../services/until.ts';

const waitMs = 120_000;

interface ModelRig {
  rig: HttpRig;
  model: CuttableProxy;
  /** Indexes the site again under this name. */
  index(moduleId: string): Promise<void>;
}

async function openBeforeModel(): Promise<ModelRig> {
  const [site, program] = [await startSampleSite(4), await startModelServer()];
  onTestFinished(async () => {
    await program.stop();
    await site.close();
  });
  const model = await startCuttableProxy(Number(new URL(program.url).port));
  const address = program.url.replace(/:\d+\//, `:${model.port}/`);
  const environment = { ...program.environment, LECTERN_CHAT_URL: address };
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: site.host, LECTERN_PARSE_WORKERS: '1', ...environment });
  const index = async (moduleId: string) => {
    const input = { source: site.url, moduleId, visibility: 'public' as const };
    const { job } = await rig.ask(libraryEndpoints.startIndexJob, input);
    const status = async () => (await rig.ask(libraryEndpoints.getJob, { jobId: job.id })).job.status;
    await until(`${moduleId} is complete`, async () => (await status()) === 'COMPLETE', waitMs);
  };
  return { rig, model, index };
}

const question = 'original text page1';

async function found({ rig }: ModelRig): Promise<unknown> {
  const answer = await rig.send(`/api/search?query=${encodeURIComponent(question)}`);
  expect(answer.status).toBe(200);
  const { results } = (await answer.json()) as { results: { url: string }[] };
  return results.map(({ url }) => new URL(url).pathname);
}

async function* chatted({ rig }: ModelRig): AsyncGenerator<ChatEvent> {
  const response = await rig.send(askDocsPath, { method: 'POST', body: JSON.stringify({ question }) });
  let rest = '';
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield chatEventSchema.parse(JSON.parse(line));
  }
}

async function lastOf(rig: ModelRig): Promise<ChatEvent | undefined> {
  let last: ChatEvent | undefined;
  for await (const event of chatted(rig)) last = event;
  return last;
}

/** The end of an answer that has passages in place of the model's text. */
const passages = { type: 'done', message: { writer: 'passages', state: 'complete', errorCode: 'model-failed' } };

test('searches and runs work without an unreachable or silent model, and passages replace its answers', {
  timeout: 300_000,
}, async () => {
  const before = await openBeforeModel();
  const { model, index } = before;
  await index('first');
  const whole = await found(before);
  expect(await lastOf(before)).toMatchObject({ message: { writer: 'model' } });

  model.become('refusing');
  expect(await lastOf(before)).toMatchObject(passages);
  expect(await found(before)).toEqual(whole);

  model.become('silent');
  const events: ChatEvent[] = [];
  const asking = (async () => {
    for await (const event of chatted(before)) events.push(event);
  })();
  await until('the model is waited for', () => events.some(({ type }) => type === 'passages'), waitMs);
  expect(await found(before)).toEqual(whole);
  await index('first');

  model.become('refusing');
  await asking;
  expect(events.at(-1)).toMatchObject(passages);
});
