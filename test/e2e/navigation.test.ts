import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { safeContinuation } from '../../web/lib/continuation.ts';
import { attacksOf, type RedirectAttack } from '../services/attacks.ts';
import { hasChromium } from './chromium.ts';
import { openWithFrame, useHarness } from './harness.ts';

// The router cannot decode this path, however the user reaches it, and shows its error page.
const unreadablePath = '/%09/javascript:';
const readable = attacksOf<RedirectAttack>('open-redirect.jsonl').filter(
  ({ cont }) => !cont.startsWith(unreadablePath),
);
// Many continuations resolve to the same target. Each target is tested once.
const attacks = [
  ...new Map(readable.map((attack) => [safeContinuation(attack.cont, 'http://127.0.0.1'), attack])).values(),
];

describe.skipIf(!hasChromium)('navigation', () => {
  const harness = useHarness();

  test('a visitor of a protected page goes to the sign-in screen, which keeps path, query and hash', async () => {
    const page = await harness.signedOut();
    await page.goto('/search?q=task&view=raw#first');
    await page.waitForURL(/\/login/);
    expect(new URL(page.url()).searchParams.get('cont')).toBe('/search?q=task&view=raw#first');
  });

  test('/signin redirects to the sign-in screen and keeps the query', async () => {
    const page = await harness.signedOut();
    await page.goto('/signin?cont=%2Fkeys%23new');
    await page.waitForURL(`${harness.url}/login?cont=%2Fkeys%23new`);
  });

  test('the sign-in screen redirects a signed-in user', async () => {
    const page = await harness.signedIn();
    await page.goto('/login?cont=%2Fkeys%23new');
    await page.waitForURL(`${harness.url}/keys#new`);
  });

  test('a second visit to the sign-in screen during the first redirect is redirected too', async () => {
    const page = await harness.signedIn();
    await page.goto('/keys');
    await page.getByRole('heading', { name: 'API Keys', exact: true }).waitFor();
    // Both visits have the same target, and the second comes before the first redirect is rendered.
    await page.evaluate(`(() => {
      const replaceState = history.replaceState.bind(history);
      history.replaceState = (...parameters) => {
        replaceState(...parameters);
        history.replaceState = replaceState;
        queueMicrotask(() => {
          history.pushState({}, '', '/login?cont=%2F.%2Fsearch%23again');
          dispatchEvent(new PopStateEvent('popstate', { state: {} }));
        });
      };
    })()`);
    await goWithin(page, '/login?cont=%2Fsearch%23again');
    await page.getByRole('heading', { name: 'Search', exact: true }).waitFor();
    await page.waitForURL(`${harness.url}/search#again`);
  });

  describe.skipIf(attacks.length === 0)('no target takes a signed-in visitor off the site', () => {
    test.each(['/login', '/signup'])('from %s', async (screen) => {
      const page = await harness.signedIn();
      await page.goto('/keys');
      await page.getByRole('heading', { name: 'API Keys', exact: true }).waitFor();
      for (const { id, cont } of attacks) {
        await goWithin(page, `${screen}?${new URLSearchParams({ cont }).toString()}`);
        await expect.poll(() => settledPath(page), { message: id }).not.toBe(screen);
        expect(new URL(page.url()).origin, id).toBe(harness.url);
      }
    });
  });

  test('teamId is removed from the URL, and a team that the user does not belong to is not selected', async () => {
    const page = await harness.signedIn();
    await page.goto('/keys?teamId=team-1&a=b#new');
    await page.waitForURL(`${harness.url}/keys?a=b#new`);
    await page.goto('/?teamId=team-1');
    await page.waitForURL(`${harness.url}/`);
    expect(await page.evaluate('localStorage.getItem("workspace")')).not.toBe('team-1');

    const visitor = await harness.signedOut();
    await visitor.goto('/keys?teamId=team-1');
    await visitor.waitForURL(/\/login/);
    expect(new URL(visitor.url()).searchParams.get('cont')).toBe('/keys?teamId=team-1');
  });

  test('a selected workspace that the user does not belong to is reset to the individual workspace', async () => {
    const page = await harness.signedIn();
    await page.goto('/keys');
    await page.evaluate('localStorage.setItem("workspace", "team-1")');
    await page.reload();
    // The user does not belong to this team.
    await expect.poll(() => page.evaluate('localStorage.getItem("workspace")')).toBe('individual');
  });

  test('a new page starts at the top, unless the user turned that off', async () => {
    const page = await harness.signedIn();
    await page.setViewportSize({ width: 1280, height: 300 });
    const depth = () => page.evaluate<number>('window.scrollY');
    await page.goto('/keys');
    await page.getByRole('heading', { name: 'Connect an agent' }).waitFor();
    await page.evaluate('window.scrollTo(0, 120)');
    await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'Context for your agent' }).waitFor();
    await expect.poll(depth).toBe(0);

    await page.evaluate('localStorage.setItem("scroll-to-top", "off")');
    await page.goto('/keys');
    await page.getByRole('heading', { name: 'Connect an agent' }).waitFor();
    await page.evaluate('window.scrollTo(0, 120)');
    const before = await depth();
    expect(before).toBeGreaterThan(0);
    await page.evaluate(`document.querySelector('footer a[href="/"]').click()`);
    await page.getByRole('heading', { name: 'Context for your agent' }).waitFor();
    expect(await depth()).toBe(before);
  });

  test('a screen that cannot be loaded while the server is away leaves the page and its text, and loads later', async () => {
    const page = await harness.signedIn();
    await openWithFrame(page, '/keys#new');
    // The router reports the script that fails to load.
    page.removeAllListeners('console');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('My laptop');
    await page.route('**/*', (route) => route.abort());
    const open = () => page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Plans' }).click();
    await open();
    await page.getByText('The server is not responding.').first().waitFor();
    expect([new URL(page.url()).pathname, await name.inputValue()]).toEqual(['/keys', 'My laptop']);
    await page.unrouteAll();
    await open();
    await page.waitForURL('**/subscribe');
  });

  test('a visitor keeps the page while the server is away', async () => {
    const page = await harness.signedOut();
    await page.goto('/signup');
    page.removeAllListeners('console');
    const email = page.getByRole('textbox', { name: 'Email' });
    await email.fill('ada@example.org');
    await page.waitForLoadState('networkidle');
    await page.route('**/*', (route) => route.abort());
    await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Conference' }).click();
    await page.getByText('The server is not responding.').first().waitFor();
    expect([new URL(page.url()).pathname, await email.inputValue()]).toEqual(['/signup', 'ada@example.org']);
  });

  test('page titles name the product and the page', async () => {
    const page = await harness.signedIn();
    for (const [path, title] of [
      ['/', 'Lectern - Context for your agent'],
      ['/keys', 'Lectern - API Keys'],
      ['/no/such/page', 'Lectern - Not found'],
    ] as const) {
      await page.goto(path);
      await expect.poll(() => page.title()).toBe(title);
    }
  });
});

/** Returns the path once no further redirect is in progress. */
async function settledPath(page: Page): Promise<string> {
  for (;;) {
    const before = page.url();
    await page.evaluate('new Promise((fulfil) => requestAnimationFrame(() => requestAnimationFrame(fulfil)))');
    if (page.url() === before) return new URL(before).pathname;
  }
}

/** Navigates without reloading the application. */
async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate', { state: {} }))`,
  );
}
