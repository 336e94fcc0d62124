import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { creditEndpoints } from '#contract/credits.ts';
import { answerFullAccount, answerWith, someTransaction } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { expectFocus, expectNoSidewaysScroll, useHarness } from './harness.ts';
import { answerTeams } from './team-answers.ts';

describe.skipIf(!hasChromium)('dashboard and activity', () => {
  const harness = useHarness();
  beforeAll(async () => {
    await harness.run('index', `${harness.site.origin}/`, '--name', 'tidewater', '--wait');
  });

  for (const [path, loading, loaded] of [
    ['/dashboard', 'Loading credits…', 'Initial credits'],
    ['/activity', 'Loading usage…', 'Initial credits'],
    ['/keys', 'Loading API keys...', 'Connect an agent'],
    ['/install', 'Loading API keys...', 'Test connection'],
  ] as const) {
    test(`${path} has no layout shift while it loads for a new user`, () => expectUnmoved(path, loading, loaded));
  }

  async function expectUnmoved(path: string, loading: string, loaded: string): Promise<void> {
    const page = await harness.signedIn({ isStill: true });
    await page.addInitScript(`window.moved = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.moved += value;
      }).observe({ type: 'layout-shift', buffered: true });`);
    // Holds the calls of the screen until the screen is shown.
    let answer = () => {};
    const isShown = new Promise<void>((go) => {
      answer = go;
    });
    await page.route(/\/api\/(?!session|site|live|teams|memberships)/, async (route) => {
      await isShown;
      await route.continue();
    });
    await page.goto(path);
    await page.getByText(loading).waitFor();
    answer();
    await page.getByText(loaded).locator('visible=true').first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate('window.moved')).toBeLessThan(0.05);
  }

  test('the console redirects to the dashboard, which shows a call as soon as it is made', async () => {
    const page = await harness.signedIn();
    await page.goto('/console');
    await page.waitForURL(`${harness.url}/dashboard`);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    expect(await page.title()).toBe('Lectern - Dashboard');
    const activity = page.getByRole('region', { name: 'Recent activity' });
    await activity.getByText('Initial credits').waitFor();
    await page.getByText('Unlimited').waitFor();
    await page.getByRole('link', { name: 'Run a first search' }).waitFor();
    await harness.run('search', 'dead letter queue');
    await activity.getByText('dead letter queue').waitFor();
    await page.getByText('Run a first search, done').waitFor();
    await page.getByText('of the whole pages').waitFor();
    await page.getByRole('link', { name: 'tidewater' }).waitFor();
  });

  test("a call that a member's own account paid for is not shown as free on the dashboard", async () => {
    const page = await harness.signedIn();
    await page.route('**/api/credits/transactions?*', async (route) => {
      const answered = await route.fetch();
      const { transactions } = (await answered.json()) as { transactions: Record<string, unknown>[] };
      const paid = { ...transactions[0], details: 'Paid by a member', metadata: {}, amount: 0, userAccountAmount: -3 };
      await route.fulfill({ json: { transactions: [paid] } });
    });
    await page.goto('/dashboard');
    const entry = page.getByRole('region', { name: 'Recent activity' }).getByRole('listitem');
    await entry.getByText('−3', { exact: true }).waitFor();
  });

  test('a new user has 200 credits, and a typed query costs one credit once, when it is finished', async () => {
    const page = await harness.signedOut();
    await page.goto('/login');
    await page.request.post('/api/identity/sign-up', {
      data: { email: 'anna@example.org', password: 'a long enough phrase', displayName: 'Anna' },
      headers: { 'x-lectern-csrf': '1' },
    });
    await page.goto('/dashboard');
    const credits = page.getByRole('region', { name: 'Credits' });
    await credits.getByText('200', { exact: true }).waitFor();
    await page.clock.install();
    await page.goto('/search');
    const drafts: string[] = [];
    const paid: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/search')
        (searchParams.has('isDraft') ? drafts : paid).push(searchParams.get('query') ?? '');
    });
    await expectFocus(page.getByRole('textbox', { name: 'Search documentation' }));
    // Pauses the clock: on a busy machine, a key could arrive after the delay that finishes a search.
    await page.clock.pauseAt(Date.now() + 10_000);
    for (const [keys, typed] of [
      ['dead letter', 'dead letter'],
      [' queue', 'dead letter queue'],
    ] as const) {
      await page.keyboard.type(keys);
      await page.clock.runFor(500);
      await expect.poll(() => drafts.at(-1)).toBe(typed);
    }
    expect(paid).toEqual([]);
    await page.clock.resume();
    await page.getByText('for 1 credit').waitFor();
    await page.getByRole('article').first().getByText('drainDeadLetters').first().waitFor();
    expect(paid).toEqual(['dead letter queue']);
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await credits.getByText('199', { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('article').first().getByText('drainDeadLetters').first().waitFor();
    expect(paid).toHaveLength(1);
    await page.goto('/activity');
    await page.getByRole('row', { name: /dead letter queue/ }).waitFor();
    expect(await page.getByRole('row', { name: /Documentation search/ }).count()).toBe(1);
  });

  test('the activity page lists calls live, opens call arguments by keyboard and explains the tokens saved', async () => {
    const page = await harness.signedIn();
    await page.goto('/activity');
    await page.getByRole('heading', { name: 'Recent Activity' }).waitFor();
    expect(await page.title()).toBe('Lectern - Activity');
    await page.getByText(/Tokens in the whole pages \([\d,]+\) minus tokens sent/).waitFor();
    await harness.run('search', 'worker pool');
    const row = page.getByRole('row', { name: /worker pool/ });
    await row.waitFor();
    const open = row.getByRole('button', { name: 'Arguments of documentation search' });
    await open.focus();
    await page.keyboard.press('Enter');
    expect(await open.getAttribute('aria-expanded')).toBe('true');
    await page.getByRole('definition').filter({ hasText: 'worker pool' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('definition').filter({ hasText: 'worker pool' }).waitFor({ state: 'detached' });
    await expectFocus(open);
    const initial = page.getByRole('row', { name: /Initial credits/ });
    expect(await initial.getByRole('button').count()).toBe(0);
  });

  test('Back restores the rows, order and open details of a long list', async () => {
    const page = await harness.signedIn();
    const metadata = { args: { query: 'lamps' }, pages: ['https://docs.example/lamps.html'] };
    await answerWith(page, creditEndpoints.listTransactions, {
      transactions: Array.from({ length: 150 }, (_, at) => someTransaction({ id: `t${at}`, amount: -at, metadata })),
    });
    await page.goto('/activity');
    const rows = page.locator('tbody > tr');
    await page.getByRole('button', { name: 'Show 50 more' }).click();
    await page.getByRole('columnheader', { name: 'Credits' }).getByRole('button').click();
    await rows.nth(120).getByRole('button').click();
    await rows.getByRole('link', { name: 'https://docs.example/lamps.html' }).click();
    await page.getByRole('heading', { name: 'This page is not indexed' }).waitFor();
    await page.goBack();
    await rows.nth(121).getByRole('link', { name: 'https://docs.example/lamps.html' }).waitFor();
    expect(await rows.count()).toBe(151);
    expect(await rows.first().textContent()).toContain('−149');
    await page.reload();
    await rows.nth(121).getByRole('link', { name: 'https://docs.example/lamps.html' }).waitFor();
    await page.getByRole('link', { name: 'API Keys' }).first().click();
    await page.getByRole('heading', { name: 'API Keys', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Activity' }).first().click();
    await expect.poll(() => rows.count()).toBe(100);
  });

  test('a column header sorts ascending, descending and back to unsorted', async () => {
    const page = await harness.signedIn();
    await answerWith(page, creditEndpoints.listTransactions, {
      transactions: [-3, 200, -1].map((amount, place) => someTransaction({ id: `t${place}`, amount })),
    });
    await page.goto('/activity');
    const head = page.getByRole('columnheader', { name: 'Credits' });
    await head.waitFor();
    const amounts = async () =>
      (await page.locator('tbody tr td:last-child').allInnerTexts()).map((text) => text.split('\n')[0]);
    const seen: unknown[] = [];
    for (let press = 0; press < 4; press += 1) {
      seen.push([await head.getAttribute('aria-sort'), await amounts()]);
      await head.getByRole('button').click();
    }
    expect(seen).toEqual([
      ['none', ['−3', '+200', '−1']],
      ['ascending', ['−3', '−1', '+200']],
      ['descending', ['+200', '−1', '−3']],
      ['none', ['−3', '+200', '−1']],
    ]);
  });

  test('table headers stay on one line beside long details, and the chart legend is on one line', async () => {
    for (const width of [1280, 390] as const) {
      const page = await harness.signedIn({ width });
      await answerFullAccount(page);
      const query = 'a question of many words '.repeat(8);
      await answerWith(page, creditEndpoints.listTransactions, {
        transactions: [someTransaction({ metadata: { args: { query }, apiKeyName: 'ci' } })],
      });
      await page.goto('/activity');
      await page.getByRole('columnheader', { name: 'Credits' }).waitFor();
      const heights = await page.evaluate<number[]>(
        `[...document.querySelectorAll('th')].map((head) => head.firstElementChild?.scrollHeight ?? 0)`,
      );
      expect(Math.max(...heights)).toBeLessThanOrEqual(24);
      const [searches, reads] = await Promise.all(
        ['searches', 'reads'].map((name) => page.locator('figcaption').getByText(name, { exact: true }).boundingBox()),
      );
      expect(searches?.y).toBe(reads?.y);
    }
  });

  test('a From later than To shows an error and sends no request', async () => {
    const page = await harness.signedIn();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto('/activity?from=2026-02-01&to=2026-01-31');
    await page.getByText('From is later than To').waitFor();
    await page.getByText('Choose an earlier From or a later To.').waitFor();
    expect(asked.filter((url) => url.includes('/api/credits/transactions?'))).toEqual([]);
  });

  test('team activity shows a member without a name by their email address', async () => {
    const page = await harness.signedIn();
    await answerTeams(page, 'admin');
    await answerWith(page, creditEndpoints.listTransactions, {
      transactions: [someTransaction({ metadata: { user: '', userEmail: 'nameless@example.org' } })],
    });
    await page.goto('/activity?teamId=team_1');
    await page.getByRole('cell', { name: 'nameless@example.org' }).waitFor();
  });

  test('filters appear in the URL, apply to the list and the export, and can be cleared', async () => {
    const page = await harness.signedIn();
    await page.goto('/activity');
    await page.getByRole('row', { name: /Initial credits/ }).waitFor();
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Initial' }).click();
    await page.waitForURL(/\?type=initial$/);
    await expect.poll(() => page.getByRole('row', { name: /Documentation search/ }).count()).toBe(0);
    await page.getByRole('status').getByText('1 transaction', { exact: true }).waitFor({ state: 'attached' });
    const asked = page.waitForRequest(/\/api\/credits\/transactions\?.*to=/);
    await page.getByLabel('To', { exact: true }).fill('2020-02-29');
    await page.waitForURL(/type=initial&to=2020-02-29$/);
    const { searchParams } = new URL((await asked).url());
    expect(Number(searchParams.get('to'))).toBe(new Date(2020, 2, 1).getTime() - 1);
    await page.getByText('No transactions matching the selected filters.').waitFor();
    await page.getByRole('status').getByText('0 transactions', { exact: true }).waitFor({ state: 'attached' });
    await page.reload();
    await page.getByText('No transactions matching the selected filters.').waitFor();
    expect(await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toMatch(/type=initial&to=\d+$/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL(/\/activity$/);
    await page.getByRole('row', { name: /Initial credits/ }).waitFor();
  });

  test('the export downloads a CSV file with every row', async () => {
    const page = await harness.signedIn();
    await page.goto('/activity');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('credit-transactions.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^id,timestamp,/);
    expect(lines.at(-1)).toMatch(/,initial,200,/);
  });

  test('the chart can be read day by day with the arrow keys, and as a table', async () => {
    const page = await harness.signedIn();
    await answerFullAccount(page);
    await page.goto('/activity');
    const days = page.getByRole('slider', { name: /one by one/ });
    await days.focus();
    const last = await days.getAttribute('aria-valuetext');
    expect(last).toMatch(/^\w+ \d+, \d{4}: \d+ searches, \d+ reads$/);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => days.getAttribute('aria-valuetext')).not.toBe(last);
    await page.getByRole('button', { name: 'Show as table' }).click();
    expect(
      await page
        .getByRole('region', { name: /^Calls per day/ })
        .getByRole('row')
        .count(),
    ).toBe(31);
  });

  test('a narrow screen cuts nothing off and shows the navigation at the top', async () => {
    const page = await harness.signedIn({ width: 390 });
    await answerFullAccount(page);
    for (const path of ['/dashboard', '/activity']) {
      await page.goto(path);
      await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Search' }).waitFor();
      await page.getByText('Below').first().waitFor();
      await expectNoSidewaysScroll(page);
    }
  });
});
