import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { documentEndpoints } from '#contract/documents.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { probeEndpoints } from '#contract/probes.ts';
import { type RepositoryDelivery, type RepositoryTelling, repositoryEndpoints } from '#contract/repositories.ts';
import { type GitServer, startGitServer } from '../services/git-server.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { answerWith, failWith, someJob, someModule } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { expectFocus, useHarness } from './harness.ts';
import { checkScene } from './scene.ts';

const pushes = (page: Page) => page.getByRole('region', { name: 'Pushes' });
const deliveries = (page: Page) => page.getByRole('table', { name: 'Last deliveries' });
const pages = (page: Page) => page.getByRole('table', { name: 'Pages that are served' });

/** Sends a push event as Gitea does and returns the status. */
async function tell(url: string, secret: string, event = 'push'): Promise<number> {
  const body = JSON.stringify({ ref: 'refs/heads/main' });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const headers = { 'x-gitea-event': event, 'x-gitea-signature': signature };
  return (await fetch(url, { method: 'POST', body, headers })).status;
}

describe.skipIf(!hasChromium)('the repository screen', () => {
  let git: GitServer;
  const harness = useHarness({
    env: async () => {
      git = await startGitServer(temporaryFolder());
      return { LECTERN_ALLOW_HOSTS: git.host };
    },
  });
  afterAll(() => git?.stop());

  test('a user sets up a webhook, sees deliveries and why some were rejected, renews the secret and removes it', async () => {
    const repository = await git.add('team/handbook');
    await repository.commit({ 'README.md': '# Hours\n\nThe cloakroom is open from nine.', 'logo.png': 'x' });
    await harness.run('index', repository.url, '--name', 'handbook');
    const page = await harness.signedIn();
    await page.goto('/resources/handbook');
    await page.getByRole('button', { name: 'Set up a webhook' }).press('Enter');
    const shownSecret = pushes(page).locator('code', { hasText: 'whsec_' });
    await expectFocus(shownSecret);
    const url = await pushes(page).locator('code', { hasText: '/webhooks/git/' }).innerText();
    const secret = await shownSecret.innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Keep it visible' }).click();
    await page.getByRole('button', { name: 'Copy secret' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await page.getByRole('button', { name: 'Done' }).click();
    await shownSecret.waitFor({ state: 'detached' });
    await page.getByText('Waiting for the first delivery').waitFor();

    await repository.commit({ 'README.md': '# Hours\n\nThe observatory is open from nine.' });
    expect(await tell(url, secret)).toBe(202);
    await deliveries(page).getByText('The repository was checked.').waitFor({ timeout: 60_000 });
    await page.getByText('Webhook active').waitFor();
    expect(await tell(url, 'another')).toBe(400);
    await deliveries(page).getByText('It was signed with another secret.').waitFor({ timeout: 60_000 });
    await expect
      .poll(async () => JSON.stringify(await (await page.request.get('/api/search?query=observatory')).json()), {
        timeout: 60_000,
      })
      .toContain('The observatory is open');

    await page.getByRole('button', { name: 'New secret…' }).click();
    await expectFocus(page.getByRole('button', { name: 'Cancel' }));
    await page.getByRole('button', { name: 'Create a new secret' }).click();
    await expect.poll(() => shownSecret.innerText()).not.toBe(secret);
    expect(await tell(url, secret)).toBe(400);
    await page.reload();
    await page.getByText('Last delivery rejected').waitFor();
    expect(await shownSecret.count()).toBe(0);
    await page.getByRole('button', { name: 'Remove webhook…' }).press('Enter');
    await page.getByRole('button', { name: 'Remove webhook', exact: true }).click();
    await page.getByRole('button', { name: 'Set up a webhook' }).waitFor();
  });

  test('the pages of a repository can be filtered, and link to the text that agents get', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources/handbook');
    const filter = page.getByRole('searchbox', { name: 'Filter pages by title or address' });
    await pages(page).getByRole('link', { name: 'Hours' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'page' }).last().waitFor();
    // Screen readers announce changes of an element that was there before.
    await page.evaluate('globalThis.region = [...document.querySelectorAll("[role=status]")].at(-1)');
    await filter.fill('nothing like it');
    await page.getByText('No page has “nothing like it” in its title or address.').waitFor();
    expect(await page.evaluate('region.isConnected && region.textContent')).toMatch(/^No page has/);
    await page.reload();
    await page.getByText('No page has “nothing like it” in its title or address.').waitFor();
    await filter.press('Escape');
    await pages(page).getByRole('link', { name: 'Hours' }).waitFor();
    await page.getByRole('tab', { name: 'Left out 1' }).click();
    await page.waitForURL(/pages=left-out/);
    await page.reload();
    const leftOut = page.getByRole('table', { name: 'Pages that were left out' });
    await leftOut
      .getByRole('row')
      .filter({ hasText: 'logo.png' })
      .getByText('Not text')
      .locator('visible=true')
      .waitFor();
    await page.getByRole('tab', { name: 'Served 1' }).click();
    await pages(page).getByRole('link', { name: 'Hours' }).press('Enter');
    await page.getByText('The observatory is open from nine.').waitFor();
  });

  for (const scene of scenes()) {
    test(`${scene.name} is accessible and fits`, () => checkScene(harness, scene));
  }
});

const moduleId = 'git.example~handbook';
const path = `/resources/${moduleId}`;
const now = Date.now();

function delivery(part: Partial<RepositoryDelivery> & { id: string }): RepositoryDelivery {
  const push = { event: 'Push Hook', ref: 'refs/heads/main', outcome: 'looked' as const, reason: null, times: 1 };
  return { at: now - 60_000, ...push, ...part };
}

const all: RepositoryDelivery[] = [
  delivery({ id: '1', outcome: 'refused', reason: 'wrong-secret', event: null, ref: null, times: 3 }),
  delivery({ id: '2', outcome: 'refused', reason: 'late', event: null, ref: null }),
  delivery({ id: '3', outcome: 'refused', reason: 'unsigned', event: null, ref: null }),
  delivery({ id: '4', ref: 'refs/heads/a-branch-with-an-uncommonly-long-name-that-has-to-wrap-somewhere' }),
  delivery({ id: '5', outcome: 'elsewhere' }),
  delivery({ id: '6', outcome: 'repeated' }),
  delivery({ id: '7', outcome: 'ignored', event: 'Issue Hook', ref: null }),
  delivery({ id: '8' }),
  delivery({ id: '9' }),
];
const webhook = { url: 'http://127.0.0.1:7331/webhooks/git/5e55b83e-67f8-409e-b5f9-c9bf9121354f' };
const telling: RepositoryTelling = {
  webhook: { ...webhook, createdAt: now - 3_600_000, receivedAt: null, receivedEvent: null },
  ...{ host: null, deliveries: all },
};

async function answerSource(page: Page): Promise<void> {
  const source = { moduleId, displayName: 'Handbook', kind: 'git' as const, url: 'https://git.example/handbook' };
  const modules = [someModule({ ...source, pageCount: 120 })];
  await answerWith(page, libraryEndpoints.listModules, { modules });
  await answerWith(page, libraryEndpoints.listJobs, { jobs: [someJob({ ...source, skipped: 3, failed: 1 })] });
  await answerWith(page, probeEndpoints.listProbes, { probes: [] });
  await answerWith(page, repositoryEndpoints.listRepositories, { repositories: [] });
}

function somePages(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    url: `https://git.example/handbook/main/docs/${'a-folder-with-a-long-name/'.repeat(3)}page-${at}.md`,
    ...{ title: `Page ${at}`, snippets: at, tokens: at * 300, fetchedAt: now - 60_000, revision: null },
  }));
}

function scenes() {
  return [
    {
      ...{ name: 'a new webhook with deliveries of every kind', path },
      async set(page: Page) {
        await answerSource(page);
        await answerWith(page, repositoryEndpoints.getRepositoryWebhook, telling);
        await answerWith(page, documentEndpoints.listModulePages, {
          ...{ pages: somePages(3), total: 120, visibility: 'public' as const },
        });
      },
      async until(page: Page) {
        await page.getByRole('button', { name: 'Show 1 older delivery' }).waitFor();
        await page.getByText('3 of 120 pages').waitFor();
        await page.getByRole('button', { name: 'Show more pages' }).waitFor();
      },
    },
    {
      ...{ name: 'a repository whose webhook and pages fail to load', path },
      async set(page: Page) {
        await answerSource(page);
        await failWith(page, repositoryEndpoints.getRepositoryWebhook, 'unavailable');
        await failWith(page, documentEndpoints.listModulePages, 'unavailable');
      },
      async until(page: Page) {
        await page.getByText("Couldn't load the webhook").waitFor();
        await page.getByText("Couldn't load the pages").waitFor();
      },
    },
  ];
}
