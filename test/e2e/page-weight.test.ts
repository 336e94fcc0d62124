import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { firstCalls, firstCallsOfUser } from '../../scripts/first-calls.ts';
import { openings } from '../../web/lib/openings.ts';
import { publicPages } from '../../web/lib/public-pages.ts';
import { compressedBytes } from '../web/compressed-bytes.ts';
import { answerFullLibrary } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { expectAccessible, useHarness } from './harness.ts';

const build = fileURLToPath(new URL('../../dist/web', import.meta.url));

/** These pages are interactive and load their scripts at once; all others are text pages. */
const withPrograms = ['/conf', '/chat', '/demo'];
/** Compressed size. About 130,000 bytes are common to every page: React, the router, header and footer. */
const scriptBytesMax = 172_800;
/** Each file costs a phone one round trip, six at a time. */
const scriptFilesMax = 15;
/** Compressed size of everything besides the HTML that blocks painting. */
const styleBytesMax = 15_600;

describe.skipIf(!hasChromium)('page weight', () => {
  // Builds the pages.
  const harness = useHarness();

  test('a text page loads no script, other pages a few small ones, and no script delays the styles', () => {
    for (const { path } of [...publicPages, { path: '/docs' }]) {
      const html = readFileSync(join(build, path, 'index.html'), 'utf8');
      const scripts = [
        ...new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, name = '']) => name)),
      ];
      const bytes = sum(scripts);
      const isProgram = withPrograms.includes(path);
      const fits = isProgram
        ? bytes <= scriptBytesMax && scripts.length <= scriptFilesMax && scripts.length > 3
        : scripts.length === 0;
      expect({ path, bytes, files: scripts.length, fits }).toMatchObject({ fits: true });
      const urgent = html.match(/<link rel="modulepreload"(?! fetchpriority="low")|<script[^>]* src=/g);
      expect({ path, urgent }).toEqual({ path, urgent: null });
      const styles = [...html.matchAll(/<link rel="stylesheet" href="([^"#]+)/g)].map(([, name = '']) => name);
      expect({ path, styles, fits: sum(styles) <= styleBytesMax }).toMatchObject({ fits: true });
    }
  });

  test('a text page runs no script until the user interacts, and then handles the first key press or click', async () => {
    const page = await harness.signedOut({ isStill: true, isUntouched: true });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('.js') || request.url().includes('/api/')) asked.push(new URL(request.url()).pathname);
    });
    await page.goto('/docs/guide/agents');
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(asked).toEqual([]);
    // The first interaction is a key that the page handles.
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search the documentation' }).waitFor();

    await page.goto('/privacy');
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });

  test('a choice made before the scripts of a page run is kept and stays visible', async () => {
    const page = await harness.signedOut({ isStill: true, isUntouched: true });
    // Runs first when the page starts, before other start handlers.
    await page.addInitScript(`addEventListener("page-started", () => {
      const chosen = document.querySelector("[name=client]:checked").value;
      setTimeout(() => (globalThis.chosenAtStart = chosen));
    })`);
    for (const choose of [
      () => page.getByText('Cursor', { exact: true }).click(),
      () => page.getByRole('radio', { name: 'Claude Code' }).press('ArrowRight'),
    ]) {
      const chosen = Promise.withResolvers<void>();
      await page.route('**/assets/start-*.js', (route) => chosen.promise.then(() => route.continue()));
      await page.goto('/mcp');
      await choose();
      chosen.resolve();
      await expect.poll(() => page.evaluate('globalThis.chosenAtStart')).toBe('cursor');
      expect(await page.getByRole('radio', { name: 'Cursor' }).isChecked()).toBe(true);
    }
  });

  test('a text page shows a signed-in user as signed in without any interaction', async () => {
    const page = await harness.signedIn({ isStill: true, isUntouched: true });
    await page.goto('/privacy');
    await page.getByRole('button', { name: /^Account/ }).waitFor();
    expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0);
  });

  test('a text page shows a signed-in user as signed in even if local storage was cleared', async () => {
    const page = await harness.signedIn({ isStill: true, isUntouched: true });
    await page.goto('/privacy');
    await page.getByRole('button', { name: /^Account/ }).waitFor();
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await page.getByRole('button', { name: /^Account/ }).waitFor();
  });

  test('a user whose session ended elsewhere is shown as a visitor', async () => {
    const { page } = await harness.person({ isStill: true, isUntouched: true });
    await page.goto('/privacy');
    await page.getByRole('button', { name: /^Account/ }).waitFor();
    const before = await page.context().storageState();
    await page.goto('about:blank');
    const ended = await page.request.post('/api/session/end', {
      headers: { 'x-lectern-csrf': '1', origin: harness.url },
      data: {},
    });
    expect(ended.ok()).toBe(true);
    await page.context().addCookies(before.cookies);

    const mark = page.locator('html[data-signed-in]');
    await page.goto('/privacy');
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await expect.poll(() => mark.count()).toBe(0);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('.js')) asked.push(request.url());
    });
    await page.reload();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect({ asked, marked: await mark.count() }).toEqual({ asked: [], marked: 0 });
  });

  test('the HTML of a screen lists every script of its first view', async () => {
    const page = await harness.signedIn({ isStill: true, isUntouched: true });
    for (const path of ['/dashboard', '/search', '/resources', '/welcome?step=source']) {
      const loaded: string[] = [];
      const note = (request: Request) => {
        const { pathname } = new URL(request.url());
        if (pathname.endsWith('.js')) loaded.push(pathname);
      };
      page.on('request', note);
      // The screen calls the server: its scripts have run.
      const shown = page.waitForRequest((request) => /\/api\/(?!session|site)/.test(request.url()));
      const document = await page.goto(path);
      await shown;
      if (path.startsWith('/welcome')) await page.getByRole('searchbox', { name: 'Find a library' }).waitFor();
      page.off('request', note);
      const html = (await document?.text()) ?? '';
      const unnamed = loaded.filter((script) => !html.includes(`href="${script}"`));
      expect({ path, unnamed, isMuch: loaded.length > 15 }).toEqual({ path, unnamed: [], isMuch: true });
    }
  });

  test('the HTML of a screen makes the calls of its first view once, for the selected workspace', async () => {
    for (const team of [undefined, 'team-of-another']) {
      for (const path of ['/dashboard', '/search', '/welcome']) {
        const page = await harness.signedIn({ isStill: true, isUntouched: true });
        // The page leaves a team that the user does not belong to.
        if (team !== undefined) await page.addInitScript(`localStorage.setItem('workspace', '${team}')`);
        const made: { call: string; team: string | undefined }[] = [];
        page.on('request', (request) => {
          const { pathname, search } = new URL(request.url());
          made.push({ call: pathname + search, team: request.headers()['x-lectern-team'] });
        });
        const started = page.waitForRequest((request) => request.url().includes('/api/live'));
        await page.goto(path);
        await started;
        const calls = made.map(({ call }) => call);
        const ofScreen = firstCalls[path] ?? [];
        expect({ path, ofScreen }).not.toEqual({ path, ofScreen: [] });
        const isMade = (call: string) => calls.indexOf(call) >= 0 && calls.indexOf(call) < calls.indexOf('/api/outbox');
        expect({ path, late: [...firstCallsOfUser, ...ofScreen].filter((call) => !isMade(call)) }).toEqual({
          path,
          late: [],
        });
        if (team === undefined) {
          const twice = ofScreen.filter((call) => calls.filter((made) => made === call).length > 1);
          expect({ path, twice }).toEqual({ path, twice: [] });
          await expect.poll(() => page.evaluate('window.early')).toBe(undefined);
        }
        const wrong = ofScreen.filter((call) => made.find((one) => one.call === call)?.team !== team);
        expect({ path, team, wrong }).toEqual({ path, team, wrong: [] });
        await page.close();
      }
    }
  });

  test('the HTML of a screen has its heading in its final place for signed-in users, and none for visitors', async () => {
    for (const width of [390, 1_280] as const) {
      for (const [path, { title }] of Object.entries(openings)) {
        const placeOn = async (page: Page) => (await page.getByRole('heading', { name: title }).boundingBox())?.y;
        const page = await harness.signedIn({ isStill: true, isUntouched: true, width });
        await answerFullLibrary(page);
        await page.goto(path);
        await page.locator('html[data-started]').waitFor();
        await page.getByRole('navigation', { name: 'Console' }).waitFor();
        await page.waitForLoadState('networkidle');
        const stays = await placeOn(page);
        await page.route('**/*.js', () => undefined);
        await page.reload({ waitUntil: 'commit' });
        await page.getByRole('heading', { name: title }).waitFor();
        // Nothing is painted before the style sheet has loaded.
        await expect.poll(() => placeOn(page), { message: `${path} at ${width}` }).toBe(stays);
        await expectAccessible(page);
        await page.close();
        const visitor = await harness.signedOut({ isStill: true, isUntouched: true, width });
        await visitor.route('**/*.js', () => undefined);
        await visitor.goto(path, { waitUntil: 'commit' });
        await visitor.locator('body svg').first().waitFor();
        await expect.poll(() => visitor.getByRole('heading').count()).toBe(0);
        await visitor.close();
      }
    }
  });

  test('public pages have no layout shift while they load', async () => {
    for (const path of ['/', '/status', '/chat', '/privacy']) {
      const page = await harness.signedOut({ isStill: true, width: 390 });
      await page.addInitScript(countShifts);
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      const shift = Number(await page.evaluate('globalThis.shift'));
      expect({ path, shift, isSmall: shift < 0.05 }).toMatchObject({ isSmall: true });
      await page.close();
    }
  });

  test('the email verification banner comes with the page and causes no layout shift', async () => {
    const { page } = await harness.person({ isStill: true, width: 390 });
    await page.addInitScript(noteTops);
    for (const path of ['/account', '/resources']) {
      await page.goto(path);
      const banner = page.getByRole('region', { name: 'Verify your email' });
      await banner.getByRole('button', { name: 'Create a new link' }).waitFor();
      await page.waitForLoadState('networkidle');
      expect({ path, tops: await page.evaluate('[...globalThis.tops]') }).toEqual({ path, tops: [expect.any(Number)] });
    }
  });
});

/** Records each position of the page's top edge, below header and banner, since it had a heading. */
const noteTops = `globalThis.tops = new Set();
requestAnimationFrame(function note() {
  if (document.querySelector('#main h1')) tops.add(document.querySelector('#main').getBoundingClientRect().top);
  requestAnimationFrame(note);
});`;

/** Sums up layout shifts (web.dev/cls), except those right after user input. */
const countShifts = `globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });`;

function sum(files: readonly string[]): number {
  return files.reduce((total, file) => total + compressedBytes(join(build, file)), 0);
}
