import { describe, expect, test } from 'vitest';
import { publicPages } from '../../web/lib/public-pages.ts';
import { hasChromium } from './chromium.ts';
import { expectFocus, expectNoSidewaysScroll, useHarness } from './harness.ts';
import { checkScene, heading } from './scene.ts';

describe.skipIf(!hasChromium)('public pages', () => {
  const harness = useHarness();

  test('each page is complete without scripts, with its canonical URL, a preview image and a Markdown version', async () => {
    for (const { path } of publicPages) {
      const answer = await fetch(new URL(path, harness.url), { headers: { accept: 'text/html' } });
      const html = await answer.text();
      const headings = html.match(/<h1/g)?.length;
      expect({ path, status: answer.status, headings }).toEqual({ path, status: 200, headings: 1 });
      expect(html).not.toMatch(/-of-this-installation|address\.invalid/);
      expect(html).toContain(`<link rel="canonical" href="${harness.url}${path}"/>`);
      const image = /property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? '';
      const type = (await fetch(image)).headers.get('content-type');
      expect({ image, type }).toEqual({ image, type: 'image/png' });
      const twin = await fetch(new URL(path === '/' ? '/index.md' : `${path}.md`, harness.url));
      expect({ path, tokens: Number(twin.headers.get('x-markdown-tokens')) > 20 }).toEqual({ path, tokens: true });
      expect(await twin.text()).toMatch(/^# \S/);
    }
  });

  test.each([
    ['/privacy', 'What this installation knows about you'],
    ['/conf', 'Context for agents'],
    ['/use-case/turbopuffer', 'Query syntax, filters and limits, in the words of the manual'],
    ['/use-case/rime', 'An HTTP API, one operation at a time'],
  ])('%s is accessible and fits', async (path, title) => {
    await checkScene(harness, { name: path, path, isVisitor: true, until: heading(title) });
  });

  test('the privacy page counts the cookies of a sign-in and names the services that learn something', async () => {
    const account = { email: 'privacy@docs.example', password: 'paraffin' };
    const headers = { 'content-type': 'application/json', origin: harness.url };
    const body = JSON.stringify(account);
    const answer = await fetch(`${harness.url}/api/identity/sign-up`, { method: 'POST', headers, body });
    expect([answer.status, answer.headers.getSetCookie().length]).toEqual([200, 2]);
    const page = await (await fetch(`${harness.url}/privacy`, { headers: { accept: 'text/html' } })).text();
    const told = page.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
    for (const text of ['sets two cookies', 'for 365 days', 'for a day at most', 'requires consent'])
      expect(told).toContain(text);
    for (const service of ['error service', 'language model', 'Embedding service', 'Package registries', 'Stripe'])
      expect(told).toContain(service);
  });

  test('an unknown path returns 404, shows the path and offers a search and links', async () => {
    expect((await fetch(new URL('/no/such/page', harness.url))).status).toBe(404);
    const page = await harness.signedOut();
    await page.route('**/no/such/page', async (route) => {
      // The harness would report a status of 404 as an error of the page.
      await route.fulfill({ response: await route.fetch(), status: 200 });
    });
    await page.goto('/no/such/page');
    await page.getByText('/no/such/page').waitFor();
    await page.getByRole('navigation', { name: 'Where to go instead' }).getByRole('link', { name: 'Home' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search documentation' }).fill('rotate the journal');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/login/);
    expect(new URL(page.url()).searchParams.get('cont')).toBe('/search?q=rotate+the+journal');
  });

  test('the menu of a narrow screen opens by keyboard, closes on Escape and leads to pages', async () => {
    const page = await harness.signedOut({ width: 390 });
    await page.goto('/privacy');
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    const button = page.locator('summary[aria-label="Menu"]');
    await button.focus();
    await page.keyboard.press('Enter');
    const docs = page.getByRole('navigation', { name: 'More pages' }).getByRole('link', { name: 'Docs' });
    await docs.waitFor();
    await expectNoSidewaysScroll(page);
    // Closing the menu needs scripts.
    await page.locator('html[data-started]').waitFor();
    await page.keyboard.press('Escape');
    await docs.waitFor({ state: 'hidden' });
    await expectFocus(button);
    await page.keyboard.press('Enter');
    await docs.click();
    await page.waitForURL(/\/docs/);
  });

  test('the menu of a narrow screen stays open if it was opened before scripts ran', async () => {
    const page = await harness.signedOut({ width: 390 });
    const held = Promise.withResolvers<void>();
    await page.route('**/assets/start-*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto('/privacy');
    await page.locator('summary[aria-label="Menu"]').press('Enter');
    const docs = page.getByRole('navigation', { name: 'More pages' }).getByRole('link', { name: 'Docs' });
    await docs.waitFor();
    held.resolve();
    await page.locator('html[data-started]').waitFor();
    expect(await docs.isVisible()).toBe(true);
    await docs.click();
    await page.waitForURL(/\/docs/);
  });

  test('the header covers neither the target of a hash link nor the focused element', async () => {
    const page = await harness.signedOut({ isStill: true, width: 390 });
    await page.goto('/#try');
    const topOf = (part: string) => page.evaluate<number>(`${part}.getBoundingClientRect().top`);
    const header = await page.evaluate<number>('document.querySelector("header").getBoundingClientRect().bottom');
    expect(await topOf('document.querySelector("#try")')).toBeGreaterThanOrEqual(header);

    await page.goto('/mcp');
    await page.locator('html[data-started]').waitFor();
    await page.getByRole('contentinfo').getByRole('link').first().focus();
    // Upwards, where the header could cover elements, until the focus reaches the header.
    for (let presses = 0; presses < 100; presses += 1) {
      await page.keyboard.press('Shift+Tab');
      const focused = await page.evaluate<{ name: string; top: number; isInMain: boolean }>(`(() => {
        const { activeElement: it } = document;
        const name = it.outerHTML.slice(0, 120);
        return { name, top: it.getBoundingClientRect().top, isInMain: it.closest('main') !== null };
      })()`);
      if (!focused.isInMain) break;
      expect({ ...focused, isSeen: focused.top >= header }).toMatchObject({ isSeen: true });
    }
  });

  test('a visitor signs up for the conference by email and leaves the list by email', async () => {
    const page = await harness.signedOut();
    await page.goto('/conf');
    await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.org');
    await page.keyboard.press('Enter');
    await page.getByText('Check your email').waitFor();
    const mail = await harness.mailTo('ada@example.org', /conference/);
    expect(await harness.run('conf', 'list')).not.toContain('ada@example.org');
    await page.goto(mail.link);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('You are on the list.').waitFor();
    await expectFocus(page.getByRole('heading', { level: 1 }));
    expect(await harness.run('conf', 'list')).toContain('ada@example.org');
    await page.goto('/privacy');
    await page.goto(/https?:\/\/\S+#leave=\S+/.exec(mail.text)?.[0] ?? '');
    await page.getByRole('button', { name: 'Leave the list' }).click();
    await page.getByText('Your address is erased from the list.').waitFor();
    expect(await harness.run('conf', 'list')).not.toContain('ada@example.org');
  });
});
