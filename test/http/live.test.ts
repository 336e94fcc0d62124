import { expect, test } from 'vitest';
import { accountEndpoints } from '#contract/accounts.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { jobRunSchema, libraryEndpoints } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { liveEndpoints } from '#contract/live.ts';
import { teamAdministration } from '#contract/teams.ts';
import { livePoll } from '#server/http/live/add-live.ts';
import { ChangeFeed } from '#server/http/live/change-feed.ts';
import { liveReader } from '#server/http/live/live-reader.ts';
import { type LiveSource, liveStream } from '#server/http/live/live-stream.ts';
import { announceChange, type Change } from '#server/platform/bus/announce-change.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { until } from '../services/until.ts';
import { openHttpRig, type Sender } from './http-rig.ts';
import { listen, type Reading, readStream } from './live-reading.ts';

const modulesChanged: Change = { collection: 'modules', audience: 'public' };

test('a reader receives only changes that they may read', async () => {
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: '127.0.0.1:9' });
  const operator = await listen(rig.url, rig.operator);
  const key = await listen(rig.url, (await rig.createKey()).sender);
  const visitor = await listen(rig.url, {});
  const source = 'http://127.0.0.1:9/';
  await rig.ask(libraryEndpoints.startIndexJob, { source, moduleId: 'own', visibility: 'private' });
  await rig.ask(libraryEndpoints.startIndexJob, { source, moduleId: 'open', visibility: 'public' });
  const runsOf = ({ events }: Reading) =>
    events.flatMap((event) =>
      event.type === 'changed' && event.query === 'jobRuns' ? [jobRunSchema.parse(event.row)] : [],
    );
  const namesOf = (reading: Reading) => new Set(runsOf(reading).map(({ moduleId }) => moduleId));
  for (const reader of [operator, key]) await until('both runs are heard of', () => namesOf(reader).size === 2);
  await until('the public run is heard of', () => namesOf(visitor).has('open'));
  await until('the private run has ended', () =>
    runsOf(operator).some(({ moduleId, endTime }) => moduleId === 'own' && endTime !== null),
  );
  expect(namesOf(visitor)).not.toContain('own');
});

test('changes to keys reach their owner: no visitor, no key and no one else', async () => {
  const rig = await openHttpRig();
  const { bus } = rig.running.installation;
  const { sender } = await rig.createKey();
  const readers = { person: await listen(rig.url, await rig.signIn()), key: await listen(rig.url, sender) };
  const visitor = await listen(rig.url, {});
  await rig.createKey('another');
  announceChange(bus, { collection: 'apiKeys', audience: 'user:somebody' });
  announceChange(bus, modulesChanged);
  for (const reader of [readers.person, readers.key, visitor]) {
    await until('the last change is heard of', () => reader.changed().includes('search'));
  }
  expect(readers.person.changed()).toEqual(['apiKeys', 'modules', 'privateIndex', 'pdfSets', 'profiles', 'search']);
  expect(readers.key.changed()).toEqual(['modules', 'search']);
  expect(visitor.changed()).toEqual(['modules', 'search']);
});

test('streams and polls are limited per account and per visitors’ network; a HEAD request opens none', async () => {
  const rig = await openHttpRig();
  for (const [sender, most] of [
    [rig.operator, 100],
    [{}, 200],
  ] as const) {
    for (let count = 0; count < most; count += 1) {
      expect((await rig.send('/api/live', { method: 'HEAD', headers: sender })).status).toBe(200);
    }
    const open = await Promise.all(Array.from({ length: most }, () => listen(rig.url, sender)));
    for (const path of ['/api/live', liveEndpoints.pollLive.path]) {
      const refused = await rig.send(path, { headers: sender });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
      expect(await refused.json()).toMatchObject({ error: { code: 'rate-limited' } });
    }
    open[0]?.leave();
    const again = () => rig.send(liveEndpoints.pollLive.path, { headers: sender });
    await until('there is room', async () => (await again()).status === 200);
    for (const reader of open) reader.leave();
  }
});

test('only changes to the requested queries are reported; an unknown query name is refused', async () => {
  const rig = await openHttpRig();
  const reader = await listen(rig.url, rig.operator, { queries: 'apiKeys' });
  announceChange(rig.running.installation.bus, modulesChanged);
  await rig.createKey();
  await until('the key is heard of', () => reader.changed().length > 0);
  expect(reader.changed()).toEqual(['apiKeys']);
  for (const path of ['/api/live?queries=passwords', '/api/live?queries=', '/api/live/poll?waitSeconds=4']) {
    expect((await rig.send(path, { headers: rig.operator })).status).toBe(400);
  }
});

