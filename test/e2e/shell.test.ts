import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accountEndpoints } from '#contract/accounts.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { answerWith, neverAnswer, someModule } from './answers.ts';
import { answerTeamBilling, teamBilling } from './billing-answers.ts';
import { hasChromium } from './chromium.ts';
import { expectFocus, expectNoSidewaysScroll, openWithFrame, useHarness } from './harness.ts';
import { answerTeams } from './team-answers.ts';

describe.skipIf(!hasChromium)('the frame around every page', () => {
  const harness = useHarness();

  test('the command palette opens pages, searches, and returns focus', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources');
    const button = page.getByRole('button', { name: 'Go to…' }).first();
    await button.click();
    await page.getByRole('option', { name: 'API Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(button);

    await page.keyboard.press('Control+k');
    await expectFocus(page.getByRole('combobox', { name: 'Search commands' }));
    await page.keyboard.type('api k');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${harness.url}/keys`);

    await page.keyboard.press('Control+k');
    await expectFocus(page.getByRole('combobox', { name: 'Search commands' }));
    await page.keyboard.type('rotate the journal');
    await page.getByRole('option', { name: 'Search documentation for “rotate the journal”' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?q=rotate\+the\+journal/);
  });

  test('a palette or menu closed with Escape can be reopened at once', async () => {
    const page = await harness.signedIn();
    await openWithFrame(page, '/resources');
    const goTo = page.getByRole('button', { name: 'Go to…' }).first();
    await goTo.click();
    await page.getByRole('option', { name: 'API Keys' }).waitFor();
    await escapeAndPressAgain(page, goTo);
    expect(await page.getByRole('dialog', { name: 'Command palette' }).isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await expectFocus(goTo);

    const account = page.getByRole('button', { name: /^Account of/ });
    await account.click();
    await page.getByRole('menu').waitFor();
    await escapeAndPressAgain(page, account);
    expect(await page.getByRole('menu').isVisible()).toBe(true);
  });

  test('keys typed while the palette loads go into the palette', async () => {
    const page = await harness.signedIn({ isUntouched: true });
    let send = () => {};
    const isAwaited = new Promise<void>((go) => {
      send = go;
    });
    await page.route(/\/app-palette-/, async (route) => {
      await isAwaited;
      await route.continue();
    });
    await page.goto('/search');
    await expectFocus(page.getByRole('textbox', { name: 'Search documentation' }));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ap');
    send();
    const box = page.getByRole('combobox', { name: 'Search commands' });
    await expectFocus(box);
    await page.keyboard.type('i k');
    expect(await box.inputValue()).toBe('api k');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${harness.url}/keys`);
  });

  test('focus stays in a dialog and in the palette while Tab is held', async () => {
    const page = await harness.signedIn();
    await page.goto('/search');
    const search = page.getByRole('textbox', { name: 'Search documentation' });
    await expectFocus(search);
    await page.keyboard.press('Control+k');
    await expectFocus(page.getByRole('combobox', { name: 'Search commands' }));
    expect(await focusedBehind(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expectFocus(search);

    const { page: other } = await harness.person();
    await other.goto('/account');
    const opener = other.getByRole('button', { name: 'Delete account…' });
    await opener.press('Enter');
    await other.getByRole('alertdialog').locator(':focus').waitFor();
    expect(await focusedBehind(other)).toEqual([]);
    await other.keyboard.press('Escape');
    await expectFocus(opener);
  });

  test('a click outside closes the palette but not a confirmation, and the page behind never scrolls', async () => {
    const { page } = await harness.person({ isStill: true });
    await page.goto('/account');
    const opener = page.getByRole('button', { name: 'Delete account…' });
    await opener.focus();
    await page.keyboard.press('Control+k');
    await expectFocus(page.getByRole('combobox', { name: 'Search commands' }));
    await page.mouse.click(4, 400);
    await expectFocus(opener);

    await opener.press('Enter');
    const question = page.getByRole('alertdialog');
    await question.waitFor();
    const top = await page.evaluate('scrollY');
    await page.mouse.click(4, 400);
    await page.mouse.wheel(0, -400);
    await page.evaluate('new Promise((fulfil) => requestAnimationFrame(() => requestAnimationFrame(fulfil)))');
    expect({ top: await page.evaluate('scrollY'), asks: await question.count() }).toEqual({ top, asks: 1 });
    await question.getByRole('button', { name: 'Cancel' }).press('Enter');
    await expectFocus(opener);
  });

  test('a click outside closes the palette without browser support for closedBy, unless it began inside', async () => {
    const page = await harness.signedIn({ isStill: true });
    await page.addInitScript(`delete HTMLDialogElement.prototype.closedBy;
      const { setAttribute } = Element.prototype;
      Element.prototype.setAttribute = function (name, value) {
        if (name !== 'closedby') setAttribute.call(this, name, value);
      };`);
    await page.goto('/search');
    const search = page.getByRole('textbox', { name: 'Search documentation' });
    await expectFocus(search);
    await page.keyboard.press('Control+k');
    const typed = page.getByRole('combobox', { name: 'Search commands' });
    await expectFocus(typed);
    await typed.hover();
    await page.mouse.down();
    await page.mouse.move(4, 400);
    await page.mouse.up();
    await page.evaluate('new Promise((fulfil) => requestAnimationFrame(() => requestAnimationFrame(fulfil)))');
    expect(await typed.count()).toBe(1);
    await page.mouse.click(4, 400);
    await typed.waitFor({ state: 'detached' });
    await expectFocus(search);
  });

  test('a new conversation starts at the top of the page, even with a banner above it', async () => {
    const { page } = await harness.person({ width: 390 });
    await page.setViewportSize({ width: 390, height: 640 });
    await page.goto('/chat');
    await page.getByRole('region', { name: 'Verify your email' }).waitFor();
    await page.getByRole('textbox', { name: 'Your question' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate('scrollY')).toBe(0);
  });

  test('a chosen theme overrides the system theme, from the first paint and after a reload', async () => {
    const page = await harness.signedOut({ theme: 'light' });
    await page.goto('/');
    const ground = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    const light = await ground();
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await expect.poll(ground).not.toBe(light);
    await page.reload({ waitUntil: 'commit' });
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    // Clicks are kept once the page is there.
    await page.waitForLoadState('domcontentloaded');
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitemradio', { name: 'System' }).click();
    await expect.poll(ground).toBe(light);
  });

  test('a click held while the page starts and replaces the icon is not lost', async () => {
    const page = await harness.signedOut({ theme: 'light', isUntouched: true });
    await page.addInitScript('localStorage.setItem("theme", "dark")');
    await page.goto('/');
    await page.getByRole('button', { name: 'Theme' }).hover();
    await page.mouse.down();
    await page.locator('html[data-started]').waitFor();
    await page.locator('button[aria-label="Theme"] .lucide-moon').waitFor();
    await page.mouse.up();
    await page.getByRole('menuitemradio', { name: 'System' }).waitFor();
  });

  test('an open header menu stays under the pointer while the page scrolls', async () => {
    const { page } = await harness.person();
    await page.goto('/account');
    await page.getByRole('button', { name: /^Account of/ }).click();
    const signOut = page.getByRole('menuitem', { name: 'Sign out' });
    await signOut.hover();
    // In one task, so that code that repositions the menu later cannot have run.
    const moved = await page.evaluate<unknown>(`(() => {
      const topOf = () => document.querySelector('[role="menu"]').getBoundingClientRect().top;
      const before = topOf();
      scrollTo({ top: 120, behavior: 'instant' });
      return { by: topOf() - before, scrolledTo: scrollY };
    })()`);
    expect(moved).toEqual({ by: 0, scrolledTo: 120 });
    await signOut.click();
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
  });

  test('signing out shows that it is in progress while its call hangs', async () => {
    const page = await harness.signedIn();
    await neverAnswer(page, accountEndpoints.signOut);
    await page.goto('/keys');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(`${harness.url}/`);
    await page.locator('[aria-label^="Account of"][aria-busy=true]').waitFor();
  });

  test('on a narrow screen, rows of links and of tabs scroll to the current one', async () => {
    const page = await harness.signedIn({ width: 390 });
    const rightEnd = async (current: string) => {
      const box = await page.locator(current).boundingBox();
      return box === null ? Number.NaN : box.x + box.width;
    };
    await page.goto('/resources?tab=credentials');
    await page.getByRole('heading', { name: 'Credentials', exact: true }).waitFor();
    await expect.poll(() => rightEnd('[role=tab][aria-selected=true]')).toBeLessThanOrEqual(390);
    await page.goto('/account');
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    await expect.poll(() => rightEnd('nav[aria-label="Console"] [aria-current="page"]')).toBeLessThanOrEqual(390);
  });

  test('short words and numbers do not break in the narrowest window', async () => {
    const page = await harness.signedIn({ width: 390 });
    await page.setViewportSize({ width: 320, height: 844 });
    await answerTeams(page);
    await answerTeamBilling(page, teamBilling({ numberOfPaidSeats: 80, assignedSeats: 74 }));
    await page.goto('/team-manage-seats');
    await page.getByText('of 80 paid seats').waitFor();
    expect(await page.evaluate(brokenWords)).toEqual([]);
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Accept the invite to Jacquard Looms' }).waitFor();
    expect(await page.evaluate(brokenWords)).toEqual([]);
  });

  test('the header fits a narrow window with the text spacing of WCAG 1.4.12', async () => {
    const page = await harness.signedOut({ width: 390 });
    await page.goto('/mcp');
    await page.evaluate(`(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }');
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    })()`);
    await expectNoSidewaysScroll(page);
  });

  test('the first Tab offers a link that skips the header', async () => {
    const page = await harness.signedIn();
    await page.goto('/keys');
    await page.getByRole('heading', { name: 'API Keys', exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Skip to content' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
  });

  test('public pages can be read without scripts', async () => {
    for (const [path, words] of [
      ['/', 'Context for your agent'],
      ['/login', './lectern link'],
    ] as const) {
      const html = await (await fetch(new URL(path, harness.url))).text();
      expect(html).toContain(words);
      expect(html).toMatch(/<title>[^<]+ - [^<]+<\/title>/);
      for (const label of ['Contact', 'Source', 'Report a bug', 'Missing docs'])
        expect(html).toMatch(new RegExp(`href="/docs/guide/help#[a-z-]+"[^>]*>${label}</a>`));
    }
  });

  test('the content security policy allows only scripts of this site and inline scripts with a hash', async () => {
    const policy = (await fetch(harness.url)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self' 'sha256-");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    const html = await (await fetch(harness.url)).text();
    const fromElsewhere = /<[^>]+\son[a-z]+=|\b(?:src|href|action)=["']?(?:https?:)?\/\//;
    expect(html.replaceAll(`href="${harness.url}`, 'href="')).not.toMatch(fromElsewhere);
  });

  test('screens show that the server does not respond, and load by themselves once it does', async () => {
    const page = await harness.signedIn();
    const seen = {
      '/keys': page.getByRole('heading', { name: "You don't have any API keys yet." }),
      '/search?q=queue': page.getByRole('heading', { name: 'Nothing found' }),
      '/chat': page.getByRole('textbox', { name: 'Your question' }),
    };
    for (const [path, content] of Object.entries(seen)) {
      await page.route(/\/(healthz|api\/(?!session|teams))/, (route) => route.abort());
      await page.goto(path);
      await page.getByText('The server is not responding.').first().waitFor();
      await page.unrouteAll();
      await content.waitFor();
    }
  });

  test('forced colors show the current page, the selected tab, buttons and switches', async () => {
    const page = await harness.signedIn({ isStill: true });
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto('/resources');
    const styleOf = (locator: Locator, property: string) =>
      locator.evaluate((element, name) => (globalThis as unknown as Styles).getComputedStyle(element)[name], property);
    const colorOf = (locator: Locator) => styleOf(locator, 'backgroundColor');
    const [selected, other] = [page.getByRole('tab', { name: 'Sources' }), page.getByRole('tab', { name: 'Projects' })];
    expect(await colorOf(selected)).not.toBe(await colorOf(other));
    const menu = page.getByRole('navigation', { name: 'Console' });
    const current = await colorOf(menu.locator('[aria-current=page]'));
    expect(current).not.toBe(await colorOf(menu.getByRole('link', { name: 'Search' })));
    expect(await styleOf(page.getByRole('button', { name: 'Index', exact: true }), 'borderTopWidth')).toBe('1px');
    await page.goto('/account');
    const [track, thumb] = [page.getByRole('switch').first(), page.locator('[role=switch] > span').first()];
    expect(await colorOf(thumb)).not.toBe(await colorOf(track));
  });

  test('the theme changes without transitions for users who prefer reduced motion', async () => {
    const page = await harness.signedIn({ isStill: true });
    await page.goto('/docs/guide/agents');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    const moving = `new Promise((fulfil) => requestAnimationFrame(() => fulfil(
      document.getAnimations().filter((animation) => animation instanceof CSSTransition).length)))`;
    expect(await page.evaluate(moving)).toBe(0);
  });

  test('a dialog stays open until its action is done, and shows an error when offline', async () => {
    await harness.run('key', 'create', 'Anchor');
    const page = await harness.signedIn({ isStill: true });
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Revoke Anchor' }).press('Enter');
    const question = page.getByRole('alertdialog');
    await page.context().setOffline(true);
    await question.getByRole('button', { name: 'Revoke key' }).press('Enter');
    await question.getByRole('alert').waitFor();
    await page.context().setOffline(false);

    const isAllowed = Promise.withResolvers<void>();
    await page.route('**/api/keys/*/revoke', async (route) => {
      await isAllowed.promise;
      await route.continue();
    });
    await question.getByRole('button', { name: 'Revoke key' }).press('Enter');
    await expectStays(page, question);
    isAllowed.resolve();
    await page.getByText('“Anchor” revoked').waitFor();
    await question.waitFor({ state: 'detached' });

    await answerWith(page, libraryEndpoints.listJobs, { jobs: [] });
    await answerWith(page, libraryEndpoints.listModules, { modules: [someModule({ visibility: 'private' })] });
    await neverAnswer(page, libraryEndpoints.renameModule);
    await page.goto('/resources');
    await page.getByRole('button', { name: 'More for Python 3' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Rename…' }).press('Enter');
    const form = page.getByRole('dialog', { name: 'Rename Python 3' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Python');
    await page.keyboard.press('Enter');
    await expectStays(page, form);
  });
});

/** Tries each way to close a dialog. */
async function expectStays(page: Page, dialog: Locator): Promise<void> {
  await dialog.locator('[aria-busy]').waitFor();
  const cancel = dialog.getByRole('button', { name: 'Cancel' });
  await cancel.press('Enter');
  // A browser lets a page prevent closing only once.
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape');
  await page.mouse.click(4, 400);
  await page.evaluate('new Promise((fulfil) => requestAnimationFrame(() => requestAnimationFrame(fulfil)))');
  expect(await dialog.count()).toBe(1);
  expect(await cancel.getAttribute('aria-disabled')).toBe('true');
}

/** Presses Escape, then the opening button before the browser reports that it has closed. */
async function escapeAndPressAgain(page: Page, opener: Locator): Promise<void> {
  await page.evaluate(`{
    const hold = (event) => {
      if (!event.isTrusted || event.newState === 'open') return;
      event.stopImmediatePropagation();
      const { type, target, oldState, newState } = event;
      window.tell = () => target.dispatchEvent(new ToggleEvent(type, { oldState, newState }));
    };
    for (const type of ['close', 'toggle']) window.addEventListener(type, hold, { capture: true });
  }`);
  await page.keyboard.press('Escape');
  await expectFocus(opener);
  await page.keyboard.press('Enter');
  await page.evaluate('window.tell?.()');
  await page.evaluate('new Promise((fulfil) => requestAnimationFrame(() => requestAnimationFrame(fulfil)))');
}

/** Holds Tab, faster than a frame, and returns the elements behind the dialog that received the focus. */
async function focusedBehind(page: Page): Promise<string[]> {
  await page.evaluate(`window.behind = [];
    document.addEventListener('focusin', ({ target }) => target.closest('main, header') && behind.push(target.outerHTML))`);
  const keyboard = await page.context().newCDPSession(page);
  const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };
  const presses = Array.from({ length: 40 }, () =>
    keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', ...tab }),
  );
  await Promise.all(presses);
  return page.evaluate('window.behind');
}

/** Returns words of up to twelve letters or digits that are broken over two lines, though they would fit on one. */
const brokenWords = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    if (!text.parentElement.checkVisibility()) continue;
    for (const { 0: word, index } of text.data.matchAll(/(?<!\\S)[a-z0-9]{2,12}(?!\\S)/gi)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
    }
  }
  return found;
})()`;

/** The part of the browser's global object that the test of forced colors calls in the page. */
interface Styles {
  getComputedStyle(element: unknown): Record<string, string>;
}
