import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { trySearchEndpoints } from '#contract/try-search.ts';
import { letCallsThrough } from './answered-calls.ts';
import { askAgain, failWith, neverAnswer } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { expectFocus, expectNoSidewaysScroll, useHarness } from './harness.ts';
import { checkScene, type Scene } from './scene.ts';

const { trySearch, getShowcase } = trySearchEndpoints;
const answerOf = (page: Page) => page.getByRole('group', { name: 'Answer' });
const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Search the public documentation here' });

/** Returns the texts, positions and link targets of the search on the home page. */
const deskOf = (page: Page) =>
  page.evaluate(`(() => {
    const desk = document.querySelector('section[aria-labelledby="try"]');
    const placesOf = (names) => [...desk.querySelectorAll(names)].map((part) => {
      const { x, y, width, height } = part.getBoundingClientRect();
      return [x, y, width, height];
    });
    return {
      words: desk.innerText.replace(/\\s+/g, ' '),
      query: desk.querySelector('input').value,
      links: [...desk.querySelectorAll('a')].map((link) => link.pathname.replace(/:\\/+/, ':/') + link.hash),
      places: placesOf('button, p, a, svg'),
    };
  })()`) as Promise<{ words: string; query: string; links: string[]; places: number[][] }>;

/** The tests depend on each other: they go from an empty installation to a full one. */
describe.skipIf(!hasChromium)('the home page', () => {
  const harness = useHarness();

  test('says that nothing is indexed and how to add documentation', async () => {
    await checkScene(harness, {
      name: 'home, nothing indexed',
      path: '/',
      isVisitor: true,
      until: async (page) => {
        await page.getByText('Nothing is indexed here yet').waitFor();
        await page.getByText('./lectern index').first().waitFor();
      },
    });
  });

  test('shows a real search at once, and runs another by keyboard alone', async () => {
    await harness.run('index', `${harness.site.origin}/`, '--name', 'tidewater', '--wait');
    const page = await harness.signedOut({ isStill: true });
    await page.goto('/');
    await answerOf(page).getByRole('link').first().waitFor();
    expect(await boxOf(page).inputValue()).not.toBe('');
    await page.getByText(/% below/).waitFor();

    await page.keyboard.press('Tab');
    await boxOf(page).focus();
    const before = await page.locator('section[aria-labelledby="try"]').boundingBox();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('drainDeadLetters');
    await page.keyboard.press('Enter');
    const link = answerOf(page).getByRole('link', { name: /queues\.html/ });
    await link.waitFor();
    // The router merges the two slashes; the viewer still accepts the address.
    expect(await link.getAttribute('href')).toMatch(/^\/document\/http:\/{1,2}127\.0\.0\.1:\d+\/queues\.html$/);
    await answerOf(page).getByText('moved to the dead letter queue').waitFor();
    await page.getByText(/^\d+ passages? out of \d+, found in/).waitFor();
    expect(await page.locator('section[aria-labelledby="try"]').boundingBox()).toEqual(before);

    // From the box, Tab leads to its button, then to the suggested queries.
    await page.keyboard.press('Tab');
    await expectFocus(page.getByRole('button', { name: 'Search', exact: true }));
    await page.keyboard.press('Tab');
    const suggestion = page.getByRole('list', { name: 'Queries to try' }).getByRole('button').first();
    await expectFocus(suggestion);
    await page.keyboard.press('Enter');
    await expect.poll(() => suggestion.getAttribute('aria-pressed')).toBe('true');
    expect(await boxOf(page).inputValue()).toBe(await suggestion.textContent());
  });

  test('has the same search in the served HTML as the browser renders', async () => {
    const sent = await harness.signedOut({ isStill: true, isUntouched: true });
    await sent.goto('/');
    const { places, ...written } = await deskOf(sent);
    const made = await harness.signedOut({ isStill: true });
    await made.goto('/privacy');
    await made.locator('html[data-started]').waitFor();
    await made.getByRole('link', { name: /, home$/ }).click();
    await answerOf(made).getByRole('link').first().waitFor();
    const { places: placesShown, ...shown } = await deskOf(made);
    expect(written).toEqual(shown);
    // Text in one node or in two may differ in position by a fraction of a pixel.
    const moved = places.flat().map((place, at) => Math.abs(place - (placesShown.flat()[at] ?? Number.NaN)));
    expect(Math.max(...moved)).toBeLessThan(1);
    expect(places.length).toBe(placesShown.length);
    expect(written.words).toContain('§ ');
  });

  test('never shows private documentation, even to its owner', async () => {
    await harness.run('index', `${harness.site.origin}/install.html`, '--name', 'hidden', '--private', '--wait');
    const page = await harness.signedIn({ isStill: true });
    await page.goto('/');
    await boxOf(page).fill('install tidewater source:private');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await answerOf(page)
      .getByText(/no private documentation|Nothing found/)
      .waitFor();
    await page.getByRole('link', { name: 'Get a key' }).waitFor();
  });

  test('shows rate-limited users when to retry, and shows what failed', async () => {
    const page = await harness.signedOut({ isStill: true });
    await failWith(page, trySearch, 'rate-limited', { seconds: '42' });
    await page.goto('/');
    await boxOf(page).fill('worker');
    await page.keyboard.press('Enter');
    await answerOf(page).getByText('Too many requests. Try again in 42 seconds.').waitFor();
    const again = answerOf(page).getByRole('button', { name: 'Try again' });
    await askAgain(again, [trySearch], () => letCallsThrough(page));
    await answerOf(page).getByRole('link').first().waitFor();

    const broken = await harness.signedOut({ isStill: true });
    await failWith(broken, getShowcase, 'unavailable');
    // A loaded page contains its search; coming from another page requests it.
    await broken.goto('/privacy');
    await broken.locator('html[data-started]').waitFor();
    await broken.getByRole('link', { name: /, home$/ }).click();
    await answerOf(broken).getByText('The service is restarting. Try again in a moment.').waitFor({ timeout: 20_000 });
  });

  test('is readable without scripts, and its form leads to the search screen', async () => {
    const context = await (await harness.signedOut()).context().browser()?.newContext({ javaScriptEnabled: false });
    const page = await context?.newPage();
    if (page === undefined) throw new Error('no page');
    await page.goto(harness.url);
    await page.getByRole('heading', { name: 'Context for your agent' }).waitFor();
    await page.getByText('./lectern start').first().waitFor();
    await answerOf(page).getByRole('link').first().waitFor();
    await page.getByText(/^\d+ passages? out of \d+, found in/).waitFor();
    await boxOf(page).fill('worker');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.waitForURL(`${harness.url}/search?q=worker`);
    await context?.close();
  });

  test('has no layout shift while the rest of the page loads', async () => {
    for (const width of [1280, 390] as const) {
      const page = await harness.signedOut({ isStill: true, width });
      await page.goto('/');
      await page.locator('html[data-started]').waitFor();
      await answerOf(page).getByRole('link').first().waitFor();
      const topsOf = () =>
        page.evaluate(
          `['h1', 'section[aria-labelledby="try"]'].map((name) => document.querySelector(name).getBoundingClientRect().top)`,
        );
      const whole = await topsOf();
      await page.evaluate(`(() => {
        for (let part = document.querySelector('section[aria-labelledby="try"]'); part !== document.body; part = part.parentElement)
          while (part.nextElementSibling) part.nextElementSibling.remove();
      })()`);
      expect(await topsOf()).toEqual(whole);
      await page.close();
    }
  });

  const scenes: Scene[] = [
    {
      name: 'home, full',
      path: '/',
      isVisitor: true,
      until: (page) => answerOf(page).getByRole('link').first().waitFor(),
    },
    {
      name: 'home, waiting',
      path: '/',
      isVisitor: true,
      set: (page) => neverAnswer(page, trySearch),
      act: async (page) => {
        await boxOf(page).fill('worker');
        await page.keyboard.press('Enter');
      },
      until: async (page) => {
        await page.locator('[aria-label="Answer"][aria-busy="true"]').waitFor();
        await expectNoSidewaysScroll(page);
      },
    },
  ];
  test.each(scenes)('$name is accessible and fits', (scene) => checkScene(harness, scene));
});
