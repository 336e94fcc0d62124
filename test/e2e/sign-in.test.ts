import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from './chromium.ts';
import { useHarness } from './harness.ts';

describe.skipIf(!hasChromium)('sign-in', () => {
  const harness = useHarness();

  test('a sign-in link works once and shows an error the second time', async () => {
    const link = await harness.signInLink();
    const page = await harness.signedOut();
    await page.goto(link);
    await page.waitForURL(`${harness.url}/dashboard`);
    expect(page.url()).not.toContain('code=');

    const other = await harness.signedOut();
    await other.goto(link);
    await other.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await other.getByText('lectern link').first().waitFor();
    await other.reload();
    await other.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  });

  test('fetching a sign-in link, as link previews do, does not use it up', async () => {
    const link = await harness.signInLink();
    for (const method of ['GET', 'HEAD']) expect((await fetch(link, { method })).ok).toBe(true);
    const page = await harness.signedOut();
    await page.goto(link);
    await page.waitForURL(`${harness.url}/dashboard`);
  });

  test('a link without a code shows an error and sends nothing to the server', async () => {
    const page = await harness.signedOut();
    const calls: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()));
    await page.goto('/sign-in');
    await page.getByRole('heading', { name: 'This link has no code' }).waitFor();
    expect(calls).toEqual([]);
  });

  test.each([
    ['/login?cont=%2Fkeys', ['Email', 'Password'], 'Invalid email or password'],
    ['/signup?tier=basic', ['Name', 'Email', 'Password', 'Confirm password'], 'Subscribe to Basic'],
    ['/auth/reset-password?x=1', ['Email'], 'Check your email'],
    ['/conf?x=1', ['Email'], 'Check your email'],
  ])(
    'a form submitted at %s before scripts run keeps its values and URL, and is sent once they run',
    async (path, labels, told) => {
      const page = await harness.signedOut();
      const run = await holdScripts(page);
      await page.goto(path, { waitUntil: 'commit' });
      for (const label of labels) await page.getByLabel(label, { exact: true }).first().fill('early@typed.example');
      await page.keyboard.press('Enter');
      await page.waitForTimeout(300);
      expect(page.url()).toBe(harness.url + path);
      run();
      await page.getByText(told).first().waitFor();
    },
  );

  test.each([
    ['/login', 'Show password', (page: Page) => page.getByRole('button', { name: 'Hide password' })],
    ['/signup', 'Theme', (page: Page) => page.getByRole('menuitemradio', { name: 'Dark' })],
    ['/conf', 'Theme', (page: Page) => page.getByRole('menuitemradio', { name: 'Dark' })],
    ['/chat', 'Theme', (page: Page) => page.getByRole('menuitemradio', { name: 'Dark' })],
    ['/no-such-page', 'Theme', (page: Page) => page.getByRole('menuitemradio', { name: 'Dark' })],
  ])('a button pressed at %s before the script runs does what it is for once it runs', async (path, name, result) => {
    const page = await harness.signedOut({ isStill: true, isUntouched: true });
    const run = await holdScripts(page);
    await page.goto(path, { waitUntil: 'commit' });
    await page.getByRole('button', { name }).first().click();
    run();
    await result(page).waitFor();
  });

  test('a form that is changed after it was sent too early waits for the next press', async () => {
    const page = await harness.signedOut();
    const run = await holdScripts(page);
    await page.addInitScript('globalThis.sends = 0; addEventListener("submit", () => (sends += 1), true)');
    await page.goto('/login', { waitUntil: 'commit' });
    await page.getByLabel('Email', { exact: true }).fill('early@typed.example');
    await page.keyboard.press('Enter');
    await page.getByLabel('Password', { exact: true }).fill('not all of');
    run();
    await page.locator('html[data-started]').waitFor();
    expect(await page.evaluate('sends')).toBe(1);
  });

  test.each(['/search?q=dead%20letters&budget=2000', '/resources', '/keys#new'])(
    'a visitor of %s goes to the sign-in screen and back',
    async (target) => {
      const page = await harness.signedOut();
      await page.goto(target);
      await page.waitForURL(/\/login\?cont=/);
      expect(new URL(page.url()).searchParams.get('cont')).toBe(target);
      await page.getByText('Do you run this installation?').click();
      await page.getByText('./lectern link').waitFor();
      await page.goto(await harness.signInLink());
      await page.waitForURL(`${harness.url}${target}`);
    },
  );

  test.each(['//evil.example/', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)'])(
    'a continuation to %s goes to the default page',
    async (target) => {
      const page = await harness.signedIn();
      await page.goto(`/login?cont=${encodeURIComponent(target)}`);
      await page.waitForURL(`${harness.url}/dashboard`);
    },
  );

  test('signing out ends the session, and protected pages require a new sign-in', async () => {
    const page = await harness.signedOut();
    await page.goto(await harness.signInLink());
    await page.waitForURL(/\/dashboard/);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    await page.waitForURL(`${harness.url}/`);
    await page.goto('/keys');
    await page.waitForURL(/\/login\?cont=%2Fkeys/);
  });

  test('a page that the browser kept is hidden until the session is read again', async () => {
    const page = await harness.signedOut();
    await page.goto(await harness.signInLink());
    await page.waitForURL(/\/dashboard/);
    const heading = page.getByRole('heading', { level: 1 });
    const comeBack = () =>
      page.evaluate(`for (const type of ['pagehide', 'pageshow'])
        dispatchEvent(new PageTransitionEvent(type, { persisted: true }))`);
    await comeBack();
    await heading.waitFor();
    const { promise: mayRead, resolve: read } = Promise.withResolvers<void>();
    await page.route('**/api/session', async (route) => {
      await mayRead;
      await route.continue();
    });
    await page.evaluate(() =>
      fetch('/api/session/end', { method: 'POST', body: '{}', headers: { 'x-lectern-csrf': '1' } }),
    );
    await comeBack();
    await heading.waitFor({ state: 'hidden' });
    read();
    await page.waitForURL(/\/login/);
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor();
  });
});

/** Holds the scripts of the page until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise: mayRun, resolve: run } = Promise.withResolvers<void>();
  await page.route('**/*.js', async (route) => {
    await mayRun;
    await route.continue();
  });
  return run;
}
