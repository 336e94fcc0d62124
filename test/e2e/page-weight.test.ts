import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { publicPages } from '../../web/lib/public-pages.ts';
import { hasChromium } from './chromium.ts';
import { useHarness } from './harness.ts';

const build = fileURLToPath(new URL('../../dist/web', import.meta.url));

/** Their scripts are for what people do on them, and run at once; all others are pages of text. */
const withPrograms = ['/conf', '/chat', '/demo'];
/** Compressed. What every page needs (React, the router, header and footer) is about 130,000 of it. */
const scriptBytesMax = 242_000;
/** Each of them costs a phone a way there and back, six at a time. */
const scriptFilesMax = 20;
/** Compressed; all of a page that keeps it from being painted, beside the page itself. */
const styleBytesMax = 22_000;

describe.skipIf(!hasChromium)('what a public page costs', () => {
  // Builds the pages.
  const harness = useHarness();

  test('a page of text names no script, and others few and small ones, which wait for what the page is painted with', () => {
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

  test('a page of text runs nothing until someone turns to it, and what is pressed before that is done', async () => {
    const page = await harness.signedOut({ isStill: true, isUntouched: true });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('.js') || request.url().includes('/api/')) asked.push(new URL(request.url()).pathname);
    });
    await page.goto('/docs/guide/agents');
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(asked).toEqual([]);
    // The first sign of a person is a key that means something to the page.
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search the documentation' }).waitFor();

    await page.goto('/privacy');
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });

  test('what is chosen before a page of text runs stays chosen', async () => {
    const page = await harness.signedOut({ isStill: true, isUntouched: true });
    await page.addInitScript(
      'addEventListener("page-started", () => setTimeout(() => (globalThis.hasStarted = true)))',
    );
    for (const choose of [
      () => page.getByText('Cursor', { exact: true }).click(),
      () => page.getByRole('radio', { name: 'Claude Code' }).press('ArrowRight'),
    ]) {
      await page.goto('/mcp');
      await choose();
      await expect.poll(() => page.evaluate('globalThis.hasStarted')).toBe(true);
      expect(await page.getByRole('radio', { name: 'Cursor' }).isChecked()).toBe(true);
    }
  });

  test('someone who is signed in is known on a page of text without turning to it', async () => {
    const page = await harness.signedIn({ isStill: true, isUntouched: true });
    await page.goto('/privacy');
    await page.getByRole('button', { name: /^Account/ }).waitFor();
    expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0);
  });

  test('so is someone whose browser has forgotten all but the session', async () => {
    const page = await harness.signedIn({ isStill: true, isUntouched: true });
    await page.goto('/privacy');
    await page.getByRole('button', { name: /^Account/ }).waitFor();
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await page.getByRole('button', { name: /^Account/ }).waitFor();
  });

  test('someone whose session ended elsewhere is a visitor from then on', async () => {
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

  test('the document of a screen names all scripts that its first view goes on to load', async () => {
    const page = await harness.signedIn({ isStill: true, isUntouched: true });
    for (const path of ['/dashboard', '/search', '/resources']) {
      const loaded: string[] = [];
      const note = (request: Request) => {
        const { pathname } = new URL(request.url());
        if (pathname.endsWith('.js')) loaded.push(pathname);
      };
      page.on('request', note);
      // The screen itself calls the server: its scripts have run.
      const shown = page.waitForRequest((request) => /\/api\/(?!session|site)/.test(request.url()));
      const document = await page.goto(path);
      await shown;
      page.off('request', note);
      const html = (await document?.text()) ?? '';
      const unnamed = loaded.filter((script) => !html.includes(`href="${script}"`));
      expect({ path, unnamed, isMuch: loaded.length > 15 }).toEqual({ path, unnamed: [], isMuch: true });
    }
  });

  test('nothing on a page moves by itself while it comes', async () => {
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

  test('what asks to verify an address comes with the page, and nothing of the page moves for it later', async () => {
    const { page } = await harness.person({ isStill: true, width: 390 });
    await page.addInitScript(noteTops);
    for (const path of ['/account', '/resources']) {
      await page.goto(path);
      const banner = page.getByRole('region', { name: 'Verify your address' });
      await banner.getByRole('button', { name: 'Send verification email' }).waitFor();
      await page.waitForLoadState('networkidle');
      expect({ path, tops: await page.evaluate('[...globalThis.tops]') }).toEqual({ path, tops: [expect.any(Number)] });
    }
  });
});

/** Where the page below header and banner began, at each moment since it had a heading. */
const noteTops = `globalThis.tops = new Set();
requestAnimationFrame(function note() {
  if (document.querySelector('main h1')) tops.add(document.querySelector('main').getBoundingClientRect().top);
  requestAnimationFrame(note);
});`;

/** Sums up what the browser counts as moved (web.dev/cls), but for what a person has just done. */
const countShifts = `globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });`;

function sum(files: readonly string[]): number {
  return files.reduce((total, file) => total + compressedBytes(file), 0);
}

/** What is sent of a file: it is compressed unless it is tiny. */
function compressedBytes(file: string): number {
  const plain = join(build, file);
  return (statSync(`${plain}.br`, { throwIfNoEntry: false }) ?? statSync(plain)).size;
}
