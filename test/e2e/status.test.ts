import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Incident, StatusHistory, StatusLatency, StatusReport } from '#contract/status.ts';
import { expectAccessible, expectFocus, expectNoSidewaysScroll, useHarness } from './harness.ts';
import { checkScene } from './scene.ts';
import { fullAnswers, sampleIncident } from './status-answers.ts';

const harness = useHarness();

interface Answers {
  report: StatusReport;
  history: StatusHistory;
  latency: StatusLatency;
  incidents: Incident[];
}

async function answer(page: Page, { report, history, latency, incidents }: Answers): Promise<void> {
  await page.clock.setFixedTime(report.at);
  const answers: [string, unknown][] = [
    ['**/api/status', report],
    ['**/api/status/history', history],
    ['**/api/status/latency?*', latency],
    ['**/api/status/incidents', { incidents }],
  ];
  for (const [pattern, json] of answers) await page.route(pattern, (route) => route.fulfill({ json }));
}

test('a visitor sees the state of a new installation, and can get it as text, JSON or a feed', async () => {
  const page = await harness.signedOut();
  await page.goto('/status');
  await page.getByRole('heading', { name: 'Status', exact: true }).waitFor();
  await page.getByText('Everything works').waitFor();
  await page.getByText('Nothing to search').waitFor();
  await page.getByText('No searches in this period').waitFor();
  expect(await page.title()).toContain('Status');
  expect(await page.getByRole('heading', { name: 'For the operator' }).count()).toBe(0);
  const links = ['Incident feed', 'Plain text', 'JSON'].map((name) => page.getByRole('link', { name, exact: true }));
  for (const link of links) {
    const response = await page.request.get((await link.getAttribute('href')) ?? '');
    expect(response.status()).toBe(200);
  }
});

test('days and times can be read one by one with the keyboard, and as tables', async () => {
  const page = await harness.signedOut();
  await answer(page, fullAnswers());
  await page.goto('/status');
  const days = page.getByRole('slider', { name: 'Search, day by day' });
  await days.focus();
  expect(await days.getAttribute('aria-valuetext')).toMatch(/^November 22: operational/);
  await page.keyboard.press('ArrowLeft');
  expect(await days.getAttribute('aria-valuetext')).toMatch(/degraded, 12 of 1,440 checks failed/);
  await page.keyboard.press('Home');
  expect(await days.getAttribute('aria-valuetext')).toMatch(/no data$/);
  await page.getByRole('slider', { name: 'Search duration, one by one' }).focus();
  await page.keyboard.press('ArrowLeft');
  await page
    .getByRole('region', { name: /^Speed/ })
    .getByRole('button', { name: 'Show as table' })
    .press('Enter');
  await page.getByRole('table', { name: 'Search duration' }).waitFor();
  await page
    .getByRole('region', { name: 'Components', exact: true })
    .getByRole('button', { name: 'Show as table' })
    .press('Enter');
  await page.getByRole('table', { name: 'Components, day by day' }).waitFor();
});

test('the chosen calls and period survive a reload', async () => {
  const page = await harness.signedOut();
  await answer(page, fullAnswers());
  await page.goto('/status');
  const chosen = (name: string) => page.getByRole('region', { name: /^Speed/ }).getByRole('radio', { name });
  await chosen('Reads').click();
  await page.waitForURL(/[?&]calls=read$/);
  await chosen('90 days').click();
  await page.waitForURL(/[?&]calls=read&time=90d$/);
  await page.reload();
  for (const name of ['Reads', '90 days']) await expect.poll(() => chosen(name).isChecked()).toBe(true);
  await page.getByRole('slider', { name: 'Read duration, one by one' }).waitFor();
  await chosen('Searches').click();
  await page.waitForURL(/[?]time=90d$/);
  await chosen('24 h').click();
  await page.waitForURL(/\/status$/);
});

test('the operator reports, updates and resolves an incident, and visitors see its text without raw HTML', async () => {
  const page = await harness.signedIn();
  await page.goto('/status');
  await page.getByRole('button', { name: 'Report an incident' }).click();
  await expectFocus(page.getByLabel('Title'));
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Enter a short title.').waitFor();
  await page.getByLabel('Title').fill('Searches <b>are</b> slow');
  await page.getByLabel('Description', { exact: true }).fill('We are **looking** <img src=x onerror=alert(1)>');
  const writing = page.getByRole('form', { name: 'Report an incident' });
  await writing.getByRole('checkbox', { name: 'Search', exact: true }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  const visitor = await harness.signedOut();
  await visitor.goto('/status');
  const card = visitor.getByRole('article', { name: 'Searches <b>are</b> slow' });
  await card.locator('strong', { hasText: 'looking' }).waitFor();
  expect(await card.locator('img[src]').count()).toBe(0);
  await visitor.getByText('Some components do not work properly').waitFor();
  const form = page.getByRole('form', { name: 'Update: Searches <b>are</b> slow' });
  await form.getByLabel('Update', { exact: true }).fill('A full disk.');
  await form.getByRole('button', { name: 'Add update' }).click();
  await page.getByRole('article').getByText('A full disk.').waitFor();
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Resolve incident…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Resolve incident' }).click();
  await page.getByText('Everything works').waitFor();
  await page.getByRole('article').getByText('Resolved', { exact: true }).first().waitFor();
  expect(await form.count()).toBe(0);
});

test('the page shows that the server is unreachable since when, and recovers after a retry', async () => {
  const page = await harness.signedOut({ isStill: true });
  await page.clock.install();
  await page.goto('/status');
  // The server-rendered state shows the same text.
  await page.getByRole('slider', { name: 'Database, day by day' }).waitFor();
  await expect.poll(() => page.locator('[data-written]').count()).toBe(0);
  await page.getByText('Everything works').waitFor();
  await page.route('**/api/status*', (route) => route.abort());
  await page.clock.runFor(31_000);
  await page.getByText("Can't reach the server").waitFor();
  await page.getByText(/Last response at/).waitFor();
  await page.getByText('Last known: Everything works').waitFor();
  await page.unroute('**/api/status*');
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.getByText("Can't reach the server").waitFor({ state: 'detached' });

  await page.route('**/api/status/latency*', (route) => route.fulfill({ status: 503, json: {} }));
  await page.getByRole('radio', { name: '7 days' }).click();
  const fault = page.getByRole('alert').filter({ hasText: "Couldn't load response times" });
  await fault.getByRole('button', { name: 'Try again' }).waitFor();
  await page.unroute('**/api/status/latency*');
  await fault.getByRole('button', { name: 'Try again' }).click();
  await fault.waitFor({ state: 'detached' });
});

test('the busiest and the down state are accessible and fit, in both themes and at both widths', async () => {
  const full = fullAnswers();
  const down = {
    ...full.report,
    state: 'down' as const,
    checks: full.report.checks.map((check) => ({
      ...check,
      state: check.part === 'database' ? ('down' as const) : ('unknown' as const),
      tookMs: null,
    })),
    queue: null,
    index: null,
  };
  await checkScene(harness, {
    name: 'degraded, with everything',
    path: '/status',
    isVisitor: true,
    set: (page) => answer(page, full),
    until: (page) => page.getByRole('article').locator('strong').first().waitFor(),
  });
  const page = await harness.signedOut({ isStill: true });
  await answer(page, { ...full, report: { ...down, incidents: [sampleIncident('critical')] } });
  await page.goto('/status');
  await page.getByText('There is an outage').waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
});
