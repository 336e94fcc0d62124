import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { serveSite } from '../cli/run-cli.ts';
import { hasChromium } from './chromium.ts';
import { expectFocus, useHarness } from './harness.ts';

const secret = 'Bearer tide-4711';

describe.skipIf(!hasChromium)('private sources', () => {
  let origin = '';
  const harness = useHarness({
    env: async () => {
      const site = await servePrivateSite();
      origin = site.origin;
      return { LECTERN_ALLOW_HOSTS: site.host };
    },
  });

  test('an address is recognized while the user types it', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources#add');
    const field = page.getByRole('textbox', { name: 'Add a source' });
    await field.fill('docs.python.org/3/');
    await page.getByText('A documentation site. Its id will be docs.python.org~3.').waitFor();
    await field.fill('/srv/docs');
    await page.getByText('A folder on the server. Its id will be docs.').waitFor();
    await field.fill('https://example.org/files/manual.pdf');
    await page.getByText('A PDF file. Its id will be example.org~files~manual.pdf.').waitFor();
    await field.fill('not an address');
    await page.getByText('A PDF file.').waitFor({ state: 'detached' });
  });

  test('a site that requires sign-in is indexed with a credential, which is never shown again', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources');
    await add(page, origin);
    const run = page.getByRole('region', { name: /^Recent runs/ }).getByRole('listitem');
    await run.getByText('Failed').first().waitFor();
    await run.getByText(/401/).first().waitFor();

    await page.getByRole('textbox', { name: 'Add a source' }).fill(`${origin}/`);
    await page.getByText(/It is already indexed as/).waitFor();
    await page.getByRole('button', { name: /^Name, limits/ }).click();
    await page.getByRole('combobox', { name: 'Credential' }).click();
    await page.getByRole('option', { name: 'Add one…' }).click();
    await page.getByText(/^Private, because it needs a credential/).waitFor();
    await page.getByRole('button', { name: 'Index', exact: true }).click();
    await expectFocus(page.getByRole('textbox', { name: 'Header' }));
    await page.getByRole('textbox', { name: 'Header' }).fill('Authorization');
    await page.getByRole('textbox', { name: 'Label' }).fill('Tide docs');
    await page.getByLabel('Value', { exact: true }).fill(secret);
    await page.getByRole('button', { name: 'Index', exact: true }).click();
    await run.getByText('Complete').waitFor();

    await page.getByRole('tab', { name: 'Credentials' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Tide docs' });
    await row.getByText(origin).waitFor();
    await row.getByText('Header').waitFor();
    expect(await page.content()).not.toContain('tide-4711');
  });

  test('after its credential is removed, a source fails to refresh but stays indexed', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources?tab=credentials');
    await page.getByRole('button', { name: 'Remove Tide docs' }).click();
    await page
      .getByRole('alertdialog')
      .getByText(/can no longer be refreshed/)
      .waitFor();
    await page.getByRole('button', { name: 'Remove credential' }).click();
    await page.getByRole('heading', { name: 'No credentials yet' }).waitFor();

    await page.getByRole('tab', { name: 'Sources' }).click();
    await page.getByRole('link', { name: 'Tide', exact: true }).first().click();
    await page.getByText('Uses a stored credential').waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('The last refresh failed').waitFor();
    await page
      .getByText(/The earlier version is still served/)
      .first()
      .waitFor();
  });

  test('a page of a private source opens in the viewer for its owner only', async () => {
    const owner = await harness.person();
    const source = `${origin}/open/`;
    await owner.page.goto('/resources');
    await owner.page.getByRole('textbox', { name: 'Add a source' }).fill(source);
    await owner.page.getByRole('button', { name: 'Index', exact: true }).click();
    const run = owner.page.getByRole('region', { name: /^Recent runs/ }).getByRole('listitem');
    await run.getByText('Complete').waitFor();
    await owner.page.goto(`/document/${source}`);
    await owner.page.getByRole('heading', { name: 'Tide', level: 1 }).waitFor();
    await owner.page.getByText('How high the water stands.').waitFor();

    for (const page of [(await harness.person()).page, await harness.signedOut()]) {
      await page.goto(`/document/${source}`);
      await page.getByRole('heading', { name: 'This page is not indexed' }).waitFor();
      expect(await page.content()).not.toContain('How high the water stands');
    }
  });
});

async function add(page: Page, address: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Add a source' }).fill(`${address}/`);
  await page.getByRole('button', { name: /^Name, limits/ }).click();
  await page.getByRole('checkbox', { name: 'Private' }).click();
  await page.getByRole('button', { name: 'Index', exact: true }).click();
}

/** Serves documentation to requests with the right header, and the folder `/open/` to everyone. */
async function servePrivateSite(): Promise<{ origin: string; host: string }> {
  return serveSite((request, response) => {
    if (request.headers.authorization !== secret && request.url !== '/open/') {
      response.statusCode = 401;
      response.end('sign in');
      return;
    }
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      '<!doctype html><html><head><title>Tide</title></head><body><main><h1>Tide</h1><p>How high the water stands.</p></main></body></html>',
    );
  });
}