test('a returning reader gets missed changes once; one with another identity reads everything', async () => {
  const rig = await openHttpRig();
  const first = await listen(rig.url, rig.operator);
  await rig.createKey('one');
  await until('the key is heard of', () => first.changed().length === 1);
  const after = first.position();
  first.leave();
  await rig.createKey('two');
  announceChange(rig.running.installation.bus, modulesChanged);
  for (const back of [
    await listen(rig.url, rig.operator, { after }),
    await listen(rig.url, { ...rig.operator, 'last-event-id': after }),
  ]) {
    await until('what was missed has come', () => back.changed().includes('search'));
    expect(back.events.map((event) => (event.type === 'changed' ? event.query : event.type))).toEqual([
      'apiKeys',
      'modules',
      'privateIndex',
      'pdfSets',
      'profiles',
      'search',
    ]);
  }
  const session = await rig.signIn();
  for (const [sender, position] of [
    [{}, after],
    [(await rig.createKey()).sender, after],
    [rig.operator, 'nonsense'],
    [session, after],
  ] as const) {
    const other = await listen(rig.url, sender, { after: position });
    await until('something is said', () => other.events.length > 0);
    expect(other.events[0]).toEqual({ type: 'refresh' });
  }
});

test('a page gets the changes since its session was read, in a team too; one of another session reads everything', async () => {
  const rig = await openHttpRig();
  const session = await rig.signIn();
  const { teamId } = await rig.ask(teamAdministration.createTeam, { teamName: 'Readers' }, session);
  const { livePosition: after = '' } = await rig.ask(accountEndpoints.getSession, {}, session);
  await rig.createKey();
  announceChange(rig.running.installation.bus, modulesChanged);
  const first = async (sender: Sender, query = {}) => {
    const reader = await listen(rig.url, sender, { after, ...query });
    await until('something is said', () => reader.events.length > 0);
    return reader.events[0];
  };
  expect(await first(session)).toEqual({ type: 'changed', query: 'apiKeys' });
  expect(await first(session, { teamId })).toMatchObject({ type: 'changed' });
  for (const other of [await rig.signIn(), rig.operator, {}]) expect(await first(other)).toEqual({ type: 'refresh' });
  expect(await rig.ask(accountEndpoints.getSession, {}, {})).not.toHaveProperty('livePosition');
});

test('a reader who was away too long or comes from another process reads everything', () => {
  const { feed, change } = openFeed();
  const start = feed.position;
  change(modulesChanged);
  expect(feed.since(start)).toMatchObject([{ change: modulesChanged }]);
  for (let at = 0; at < 1_000; at += 1) change(modulesChanged);
  expect(feed.since(start)).toBeUndefined();
  expect(feed.since(openFeed().feed.position)).toBeUndefined();
  for (const odd of ['1002', '-1', 'x', '']) expect(feed.since(odd)).toBeUndefined();
  expect(feed.since(feed.position)).toEqual([]);
});

test('a reader’s position does not reveal how many changes have happened', () => {
  const { feed, change } = openFeed();
  const places = [feed.position];
  for (let at = 0; at < 20; at += 1) {
    change(modulesChanged);
    places.push(feed.position);
  }
  for (const place of places) expect(place).toMatch(/^[\w-]{16}$/);
  expect(new Set(places.map((place) => place.slice(0, 4))).size).toBeGreaterThan(15);
  expect(feed.since(places[18] ?? '')).toHaveLength(2);
});

test('a long poll returns pending changes at once, later changes when they occur, and nothing on timeout', async () => {
  const rig = await openHttpRig();
  const first = await rig.ask(liveEndpoints.pollLive, {});
  expect(first.events).toEqual([{ type: 'refresh' }]);
  await rig.createKey();
  const missed = await rig.ask(liveEndpoints.pollLive, { after: first.position });
  expect(missed.events).toEqual([{ type: 'changed', query: 'apiKeys' }]);
  const waiting = rig.ask(liveEndpoints.pollLive, { after: missed.position });
  announceChange(rig.running.installation.bus, modulesChanged);
  const later = await waiting;
  expect(later.events[0]).toEqual({ type: 'changed', query: 'modules' });

  const { source, clock } = openSource();
  const idle = livePoll({ ...source, after: tagged(source), waitMs: 5_000, left: new AbortController().signal });
  await until('the poll rests', () => clock.sleeperCount === 1);
  clock.advance(5_000);
  expect(await idle).toEqual({ position: tagged(source), events: [] });
  expect([limits.livePollSecondsMin, limits.livePollSecondsMax]).toEqual([5, 30]);
});

