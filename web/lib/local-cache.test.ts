import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as limits from '#contract/limits.ts';
import { clearKept } from './kept-storage.ts';
import { keepLocally } from './local-cache.ts';

const anna = { userId: 'anna', program: 'v1', bytesMax: limits.localCacheBytesMin };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function memoryStorage(): Storage & { text(): string } {
  const values = new Map<string, string>();
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
    clear: () => values.clear(),
    key: () => null,
    get length() {
      return values.size;
    },
    text: () => [...values.values()].join(),
  };
}

/** Caches queries as one visit does, and returns the client with the data it found. */
function visit(storage: Storage, reads: [unknown[], unknown][], who = anna): QueryClient {
  const client = new QueryClient();
  const stop = keepLocally(client, storage, who);
  for (const [key, data] of reads) client.setQueryData(key, data);
  vi.advanceTimersByTime(2_000);
  stop();
  return client;
}

test('cached data is available on the next visit until newer data replaces it', () => {
  const storage = memoryStorage();
  visit(storage, [[['modules'], ['a']]]);
  expect(visit(storage, []).getQueryData(['modules'])).toEqual(['a']);
  expect(visit(storage, [[['modules'], ['b']]]).getQueryData(['modules'])).toEqual(['b']);
  expect(visit(storage, []).getQueryData(['modules'])).toEqual(['b']);
});

test('another user or program version does not see the cached data', () => {
  const storage = memoryStorage();
  visit(storage, [[['modules'], ['a']]]);
  for (const who of [
    { ...anna, userId: 'bert' },
    { ...anna, program: 'v2' },
  ]) {
    expect(visit(storage, [], who).getQueryData(['modules'])).toBeUndefined();
  }
});

test('secrets and the session are not cached', () => {
  const storage = memoryStorage();
  visit(storage, [
    [['apiKeySecret', 'k'], 'lec_secret'],
    [['session'], { user: 'anna' }],
    [['modules'], ['a']],
  ]);
  expect(storage.text()).toContain('modules');
  expect(storage.text()).not.toContain('lec_secret');
  expect(storage.text()).not.toContain('session');
});

test('the newest responses that fit are cached, in at least 1048576 bytes', () => {
  expect(limits.localCacheBytesMin).toBe(1_048_576);
  const storage = memoryStorage();
  const client = new QueryClient();
  const stop = keepLocally(client, storage, { ...anna, bytesMax: 1 });
  client.setQueryData(['modules'], 'x'.repeat(700_000), { updatedAt: 1 });
  client.setQueryData(['jobRuns'], 'y'.repeat(700_000), { updatedAt: 2 });
  vi.advanceTimersByTime(2_000);
  stop();
  const next = visit(storage, []);
  expect(next.getQueryData(['jobRuns'])).toHaveLength(700_000);
  expect(next.getQueryData(['modules'])).toBeUndefined();
});

test('clearing removes all cached data, and full or damaged storage causes no error', () => {
  const storage = memoryStorage();
  visit(storage, [[['modules'], ['a']]]);
  clearKept(storage);
  expect(storage.length).toBe(0);
  storage.setItem('query-cache', '{');
  expect(visit(storage, []).getQueryData(['modules'])).toBeUndefined();
  const full = { ...memoryStorage(), setItem: () => expect.unreachable() };
  expect(() => visit(full, [[['modules'], ['a']]])).not.toThrow();
});

test('cached data is marked as outdated, so that it is fetched again', () => {
  const storage = memoryStorage();
  visit(storage, [[['modules'], ['a']]]);
  expect(visit(storage, []).getQueryState(['modules'])).toMatchObject({ data: ['a'], isInvalidated: true });
});
