import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from './chromium.ts';
import { expectAccessible, expectFocus, useHarness } from './harness.ts';

const step = (page: Page, title: RegExp) => page.getByRole('region', { name: title });

describe.skipIf(!hasChromium)('the install page', () => {
  const harness = useHarness();

  test('leads to a working connection by keyboard', async () => {
    await harness.run('index', `${harness.site.origin}/`, '--name', 'tidewater', '--wait');
    const page = await harness.signedIn();
    await page.goto('/install');
    await page.getByText("You don't have any active API keys.").waitFor();
    expect(await page.title()).toBe('Lectern - Install');
    await page.getByRole('button', { name: 'Test connection' }).press('Enter');
    await expectFocus(page.getByRole('textbox', { name: 'Name' }));
    await page.getByRole('radio', { name: 'Cursor' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('radio', { name: 'VS Code', checked: true }).waitFor();
    await page.keyboard.press('ArrowUp');

    await page.getByRole('textbox', { name: 'Name' }).focus();
    await page.keyboard.type('Cursor on the laptop');
    await page.keyboard.press('Enter');
    await page.getByText('Filled in below').waitFor();
    const code = page.getByRole('group', { name: 'Configuration for Cursor' });
    const config = JSON.parse((await code.textContent()) ?? '') as { mcpServers: { lectern: { url: string } } };
    expect(config.mcpServers.lectern.url).toBe(`${harness.url}/mcp`);
    const link = new URL((await page.getByRole('link', { name: 'Add to Cursor' }).getAttribute('href')) ?? '');
    expect(JSON.parse(atob(link.searchParams.get('config') ?? ''))).toEqual(config.mcpServers.lectern);
    expect(page.url()).toBe(`${harness.url}/install`);

    await page.getByRole('textbox', { name: 'Search for' }).fill('dead letter queue drain');
    await page.keyboard.press('Enter');
    await page.getByText('The key works: an agent with this configuration can search here.').waitFor();
    const rows = step(page, /Test connection/).getByRole('listitem');
    expect(await rows.count()).toBe(3);
    expect(await rows.getByLabel('worked').count()).toBe(3);
    await rows.nth(1).getByText('lectern_search_documentation, lectern_read_url').waitFor();
    for (const row of await rows.all()) expect(await row.textContent()).toMatch(/\d ms/);
    await rows.nth(2).getByText('Server response').click();
    await page.getByRole('group', { name: 'Response to: Search' }).waitFor();
    await expectAccessible(page);
  });

  test('fills in an existing key on demand and removes it when the key is revoked elsewhere', async () => {
    const secret = (await harness.run('key', 'create', 'Old laptop')).trim();
    const page = await harness.signedIn();
    await page.goto('/install');
    await page.getByRole('button', { name: 'Fill in this key' }).click();
    await page.getByText(`Bearer ${secret}`).first().waitFor();
    const keys = await harness.signedIn();
    await keys.goto('/keys');
    await keys.getByRole('button', { name: 'Revoke Old laptop' }).click();
    await keys.getByRole('button', { name: 'Revoke key' }).click();
    await keys.getByText('“Old laptop” revoked').waitFor();
    // The other page learns of it and removes the key on its own.
    await page.getByText(`Bearer ${secret}`).first().waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
  });

  test('a failing connection test stops at the failed step and says what to do', async () => {
    await harness.run('key', 'create', 'Tested');
    const page = await harness.signedIn();
    await page.route('**/mcp', (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/json',
        body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'Not accepted' } }),
      }),
    );
    await page.goto('/install');
    await page.getByRole('button', { name: 'Fill in this key' }).waitFor();
    await page.getByRole('button', { name: 'Test connection' }).click();
    const rows = step(page, /Test connection/).getByRole('listitem');
    await rows.nth(0).getByLabel('failed').waitFor();
    await rows.nth(0).getByText('Not accepted').first().waitFor();
    await rows.nth(0).getByText('Choose another one, or create a new key.', { exact: false }).waitFor();
    expect(await rows.getByLabel('not yet').count()).toBe(2);
    await expectAccessible(page);
    await page.unroute('**/mcp');
    await page.route('**/mcp', (route) => route.abort());
    await page.getByRole('button', { name: 'Test connection' }).click();
    await rows.nth(0).getByText('The server is not responding').waitFor();
  });

  test('remembers the chosen agent, and gives the stdio program to agents that need it', async () => {
    const page = await harness.signedIn();
    await page.goto('/install');
    await page.getByRole('group', { name: 'Agent' }).getByText('Claude Desktop', { exact: true }).click();
    await page.getByRole('tab', { name: 'MCP stdio', selected: true }).waitFor();
    await page.getByText('claude_desktop_config.json', { exact: false }).first().waitFor();
    await page.getByRole('tab', { name: 'MCP Streamable HTTP' }).click();
    await page.reload();
    await page.getByRole('radio', { name: 'Claude Desktop', checked: true }).waitFor();
    await page.getByRole('group', { name: 'Rules for the agent' }).getByText('lectern_read_url').waitFor();
    await page.getByRole('button', { name: 'Copy Rules for the agent' }).click();
    await page.getByText('Copied to clipboard').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('lectern_search_documentation');
    // The button says "Copied" for two seconds.
    await expectFocus(page.getByRole('button', { name: /^(?:Copied|Copy Rules for the agent)$/ }));
  });
});
