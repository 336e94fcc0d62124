import { afterAll, describe, expect, test } from 'vitest';
import { type CodeHostServer, startCodeHost } from '../services/code-host.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { hasChromium } from './chromium.ts';
import { expectFocus, useHarness } from './harness.ts';

describe.skipIf(!hasChromium)('repositories in the browser', () => {
  let host: CodeHostServer;
  const harness = useHarness({
    async env() {
      host = await startCodeHost(temporaryFolder());
      host.addPerson('ada');
      for (let at = 1; at <= 40; at += 1) await host.addProject(`ada/project-${at}`);
      const files = { 'README.md': '# Handbook', 'docs/a.md': '# Working hours\n\nFrom nine to five.' };
      const project = await host.addProject('ada/handbook', { isPrivate: true, files, description: 'How we work' });
      await project.served?.tag('v1.0');
      const { LECTERN_ALLOW_HOSTS: _hosts, ...configured } = host.environment.oauth;
      return configured;
    },
  });
  afterAll(() => host?.stop());

  test('a user connects GitHub, adds a folder of a repository by keyboard, removes it and disconnects', async () => {
    const { page } = await harness.person();
    harness.allowLeaving(host.url);
    await page.goto('/resources?tab=repositories');
    await page.getByRole('button', { name: 'Connect GitHub' }).click();
    await page.getByRole('link', { name: 'Continue as ada' }).click();
    await page.getByRole('heading', { name: 'No repositories yet' }).waitFor();
    await page.waitForURL(/[?&]tab=repositories/);
    await page.getByRole('button', { name: 'Add a repository' }).click();
    const search = page.getByRole('searchbox', { name: 'Search your repositories' });
    await expectFocus(search);
    await page.getByText('30 of 41 repositories').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('41 repositories', { exact: true }).waitFor();
    await search.fill('how WORK');
    await page.getByText('1 repository', { exact: true }).waitFor();
    await page.getByRole('button', { name: /ada\/handbook/ }).press('Enter');
    await expectFocus(page.getByRole('heading', { name: 'ada/handbook' }));
    await page.getByRole('combobox', { name: 'Branch or tag' }).press('Enter');
    await page.getByRole('option', { name: /v1\.0/ }).click();
    await page.getByLabel('Folder').fill('docs');
    await page.keyboard.press('Enter');
    const row = page.getByRole('listitem').filter({ hasText: 'ada/handbook' });
    await row.getByText('1 file, 1 of documentation').waitFor();
    await row.getByText('updated after each push').waitFor();
    await row.getByRole('button', { name: 'Actions for ada/handbook' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByRole('button', { name: 'Remove repository' }).click();
    await page.getByRole('heading', { name: 'No repositories yet' }).waitFor();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    const dialog = page.getByRole('alertdialog');
    await expectFocus(dialog.getByRole('button', { name: 'Cancel' }));
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('heading', { name: 'Connect GitHub' }).waitFor();
    expect(host.tokens.size).toBe(0);
  });

  test('denied access at GitHub shows a message, and a paused repository shows in open pages at once', async () => {
    const { page } = await harness.person();
    harness.allowLeaving(host.url);
    await page.goto('/resources?tab=repositories');
    await page.getByRole('button', { name: 'Connect GitHub' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByText('because you did not grant access').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('because you did not grant access').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Connect GitHub' }).click();
    await page.getByRole('link', { name: 'Continue as ada' }).click();
    await page.getByRole('button', { name: 'Add a repository' }).click();
    await page.getByRole('searchbox').fill('handbook');
    await page.getByRole('button', { name: /ada\/handbook/ }).click();
    await page.getByRole('button', { name: 'Add repository' }).click();
    await page.getByText('read by the account ada').waitFor();
    const other = await page.context().newPage();
    await other.goto('/resources?tab=repositories');
    // Waits for the first run, which would notice the lost token before the recount.
    await other.getByText(/^(?:Current|Failed)$/).waitFor();
    await other.getByText('of documentation').waitFor();
    await page.getByRole('button', { name: 'Actions for ada/handbook' }).click();
    const recount = page.getByRole('menuitem', { name: 'Count files again' });
    await recount.waitFor();
    // Only now: any other call to the host would pause the repository first, and a paused one has no recount.
    host.tokens.clear();
    await recount.click();
    for (const tab of [page, other]) {
      await tab
        .getByText('GitHub no longer accepts the connection through which it was read.', { exact: true })
        .waitFor();
    }
  });
});
