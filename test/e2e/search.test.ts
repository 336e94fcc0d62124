import { beforeAll, describe, expect, test } from 'vitest';
import { searchEndpoints } from '#contract/search.ts';
import { until } from '../services/until.ts';
import { letCallsThrough } from './answered-calls.ts';
import { askAgain, failWith, neverAnswer } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { expectFocus, useHarness } from './harness.ts';

describe.skipIf(!hasChromium)('the search screen', () => {
  const harness = useHarness();
  beforeAll(async () => {
    await harness.run('index', `${harness.site.origin}/`, '--name', 'tidewater', '--wait');
  });

  test('results appear while the user types, with link, passage, token count and savings', async () => {
    const page = await harness.signedIn();
    await page.goto('/search');
    await expectFocus(page.getByRole('textbox', { name: 'Search documentation' }));
    await page.keyboard.type('dead letter queue drain');
    const first = page.getByRole('article').first();
    await first.getByRole('link', { name: /Queues/ }).waitFor();
    expect(await first.textContent()).toMatch(/\d+ tokens?/);
    await first.getByText('drainDeadLetters').first().waitFor();
    await page.getByText(/below the 10,000 baseline/).waitFor();
    await page.waitForURL(/q=dead\+letter\+queue\+drain/);
    expect(await page.title()).toBe('Lectern - Search');
  });

  test('text typed while an earlier search arrives stays in the box', async () => {
    const page = await harness.signedIn();
    await page.goto('/search');
    await expectFocus(page.getByRole('textbox', { name: 'Search documentation' }));
    // Slow enough that the URL lags behind, with pauses in which it is updated.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 12 });
    const text = 'rotate the journal';
    await page.keyboard.type(text, { delay: 175 });
    await until('the address has all of it', () => new URL(page.url()).searchParams.get('q') === text);
    expect(await page.getByRole('textbox', { name: 'Search documentation' }).inputValue()).toBe(text);
  });

  test('the lines of a note beside the results are spaced apart', async () => {
    const lines = [
      'django pinned 4.2.7, answered from 3.2',
      'Several libraries fit; name one in module: tidewater, other',
    ];
    const page = await harness.signedIn({ width: 390 });
    await page.route(`**${searchEndpoints.search.path}?*`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), note: lines.join('\n') } });
    });
    await page.goto('/search?q=drainDeadLetters');
    const [first, second] = await Promise.all(lines.map((line) => page.getByText(line, { exact: true }).boundingBox()));
    expect((second?.y ?? 0) - (first?.y ?? 0) - (first?.height ?? 0)).toBeGreaterThanOrEqual(4);
  });

  test('code in a passage is highlighted, and its copy button copies exactly the code', async () => {
    const page = await harness.signedIn();
    await page.goto('/search?q=drainDeadLetters');
    const block = page.getByRole('article').first().getByRole('group', { name: /code/i }).first();
    await block.locator('span[style*="--shiki-token-keyword"]').first().waitFor();
    // A thread of its own has the colours: the page must not stop meanwhile.
    expect(page.workers().map((worker) => worker.url())).toEqual([expect.stringMatching(/\/highlight-worker-/)]);
    const copy = page
      .getByRole('article')
      .first()
      .getByRole('button', { name: /^Copy .*code/i })
      .first();
    await copy.click();
    await page.getByRole('button', { name: 'Copied' }).first().waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(await block.textContent());
    expect(copied).toContain("await drainDeadLetters('orders'");
  });

  test('code far below the visible part of the page is highlighted once it is near', async () => {
    const page = await harness.signedIn();
    const block = (name: string) => `\`\`\`js\nconst ${name} = 1;\n\`\`\`\n\n`;
    await page.route(`**${searchEndpoints.search.path}?*`, async (route) => {
      const response = await route.fetch();
      const { results, ...rest } = await response.json();
      const text = `${block('near')}${'A line.\n\n'.repeat(100)}${block('far')}`;
      await route.fulfill({ response, json: { ...rest, results: [{ ...results[0], text }] } });
    });
    await page.goto('/search?q=drainDeadLetters');
    const colours = (name: string) =>
      page.getByRole('group', { name: /code/i }).filter({ hasText: name }).locator('span[style*="--shiki-token"]');
    await colours('near').first().waitFor();
    expect(await colours('far').count()).toBe(0);
    const coloursOfCode = () =>
      page.evaluate(
        'new Set([...document.querySelectorAll("pre code, pre span")].map((e) => getComputedStyle(e).color)).size',
      );
    expect(await coloursOfCode()).toBeGreaterThan(1);
    await page.emulateMedia({ media: 'print' });
    expect(await coloursOfCode()).toBe(1);
    await page.emulateMedia({ media: 'screen' });
    await page.getByText('const far').scrollIntoViewIfNeeded();
    await colours('far').first().waitFor();
  });

  test('code is highlighted by the next try if the highlighter could not be loaded', async () => {
    const page = await harness.signedIn();
    const script = '**/assets/highlight-worker-*.js';
    await page.route(script, (route) => route.fulfill({ status: 503, body: '' }));
    const refused = page.waitForResponse(script);
    await page.goto('/search?q=drainDeadLetters');
    await refused;
    await page.unroute(script);
    const colours = page.locator('article span[style*="--shiki-token-keyword"]');
    expect(await colours.count()).toBe(0);
    await page.getByRole('tab', { name: 'As an agent gets it' }).click();
    await page.getByRole('tab', { name: 'Results' }).click();
    await colours.first().waitFor();
  });

  test('the raw view shows and copies the exact text that an agent receives', async () => {
    const page = await harness.signedIn();
    const answered = page.waitForResponse(/\/api\/search\?/);
    await page.goto('/search?q=retry+with+backoff');
    const { text } = searchEndpoints.search.output.parse(await (await answered).json());
    await page.getByRole('tab', { name: 'As an agent gets it' }).click();
    await page.waitForURL(/view=raw/);
    await page.getByRole('button', { name: 'Copy Text for the agent' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text);
  });

  test('a user can search, move through the results and open one by keyboard alone', async () => {
    const page = await harness.signedIn();
    await page.goto('/search?q=queue');
    await page.getByRole('article').nth(1).waitFor();
    const box = page.getByRole('textbox', { name: 'Search documentation' });
    await box.blur();
    await page.keyboard.press('/');
    await expectFocus(box);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate('document.activeElement.dataset.result')).toBe('1');
    await page.keyboard.press('ArrowUp');
    const opened = page.context().waitForEvent('page');
    await page.keyboard.press('Enter');
    expect((await opened).url()).toContain(harness.site.origin);
    await page.bringToFront();
    await page.keyboard.press('ArrowUp');
    await expectFocus(box);
  });

  test('the source and the budget appear in the URL and are sent to the server', async () => {
    const page = await harness.signedIn();
    await page.goto('/search?q=worker');
    await page.getByRole('article').first().waitFor();
    await page.getByRole('combobox', { name: 'Budget' }).click();
    const call = page.waitForRequest(/\/api\/search\?.*budget=5000/);
    await page.getByRole('option', { name: '5,000 tokens' }).click();
    await call;
    await page.waitForURL(/budget=5000/);
    await page.getByRole('combobox', { name: 'In' }).click();
    const filtered = page.waitForRequest(/\/api\/search\?.*module=tidewater/);
    await page.getByRole('option', { name: /^tidewater/ }).click();
    await filtered;
    await page.waitForURL(/module=tidewater/);
    await page.reload();
    await page.getByRole('article').first().waitFor();
    expect(await page.getByRole('combobox', { name: 'Budget' }).textContent()).toContain('5,000');
  });

  test('a search without results and an unknown source each show a message, the latter with a way on', async () => {
    const page = await harness.signedIn();
    await page.goto('/search?q=zyxwvutsrq');
    await page.getByRole('heading', { name: 'Nothing found for “zyxwvutsrq”' }).waitFor();
    // A search without results saves nothing.
    await page.getByText(/^0 passages out of/).waitFor();
    expect(await page.getByText(/below the 10,000 baseline/).count()).toBe(0);
    await page.goto('/search?q=queue&module=no-such-module');
    await page.getByRole('button', { name: 'Search all sources' }).click();
    await page.getByRole('article').first().waitFor();
    await expect.poll(() => page.url()).not.toContain('module=');
  });

  test('an error keeps the query, says what happened and can be retried', async () => {
    const page = await harness.signedIn();
    await failWith(page, searchEndpoints.search, 'unavailable');
    await page.goto('/search?q=queue');
    await page.getByRole('alert').getByText('The service is restarting').waitFor();
    const again = page.getByRole('button', { name: 'Try again' });
    await askAgain(again, [searchEndpoints.search], () => letCallsThrough(page));
    await page.getByRole('article').first().waitFor();
    expect(await page.getByRole('textbox', { name: 'Search documentation' }).inputValue()).toBe('queue');
  });

  test('the screen shows a loading state and loads what lays out text while the first response is pending', async () => {
    const page = await harness.signedIn();
    await neverAnswer(page, searchEndpoints.search);
    const markdown = page.waitForResponse(/\/assets\/markdown-/);
    await page.goto('/search?q=queue');
    await markdown;
    await page.getByRole('status').getByText('Searching…').waitFor({ state: 'attached' });
  });
});