/** Well before the next heartbeat, at which a reader would be disconnected in any case. */
const atOnceMs = 10_000;

test('an ended session or a revoked key ends its streams and polls at once', async () => {
  const rig = await openHttpRig();
  const session = await rig.signIn();
  const other = await rig.signIn();
  const { keyId, sender } = await rig.createKey();
  const readers = { session: await listen(rig.url, session), other: await listen(rig.url, other) };
  const key = await listen(rig.url, sender);
  const { position } = await rig.ask(liveEndpoints.pollLive, {}, session);
  const poll = rig.ask(liveEndpoints.pollLive, { after: position, queries: 'apiKeys' }, session);
  await rig.ask(accountEndpoints.signOut, {}, session);
  await until('the stream of the session is over', readers.session.isOver, atOnceMs);
  expect(readers.session.events.at(-1)).toEqual({ type: 'ended' });
  expect((await poll).events).toEqual([{ type: 'ended' }]);
  await rig.ask(keyEndpoints.revokeKey, { keyId });
  await until('the stream of the key is over', key.isOver, atOnceMs);
  expect(key.events.at(-1)).toEqual({ type: 'ended' });
  expect((await rig.send('/api/live', { headers: sender })).status).toBe(401);
  await until('the other session hears of the key', () => readers.other.changed().includes('apiKeys'));
  expect(readers.other.isOver()).toBe(false);
});

test('all streams and polls end when the server stops', async () => {
  const rig = await openHttpRig();
  const readers = await Promise.all([rig.operator, {}].map((sender) => listen(rig.url, sender)));
  const { position } = await rig.ask(liveEndpoints.pollLive, {});
  const poll = rig.ask(liveEndpoints.pollLive, { after: position });
  await rig.running.close();
  await until('all streams are over', () => readers.every((reader) => reader.isOver()));
  expect((await poll).events).toEqual([]);
});

function openFeed() {
  let change: (change: Change) => void = () => undefined;
  let gap: () => void = () => undefined;
  const feed = new ChangeFeed({
    onChange: (listener) => {
      change = listener;
    },
    onGap: (listener) => {
      gap = listener;
    },
  });
  return { feed, change, gap };
}

function openSource(overrides: Partial<LiveSource> = {}) {
  const parts = openFeed();
  const clock = createSettableClock();
  const source: LiveSource = {
    feed: parts.feed,
    reader: liveReader({ actor: { kind: 'user', userId: 'anna' }, workspace: 'user:anna' }, ['modules']),
    after: undefined,
    isStillSame: async () => true,
    clock,
    stopping: new AbortController().signal,
    ...overrides,
  };
  return { ...parts, source, clock };
}

function tagged({ feed, reader }: LiveSource): string {
  return `${feed.position}.${reader.tag}`;
}

test('a reader whose identity became invalid unnoticed is disconnected at the next heartbeat', async () => {
  let isSame = true;
  const { source, clock } = openSource({ isStillSame: async () => isSame });
  const reader = readStream(liveStream(source));
  await until('the stream rests', () => clock.sleeperCount === 1);
  clock.advance(20_000);
  await until('the stream rests again', () => clock.sleeperCount === 1);
  expect(reader.isOver()).toBe(false);
  isSame = false;
  clock.advance(20_000);
  await until('the stream is over', reader.isOver);
  expect(reader.events.at(-1)).toEqual({ type: 'ended' });
});

test('a gap in received changes makes the reader read everything', async () => {
  const { source, gap } = openSource();
  const reader = readStream(liveStream({ ...source, after: tagged(source) }));
  gap();
  await until('the gap is told', () => reader.events.length === 1);
  expect(reader.events).toEqual([{ type: 'refresh' }]);
});

test('a reader who stops reading is disconnected, and pending events do no harm', async () => {
  const { source, change } = openSource();
  const response = liveStream(source);
  for (let at = 0; at < 1_000; at += 1) change(modulesChanged);
  const reader = readStream(response);
  await until('the stream is over', reader.isOver);
  expect(reader.events.length).toBeLessThanOrEqual(256);
});

test('a stream opened while the server stops ends at once', async () => {
  const { source } = openSource({ stopping: AbortSignal.abort('stopping') });
  const reader = readStream(liveStream(source));
  await until('the stream is over', reader.isOver);
});
