import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { until } from '../services/until.ts';
import { hasChromium } from './chromium.ts';
import { useHarness } from './harness.ts';

/** Returns the paths of the streams a page opens, in order. */
function streamsOf(page: Page): string[] {
  const opened: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/live')) opened.push(pathname);
  });
  return opened;
}

const keyRow = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

describe.skipIf(!hasChromium)('live updates', () => {
  const harness = useHarness();

  test('the tabs of a browser share one connection, and another tab takes over when its tab is closed', async () => {
    const first = await harness.signedIn();
    const firstStreams = streamsOf(first);
    await first.goto('/keys');
    await until('the first tab is connected', () => firstStreams.length === 1);
    const second = await first.context().newPage();
    const secondStreams = streamsOf(second);
    await second.goto('/keys');
    await second.getByRole('heading', { name: 'API Keys', exact: true }).waitFor();
    await harness.run('key', 'create', 'Seen by both');
    await Promise.all([first, second].map((page) => keyRow(page, 'Seen by both').waitFor()));
    expect([firstStreams, secondStreams]).toEqual([['/api/live'], []]);
    await first.close();
    await until('the second tab has taken over', () => secondStreams.length === 1);
    await harness.run('key', 'create', 'Seen by one');
    await keyRow(second, 'Seen by one').waitFor();
  });

  test('updates continue after the session ends and the same user has already signed in again', async () => {
    const page = await harness.signedOut();
    await page.goto(await harness.signInLink());
    await page.waitForURL(/dashboard/);
    const streams = streamsOf(page);
    await page.goto('/keys');
    await until('the tab is connected', () => streams.length === 1);
    const send = (path: string, data: object) =>
      page.request.post(path, { headers: { 'x-lectern-csrf': '1', origin: harness.url }, data });
    const again = Promise.withResolvers<void>();
    await page.route('**/api/session', async (route) => {
      await again.promise;
      await route.continue();
    });
    const link = new URL(await harness.signInLink());
    await send('/api/session/end', {});
    const answer = await send('/api/session', { code: link.searchParams.get('code') });
    expect(answer.ok()).toBe(true);
    again.resolve();
    await until('the tab is connected again', () => streams.length === 2);
    await harness.run('key', 'create', 'Made afterwards');
    await keyRow(page, 'Made afterwards').waitFor();
  });

  test('a second tab shows a change made before it started listening', async () => {
    const first = await harness.signedIn();
    const streams = streamsOf(first);
    await first.goto('/keys');
    await until('the first tab is connected', () => streams.length === 1);
    await harness.run('key', 'create', 'Made before');
    const second = await first.context().newPage();
    // Cuts this tab off from other tabs and delays its question which tab holds the connection.
    await second.addInitScript(`{
      Object.defineProperty(BroadcastChannel.prototype, 'onmessage', { set() {} });
      const query = navigator.locks.query.bind(navigator.locks);
      navigator.locks.query = () => new Promise((resolve) => { window.listen = () => resolve(query()); });
    }`);
    await second.goto('/keys');
    await keyRow(second, 'Made before').waitFor();
    await expect.poll(() => second.evaluate('typeof window.listen')).toBe('function');
    await harness.run('key', 'create', 'Made between');
    await keyRow(first, 'Made between').waitFor();
    expect(await keyRow(second, 'Made between').count()).toBe(0);
    await second.evaluate('window.listen()');
    await keyRow(second, 'Made between').waitFor();
  });

  test('a screen makes each call once, even after its stream opens', async () => {
    const page = await harness.signedIn();
    await page.addInitScript(`globalThis.heard = [];
      globalThis.EventSource = class extends EventSource {
        constructor(address) {
          super(address);
          this.addEventListener('message', ({ data }) => heard.push(JSON.parse(data).query));
        }
      };`);
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (/^\/api\/(?!live|keys)/.test(pathname)) calls.push(pathname + search);
    });
    for (const path of ['/dashboard', '/resources', '/search']) {
      calls.splice(0);
      const opened = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/live');
      await page.goto(path);
      await opened;
      // The page receives this event after all initial events of the stream.
      await harness.run('key', 'create', `Made on ${path}`);
      await expect.poll(() => page.evaluate('heard.includes("apiKeys")')).toBe(true);
      const again = calls.filter((call, at) => calls.indexOf(call) < at);
      expect({ path, again, isMuch: calls.length > 4 }).toEqual({ path, again: [], isMuch: true });
    }
  });

  test('a page shows a change made between its first calls and its stream', async () => {
    const page = await harness.signedIn();
    await page.addInitScript(`{
      const request = navigator.locks.request.bind(navigator.locks);
      navigator.locks.request = (...lock) => new Promise((resolve) => { window.follow = () => resolve(request(...lock)); });
    }`);
    await harness.run('key', 'create', 'Made before it');
    await page.goto('/keys');
    await keyRow(page, 'Made before it').waitFor();
    await expect.poll(() => page.evaluate('typeof window.follow')).toBe('function');
    await harness.run('key', 'create', 'Made meanwhile');
    expect(await keyRow(page, 'Made meanwhile').count()).toBe(0);
    await page.evaluate('window.follow()');
    await keyRow(page, 'Made meanwhile').waitFor();
  });

  test('a page falls back to polling if the stream is blocked', async () => {
    const page = await harness.signedIn();
    const streams = streamsOf(page);
    await page.route(
      ({ pathname }) => pathname === '/api/live',
      () => new Promise(() => undefined),
    );
    await page.goto('/keys');
    await until('the page has begun to ask', () => streams.includes('/api/live/poll'), 30_000);
    await harness.run('key', 'create', 'Heard by asking');
    await keyRow(page, 'Heard by asking').waitFor();
  });

  test('a session ended elsewhere sends the page to the sign-in screen at once', async () => {
    const page = await harness.signedOut();
    await page.goto(await harness.signInLink());
    await page.waitForURL(/\/dashboard/);
    const streams = streamsOf(page);
    await page.goto('/keys');
    await until('the page is connected', () => streams.length > 0);
    const ended = await page.context().request.post(`${harness.url}/api/session/end`, {
      headers: { 'x-lectern-csrf': '1' },
      data: {},
    });
    expect(ended.status()).toBe(200);
    await page.waitForURL(/\/login\?cont=%2Fkeys/);
  });
});
