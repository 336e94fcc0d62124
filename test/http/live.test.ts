import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { keyEndpoints } from '#contract/keys.ts';
import { type LiveEvent, libraryEndpoints, liveEventSchema } from '#contract/library.ts';
import type { Context } from '#server/context.ts';
import { createNotices } from '#server/features/library/index.ts';
import { type LiveSource, liveStream } from '#server/http/live.ts';
import { createSettableClock } from '#server/platform/clock.ts';
import { until } from '../services/until.ts';
import { openHttpRig, type Sender } from './http-rig.ts';

interface Reader {
  events: LiveEvent[];
  isOver: () => boolean;
  leave(): void;
}

async function readStream(response: Response, controller = new AbortController()): Promise<Reader> {
  const events: LiveEvent[] = [];
  let isOver = false;
  let rest = '';
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('data: ')) events.push(liveEventSchema.parse(JSON.parse(line.slice(6))));
      }
    }
  };
  const ended = () => {
    isOver = true;
  };
  void read().then(ended, ended);
  return { events, isOver: () => isOver, leave: () => controller.abort() };
}

async function listen(url: string, sender: Sender): Promise<Reader> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const response = await fetch(`${url}/api/live`, { headers: sender, signal: controller.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = await readStream(response, controller);
  await until('the reader is told to read all', () => reader.events.length === 1);
  expect(reader.events[0]).toEqual({ type: 'refresh' });
  return reader;
}

test('a reader hears of what they may read and of nothing else', async () => {
  const rig = await openHttpRig();
  const operator = await listen(rig.url, rig.operator);
  const key = await listen(rig.url, (await rig.createKey()).sender);
  const visitor = await listen(rig.url, {});
  const source = 'http://127.0.0.1:9/';
  await rig.ask(libraryEndpoints.startIndexJob, { source, moduleId: 'own', visibility: 'private' });
  await rig.ask(libraryEndpoints.startIndexJob, { source, moduleId: 'open' });
  const namesOf = ({ events }: Reader) => events.flatMap((event) => (event.type === 'job' ? [event.job.moduleId] : []));
  for (const reader of [operator, key]) {
    await until('both runs are heard of', () => new Set(namesOf(reader)).size === 2);
  }
  await until('the public run is heard of', () => namesOf(visitor).includes('open'));
  await until('the private run has ended', () =>
    operator.events.some((event) => event.type === 'job' && event.job.moduleId === 'own' && event.job.endTime !== null),
  );
  expect(namesOf(visitor)).not.toContain('own');
});

test('a stream that the reader leaves is no longer fed', async () => {
  const rig = await openHttpRig();
  const { bus, operatorContext } = rig.running.installation;
  const ctx: Context = operatorContext();
  const heard: string[] = [];
  const reader = await listen(rig.url, rig.operator);
  onTestFinished(bus.subscribe('library-notice', (payload) => heard.push(payload)));
  reader.leave();
  await until('the stream is over', reader.isOver);
  createNotices(bus, ctx.clock).modulesChanged('public');
  await until('the bus has delivered', () => heard.length === 1);
  expect(reader.events).toHaveLength(1);
  const { response, senders } = openStream();
  expect(senders.size).toBe(1);
  await response.body?.cancel();
  expect(senders.size).toBe(0);
});

test('all streams end when the server stops', async () => {
  const rig = await openHttpRig();
  const readers = await Promise.all([rig.operator, {}].map((sender) => listen(rig.url, sender)));
  await rig.running.close();
  await until('all streams are over', () => readers.every((reader) => reader.isOver()));
});

function openStream(overrides: Partial<LiveSource> = {}) {
  const clock = createSettableClock();
  const stopping = new AbortController();
  const senders = new Set<(event: LiveEvent) => void>();
  const response = liveStream({
    subscribe(send) {
      senders.add(send);
      return () => senders.delete(send);
    },
    isStillSame: async () => true,
    clock,
    stopping: stopping.signal,
    ...overrides,
  });
  return { response, clock, stopping, senders };
}

test('a reader whose key is revoked or whose session has ended is cut off at the next sign of life', async () => {
  let isSame = true;
  const { response, clock, senders } = openStream({ isStillSame: async () => isSame });
  const reader = await readStream(response);
  await until('the stream rests', () => clock.sleeperCount === 1);
  clock.advance(20_000);
  await until('the stream rests again', () => clock.sleeperCount === 1);
  expect(reader.isOver()).toBe(false);
  isSame = false;
  clock.advance(20_000);
  await until('the stream is over', reader.isOver);
  expect(senders.size).toBe(0);
  const rig = await openHttpRig();
  const { keyId, sender } = await rig.createKey();
  await rig.ask(keyEndpoints.revokeKey, { keyId });
  expect((await rig.send('/api/live', { headers: sender })).status).toBe(401);
});

test('a reader who does not read is cut off, and events that are under way then do no harm', async () => {
  const { response, senders } = openStream();
  const [send] = senders;
  for (let at = 0; at < 1_000; at += 1) send?.({ type: 'modules' });
  expect(senders.size).toBe(0);
  send?.({ type: 'modules' });
  const reader = await readStream(response);
  await until('the stream is over', reader.isOver);
  expect(reader.events.length).toBeLessThanOrEqual(256);
});

test('a stream that is opened while the server stops is over at once', async () => {
  const { response, senders } = openStream({ stopping: AbortSignal.abort(randomUUID()) });
  const reader = await readStream(response);
  await until('the stream is over', reader.isOver);
  expect(senders.size).toBe(0);
});
