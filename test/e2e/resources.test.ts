import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { creditEndpoints } from '#contract/credits.ts';
import { hostingEndpoints } from '#contract/hosting.ts';
import { indexRequestEndpoints } from '#contract/index-requests.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { probeEndpoints } from '#contract/probes.ts';
import { repositoryEndpoints } from '#contract/repositories.ts';
import { teamEndpoints } from '#contract/teams.ts';
import { answerWith, askAgain, failWith, neverAnswer, someJob, someModule } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { expectAccessible, expectFocus, useHarness } from './harness.ts';
import { answerTeams } from './team-answers.ts';

/** Records each position of the search in a source since it appeared. */
const noteTops = `globalThis.tops = new Set();
requestAnimationFrame(function note() {
  const search = document.querySelector('#main form[role=search]');
  if (search) tops.add(search.getBoundingClientRect().top);
  requestAnimationFrame(note);
});`;

const newestRun = (page: Page) =>
  page
    .getByRole('region', { name: /^Recent runs/ })
    .getByRole('listitem')
    .first();

describe.skipIf(!hasChromium)('resources', () => {
  const harness = useHarness();

  test('a new user adds a source, watches it being indexed and searches it', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources');
    await page.getByRole('button', { name: 'Add your first source' }).click();
    harness.site.hold();
    try {
      await page.keyboard.type(`${harness.site.origin}/`);
      await page.getByRole('button', { name: 'Name, limits and credential' }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tidewater');
      await page.getByRole('textbox', { name: 'Id' }).fill('tidewater');
      await page.getByRole('textbox', { name: 'Max pages' }).fill('40');
      await page.getByRole('textbox', { name: 'Link depth' }).fill('3');
      await page.getByRole('button', { name: 'Index' }).click();
      const run = page.getByRole('listitem').filter({ hasText: 'Tidewater' });
      await run.getByText('Crawling').waitFor();
      await run.getByRole('progressbar').waitFor();
      await run.getByRole('button', { name: 'Cancel Tidewater' }).waitFor();
    } finally {
      harness.site.release();
    }
    const run = newestRun(page);
    await run.getByText('Complete').waitFor();
    await run.getByRole('link', { name: 'Search it' }).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'tidewater' });
    await row.getByRole('cell', { name: '5', exact: true }).first().waitFor();
    await row.getByRole('link', { name: 'Search in Tidewater' }).click();
    await page.waitForURL(/\/search\?module=tidewater/);
  });

  test('a run shows the skipped pages and the reasons', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources?tab=runs');
    const run = page.getByRole('button', { name: /Tidewater.*Complete/ });
    await run.click();
    expect(await run.getAttribute('aria-expanded')).toBe('true');
    await page.getByRole('heading', { name: 'Left out, and why' }).waitFor();
    const reason = page.getByRole('button', { name: /^robots.txt does not allow it/ });
    await reason.press('Enter');
    expect(await reason.getAttribute('aria-expanded')).toBe('true');
    await page.getByText(`${harness.site.origin}/private/notes.html`).waitFor();
  });

  test('a refresh of an unchanged source finds no changes', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources');
    await page.getByRole('button', { name: 'More for Tidewater' }).click();
    await page.getByRole('menuitem', { name: 'Refresh' }).click();
    await page.getByText('5 pages unchanged').waitFor();
  });

  test('a source has its own page with coverage, settings, runs and a search in it', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources');
    await page.getByRole('link', { name: 'Tidewater', exact: true }).click();
    await page.waitForURL(/\/resources\/tidewater$/);
    await page.getByRole('heading', { level: 1, name: 'Tidewater' }).waitFor();
    // The second run covers as many pages as the first.
    const coverage = page.getByRole('region', { name: 'Coverage of the last run' });
    await coverage.getByText('Unchanged').waitFor();
    await page.getByRole('region', { name: 'Settings' }).getByText('40', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'Job runs' }).getByText('Complete').count()).toBe(2);
    await page.getByRole('textbox', { name: 'Search in Tidewater' }).fill('dead letters');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?q=dead\+letters&module=tidewater/);
    await page.getByRole('article').first().waitFor();

    await page.goto('/resources/of-nobody');
    await page.getByText('Source “of-nobody” not found').waitFor();
  });

  test('a long list can be filtered and sorted, and the URL keeps both', async () => {
    const page = await harness.signedIn();
    await answerManySources(page, 200);
    await page.goto('/resources');
    await page.getByText(/^200 sources, /).waitFor();
    const filter = page.getByRole('searchbox', { name: 'Filter by name or address' });
    // Types as fast as the browser accepts keys, also in the middle of the text.
    await filter.pressSequentially('rary 19');
    await filter.press('Home');
    await filter.pressSequentially('lib');
    expect(await filter.inputValue()).toBe('library 19');
    const rows = page.getByRole('table').getByRole('row');
    await expect.poll(() => rows.count(), { timeout: 15_000 }).toBe(13);
    await page.waitForURL(/filter=library\+19/);
    await page.getByRole('button', { name: 'Pages' }).click();
    await page.waitForURL(/sort=pages/);
    await page.reload();
    await expect.poll(() => rows.count(), { timeout: 15_000 }).toBe(13);
    expect(await page.getByRole('columnheader', { name: 'Pages' }).getAttribute('aria-sort')).toBe('ascending');
    await filter.fill('no such thing');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => rows.count(), { timeout: 15_000 }).toBe(101);
    await page.getByRole('button', { name: 'Show 100 more' }).press('Enter');
    await expectFocus(rows.nth(101).getByRole('link').first());
    expect(await rows.count()).toBe(201);
    await rows.nth(150).getByRole('link').first().click();
    await page.waitForURL(/\/resources\/library-/);
    await page.goBack();
    await expect.poll(() => rows.count(), { timeout: 15_000 }).toBe(201);
    await page.getByRole('button', { name: '2 sources need attention' }).click();
    await expect.poll(() => rows.count(), { timeout: 15_000 }).toBe(3);
  });

  test('a running job can be cancelled, and the pages served before stay', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources');
    harness.site.hold();
    try {
      await page.getByRole('button', { name: 'More for Tidewater' }).click();
      await page.getByRole('menuitem', { name: 'Refresh' }).click();
      await page.getByRole('button', { name: 'Cancel Tidewater' }).click();
      await newestRun(page).getByText('Cancelled').waitFor();
    } finally {
      harness.site.release();
    }
    await page.getByRole('row').filter({ hasText: 'tidewater' }).waitFor();
  });

  test('a source that cannot be indexed shows why and what to do', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources#add');
    const field = page.getByRole('textbox', { name: 'Add a source' });
    await expectFocus(field);
    await page.keyboard.type('not an address');
    await page.keyboard.press('Enter');
    await page.getByText('This is not an address.').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await expectFocus(field);

    await field.fill('http://127.0.0.1:9/');
    await page.keyboard.press('Enter');
    await page
      .getByText(/LECTERN_ALLOW_HOSTS/)
      .first()
      .waitFor();

    await field.fill(`${harness.site.origin}/nowhere/`);
    await page.keyboard.press('Enter');
    await newestRun(page).getByText('Failed').waitFor();
    await page
      .getByRole('button', { name: /^Try again: / })
      .first()
      .waitFor();

    await page
      .getByRole('button', { name: /^Try again: / })
      .first()
      .click();
    await newestRun(page)
      .getByText(/Failed/)
      .waitFor();

    // A source that was never served is listed with its error until it is removed.
    const failed = page.getByRole('row').filter({ hasText: '~nowhere' });
    await failed.getByText('Failed').locator('visible=true').waitFor();
    await failed.getByRole('button', { name: /^More for / }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByRole('button', { name: 'Remove source' }).click();
    await failed.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'tidewater' }).waitFor();
    expect(await failed.count()).toBe(0);
  });

  test('a repository shows its commit, its last check and why nothing newer was read', async () => {
    const page = await harness.signedIn({ isStill: true });
    const source = { moduleId: 'github.com~psf~requests', visibility: 'public' as const, kind: 'git' as const };
    const url = 'https://github.com/psf/requests';
    const library = { library: 'github.com~psf~requests', version: '2.31.0' };
    const module = someModule({ ...source, ...library, url, displayName: 'Requests' });
    await answerWith(page, libraryEndpoints.listModules, { modules: [module] });
    await answerWith(page, repositoryEndpoints.listRepositories, {
      repositories: [
        {
          ...{ moduleId: source.moduleId, visibility: 'public', url, ref: { kind: 'tag', name: 'v2.31.0' } },
          ...{ folder: 'docs', revision: '147c8511ddbfa5e8f71bbf5c18ede0c4ceb3bba4' },
          ...{ checkedAt: Date.now() - 180_000, nextCheckAt: Date.now() },
          checkError: 'The host github.com did not answer. It is asked again later.',
        },
      ],
    });
    await page.goto(`/resources/${source.moduleId}`);
    const facts = page.getByRole('region', { name: 'Settings' });
    await facts.getByText('v2.31.0').waitFor();
    expect(await facts.innerText()).toMatch(/Version\s+2\.31\.0 of github\.com~psf~requests/);
    expect(await facts.innerText()).toMatch(/Folder\s+docs\s+Commit\s+147c8511dd\s+Last check\s+3\s?min/i);
    await page.getByText('The host github.com did not answer.').waitFor();
    await expectAccessible(page);
  });

  test('the screen summarizes the private index of the workspace, or shows that it failed to load', async () => {
    const page = await harness.signedIn({ isStill: true });
    await failWith(page, libraryEndpoints.getPrivateIndex, 'unavailable');
    await page.goto('/resources');
    await page.getByText('Failed to load private index').waitFor();
    await expectAccessible(page);
    const modules = [someModule({ visibility: 'private' })];
    const index = {
      ...{ uid: 'local-owner', teamId: null, indexId: 'default', stackName: 'default', totalDocs: 512, modules },
      ...{ createdAt: Date.now(), updatedAt: Date.now() - 120_000 },
    };
    const again = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await askAgain(again, [libraryEndpoints.getPrivateIndex], () =>
      answerWith(page, libraryEndpoints.getPrivateIndex, { index }),
    );
    await page.getByText('Private index: 1 source, 512 pages, updated 2 minutes ago').waitFor();
  });

  test('a member whose role fails to load sees no actions until it loads', async () => {
    const page = await harness.signedIn();
    await answerTeams(page, 'writer');
    await failWith(page, teamEndpoints.listMemberships, 'unavailable');
    await page.goto('/resources');
    await page.getByText("Couldn't load your role in this team").waitFor();
    expect(await page.getByRole('form', { name: 'Add a source' }).count()).toBe(0);
    const again = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await askAgain(again.first(), [teamEndpoints.listMemberships], () => answerTeams(page, 'writer'));
    await page.getByRole('form', { name: 'Add a source' }).waitFor();

    await failWith(page, teamEndpoints.listTeams, 'unavailable');
    await page.goto('/resources?tab=credentials');
    await page.getByRole('tab', { name: 'Credentials', selected: true }).waitFor();
    await page.getByRole('button', { name: 'Workspace Teams not loaded' }).press('Enter');
    const inMenu = page.getByRole('dialog', { name: 'Workspaces' }).getByRole('button', { name: 'Try again' });
    await askAgain(inMenu, [teamEndpoints.listTeams], () => answerTeams(page, 'writer'));
    await page.getByRole('button', { name: 'Workspace: Analytical Engines' }).waitFor();
  });

  test('readers see no instructions that only writers can follow', async () => {
    const page = await harness.signedIn();
    await answerTeams(page, 'reader');
    await answerWith(page, libraryEndpoints.listModules, { modules: [] });
    await answerWith(page, keyEndpoints.listKeys, { keys: [] });
    await answerWith(page, creditEndpoints.getUsage, { days: [] });
    await answerWith(page, indexRequestEndpoints.listIndexRequests, { requests: [] });
    await answerWith(page, hostingEndpoints.getHosting, { methods: [], connection: null, repositories: [] });
    await page.goto('/dashboard');
    await page.getByRole('region', { name: 'Next steps' }).getByText('Create an API key').waitFor();
    expect(await page.getByText('Add a source').count()).toBe(0);
    await page.goto('/resources?tab=requests');
    await page.getByText('Writers and admins decide whether to index it.').waitFor();
    await page.goto('/resources?tab=repositories');
    await page.getByText('The operator can configure it').waitFor();
    expect(await page.getByText('you can add public repositories').count()).toBe(0);
  });

  test('the buttons that start a run show that they were pressed, and that the run started', async () => {
    const page = await harness.signedIn({ isStill: true });
    const source = someModule({ visibility: 'private' });
    await answerWith(page, libraryEndpoints.listModules, { modules: [source] });
    await answerWith(page, libraryEndpoints.listJobs, { jobs: [] });
    await answerWith(page, libraryEndpoints.startIndexJob, { job: someJob({ displayName: 'React' }) });
    await neverAnswer(page, libraryEndpoints.refreshModule);
    await page.goto('/resources');
    await page.getByRole('button', { name: 'Add React', exact: true }).press('Enter');
    await page.getByText('Indexing React').waitFor();
    await page.goto(`/resources/${source.moduleId}`);
    await page.getByRole('button', { name: 'Refresh' }).press('Enter');
    await page.getByRole('button', { name: 'Refresh', disabled: true }).waitFor();
  });

  test('the page of a source has no layout shift when its runs load later', async () => {
    const page = await harness.signedIn({ isStill: true, width: 390 });
    const source = someModule();
    await answerWith(page, probeEndpoints.listProbes, { probes: [] });
    const isRead = Promise.withResolvers<void>();
    await page.route('**/api/modules', async (route) => {
      await route.fulfill({ json: { modules: [source] } });
      isRead.resolve();
    });
    const areAllowed = Promise.withResolvers<void>();
    await page.route('**/api/jobs?**', async (route) => {
      await areAllowed.promise;
      await route.fulfill({ json: { jobs: [someJob({ status: 'FAILED', error: 'It answered 500.' })] } });
    });
    await page.addInitScript(noteTops);
    await page.goto(`/resources/${source.moduleId}`);
    await isRead.promise;
    // A page shown without its runs would be visible by then.
    await page.waitForTimeout(500);
    areAllowed.resolve();
    await page.getByText('The last refresh failed').waitFor();
    expect(await page.evaluate('[...globalThis.tops]')).toEqual([expect.any(Number)]);
  });

  test('the tabs can be opened while the server is away', async () => {
    const page = await harness.signedIn();
    page.removeAllListeners('console');
    await page.goto('/resources');
    await page.getByRole('tab', { name: 'Job runs' }).waitFor();
    await page.waitForTimeout(3_000);
    await page.route('**/*', (route) => route.abort());
    for (const name of ['Job runs', 'Repositories', 'PDF sets', 'Projects', 'Requests', 'Credentials']) {
      await page.getByRole('tab', { name }).click();
      await page.getByRole('tab', { name, selected: true }).waitFor();
      await expect.poll(() => page.getByRole('tabpanel').innerText()).toMatch(/^(?!Loading…)./);
    }
  });

  test('only operators can refresh a folder', async () => {
    const { page } = await harness.person();
    await answerWith(page, libraryEndpoints.listJobs, { jobs: [] });
    const folder = someModule({ displayName: 'Handbook', kind: 'folder', url: '', visibility: 'private' });
    await answerWith(page, libraryEndpoints.listModules, { modules: [folder] });
    await page.goto('/resources');
    await page.getByRole('button', { name: 'More for Handbook' }).press('Enter');
    await page.getByText('Only the operator can refresh folders on the server.').waitFor();
    expect(await page.getByRole('menuitem', { name: 'Refresh' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Remove…' }).waitFor();
  });

  test('a source can be renamed in a dialog by keyboard alone', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources');
    await page.getByRole('button', { name: 'More for Tidewater' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Rename…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Rename Tidewater' });
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await expectFocus(name);
    expect(await name.inputValue()).toBe('Tidewater');
    await name.fill(' ');
    await dialog.getByText('Enter a name.').waitFor();
    await expectAccessible(page);
    await name.fill('Tide handbook');
    await name.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    const more = page.getByRole('button', { name: 'More for Tide handbook' });
    await expectFocus(more);
    await harness.run('rename', 'tidewater', 'Tidewater');
    await page.getByRole('button', { name: 'More for Tidewater' }).waitFor();
  });

  test('the removal dialog names the source and the consequence, focuses Cancel and can be cancelled', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources');
    const more = page.getByRole('button', { name: 'More for Tidewater' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Remove Tidewater' });
    await dialog.getByText(/5 pages/).waitFor();
    await expectFocus(dialog.getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('row').filter({ hasText: 'tidewater' }).waitFor();

    await more.click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await dialog.getByRole('button', { name: 'Remove source' }).press('Enter');
    await Promise.all([
      page.getByRole('row').filter({ hasText: 'tidewater' }).waitFor({ state: 'detached' }),
      page.getByText('Tidewater removed').first().waitFor(),
    ]);
    // The row is gone, with the button that opened the dialog.
    await expect.poll(() => page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
  });

  test('changes by another program appear without a reload', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources');
    await page.getByRole('heading', { name: 'Resources' }).waitFor();
    await harness.run('index', `${harness.site.origin}/`, '--name', 'from-outside', '--wait');
    await page.getByRole('row').filter({ hasText: 'from-outside' }).waitFor();
    await harness.run('remove', 'from-outside');
    await page.getByRole('row').filter({ hasText: 'from-outside' }).waitFor({ state: 'detached' });
  });

  test('only operators see the actions of a public source', async () => {
    await harness.run('index', `${harness.site.origin}/`, '--name', 'for-everyone', '--wait');
    const { page } = await harness.person();
    await page.goto('/resources/for-everyone');
    await page.getByRole('button', { name: /^More for/ }).click();
    await page.getByText('Only the operator can change public sources.').waitFor();
    expect(await page.getByRole('menuitem', { name: /^(?:Refresh|Rename|Remove)/ }).count()).toBe(0);
    expect(await page.getByText('Refresh', { exact: true }).count()).toBe(0);
  });
});

async function answerManySources(page: Page, count: number): Promise<void> {
  const modules = Array.from({ length: count }, (_, place) =>
    someModule({
      moduleId: `library-${place}`,
      displayName: `Library ${place}`,
      pageCount: (place * 37) % 500,
      lastUpdated: place < 2 ? 0 : Date.now(),
    }),
  );
  await answerWith(page, libraryEndpoints.listModules, { modules });
}
