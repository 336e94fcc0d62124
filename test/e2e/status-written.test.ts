import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { withStatus } from '#server/http/public-face/written-status.ts';
import { hasChromium } from './chromium.ts';
import { useHarness } from './harness.ts';
import { fullAnswers } from './status-answers.ts';

const builtPage = new URL('../../dist/web/status/index.html', import.meta.url);

/** Returns the position of every element that takes up space on the page. */
const placesOf = (page: Page) =>
  page.evaluate<[string, ...number[]][]>(`[...document.querySelectorAll(
    'main :is(h1, h2, h3, section, article, ol, ul, li, dl, figure, figcaption, svg:not(button *), dt, pre, .prose table)')]
    .map((part) => [part.localName, part.getBoundingClientRect()])
    .map(([name, { x, y, width, height }]) => [name, ...[x, y, width, height].map(Math.round)])`);

/** Records every API call and script request that the page makes from now on. */
function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/') || request.url().endsWith('.js')) calls.push(new URL(request.url()).pathname);
  });
  return calls;
}

const started = (page: Page) => page.locator('html[data-started]').waitFor();
const untilLive = async (page: Page) => {
  await expect.poll(() => page.locator('[data-written]').count()).toBe(0);
};

describe.skipIf(!hasChromium)('the server-rendered status page', () => {
  const harness = useHarness();

  test('becomes live at the first interaction without a layout shift', async () => {
    for (const width of [1280, 390] as const) {
      const full = fullAnswers();
      const page = await harness.signedOut({ isStill: true, isUntouched: true, width });
      await page.clock.setFixedTime(full.report.at);
      const { report, history, latency, incidents } = full;
      const html = await withStatus(readFileSync(builtPage, 'utf8'), { at: report.at, ...full });
      await page.route('**/status', (route) => route.fulfill({ contentType: 'text/html', body: html }));
      for (const [pattern, json] of [
        ['**/api/status', report],
        ['**/api/status/history', history],
        ['**/api/status/latency?*', latency],
        ['**/api/status/incidents', { incidents }],
      ] as const)
        await page.route(pattern, (route) => route.fulfill({ json }));
      // The Markdown script arrives later than the calls of the page.
      await page.route('**/assets/markdown-*.js', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 500));
        await route.continue();
      });
      const calls = callsOf(page);
      await page.goto('/status');
      await page.waitForLoadState('networkidle');
      await page.getByText('Some components do not work properly').waitFor();
      expect(calls).toEqual([]);
      const written = await placesOf(page);
      // A button that needs scripts keeps its space but is hidden.
      expect(await page.getByText('Show as table').filter({ visible: true }).count()).toBe(1);

      await page.mouse.move(5, 5);
      await started(page);
      await untilLive(page);
      expect(calls).toEqual(expect.arrayContaining(['/api/status', '/api/status/history', '/api/status/incidents']));
      expect(await placesOf(page)).toEqual(written);
      // Components, days, charts and incidents are present.
      expect(written.length).toBeGreaterThan(60);
      await page.close();
    }
  });

  test('refreshes at the announced time without any interaction', async () => {
    const page = await harness.signedOut({ isStill: true, isUntouched: true });
    // Pauses the clock, however long the page takes to load.
    const at = Date.now();
    await page.clock.install({ time: at - 60_000 });
    await page.clock.pauseAt(at);
    await page.goto('/status');
    const calls = callsOf(page);
    await page.getByText('Everything works').waitFor();
    await page.clock.runFor(29_000);
    expect(calls).toEqual([]);
    await page.clock.runFor(2_000);
    await page.clock.resume();
    await untilLive(page);
    expect(calls).toContain('/api/status');
    await page.getByText('Everything works').waitFor();
  });

  test('keeps clicks made before it becomes live', async () => {
    const page = await harness.signedOut({ isStill: true, isUntouched: true });
    await page.goto('/status');
    await page.getByRole('radio', { name: 'Reads' }).click();
    await page.getByText('No reads in this period').waitFor();
    await page.goto('/status');
    await page.getByRole('button', { name: 'Show as table' }).first().press('Enter');
    await page.getByRole('table', { name: 'Components, day by day' }).waitFor();
  });

  test('stays and shows that it is outdated while the server does not respond', async () => {
    const page = await harness.signedOut({ isStill: true, isUntouched: true });
    await page.goto('/status');
    await page.getByText('Everything works').waitFor();
    await page.route('**/api/status*', (route) => route.abort());
    await page.route('**/api/status/**', (route) => route.abort());
    await page.mouse.move(5, 5);
    await page.getByText("Can't reach the server").waitFor();
    await page.getByText(/Last response when this page was loaded/).waitFor();
    await page.getByText('Last known: Everything works').waitFor();
    await page.getByRole('heading', { name: 'Database' }).waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText("Can't reach the server").waitFor({ state: 'detached' });
    await page.getByRole('slider', { name: 'Database, day by day' }).waitFor();
  });

  test('shows components, speed, indexing and incidents without scripts, and nothing private', async () => {
    const { origin } = harness.site;
    await harness.run('index', `${origin}/install.html`, '--name', 'seen-by-all', '--wait');
    await harness.run('index', `${origin}/install.html`, '--name', 'of-one-alone', '--private', '--wait');
    const operator = await harness.signedIn();
    const told = await operator.request.post('/api/status/incidents', {
      headers: { 'x-lectern-csrf': '1', origin: harness.url },
      data: { title: 'Searches <b>are</b> slow', body: 'We are **looking**', severity: 'minor', parts: ['search'] },
    });
    expect(told.ok()).toBe(true);

    const context = await operator.context().browser()?.newContext({ javaScriptEnabled: false, baseURL: harness.url });
    const page = await context?.newPage();
    if (page === undefined) throw new Error('no page');
    // The page may be cached for some seconds.
    await expect
      .poll(async () => {
        await page.goto('/status');
        return page.locator('main').innerText();
      })
      .toMatch(/Measured (just now|1 minute ago)[\s\S]*Database[\s\S]*seen-by-all/);
    await page.getByText(/^State at .+ UTC\. Reload the page/).waitFor();
    await page.getByRole('article', { name: 'Searches <b>are</b> slow' }).getByText('We are looking').waitFor();
    await page.getByRole('img', { name: /^Database, day by day: .*1 day without problems$/ }).waitFor();
    await page.getByText('No searches in this period').waitFor();
    await page.getByText('None in the last 90 days.').waitFor();
    expect(await page.locator('main :is(button, [role=radio])').filter({ visible: true }).count()).toBe(0);
    await context?.close();

    const sent = await (await operator.request.get('/status')).text();
    expect(sent).toContain('seen-by-all');
    for (const secret of ['of-one-alone', origin, 'operator', '@']) expect(sent).not.toContain(secret);
    const twin = await (await fetch(`${harness.url}/status.md`)).text();
    expect(twin).toMatch(/Measured (?:just now|\d minutes? ago)\.\n[\s\S]*seen-by-all/);
    expect(twin).not.toMatch(/page refreshes|Last known/);
  });
});
