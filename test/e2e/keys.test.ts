import { describe, expect, test } from 'vitest';
import { keyEndpoints } from '#contract/keys.ts';
import { failWith } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { expectAccessible, expectFocus, openWithFrame, useHarness } from './harness.ts';

describe.skipIf(!hasChromium)('API keys', () => {
  const harness = useHarness();

  test('a new key can be copied, is filled into the setup of every agent, and works', async () => {
    const page = await harness.signedIn();
    await page.goto('/keys');
    await page.getByRole('heading', { name: "You don't have any API keys yet." }).waitFor();
    expect(await page.title()).toBe('Lectern - API Keys');
    await page.getByRole('button', { name: '+ New API Key' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('API key name is required').waitFor();
    await page.keyboard.type('Laptop');
    await page.keyboard.press('Enter');

    const panel = page.getByRole('region', { name: '“Laptop” is ready' });
    await panel.getByRole('button', { name: 'Copy key' }).click();
    await panel.getByRole('button', { name: 'Copied' }).waitFor();
    const secret = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(secret).toMatch(/^lec_[A-Za-z0-9]{38}$/);

    expect(await panel.getByRole('tab', { name: 'MCP Streamable HTTP' }).getAttribute('aria-selected')).toBe('true');
    await panel.getByText(`Bearer ${secret}`).first().waitFor();
    await panel.getByRole('tab', { name: 'MCP stdio' }).click();
    await panel.getByText('LECTERN_API_KEY').first().waitFor();
    // By keyboard: the toast about the copied key may cover it for a moment.
    await panel.getByRole('combobox', { name: 'Agent' }).press('Enter');
    await page.getByRole('option', { name: 'Cursor' }).click();
    await panel.getByText('~/.cursor/mcp.json').waitFor();

    await panel.getByRole('button', { name: 'Close' }).click();
    await panel.waitFor({ state: 'detached' });
    await page
      .getByText(`${secret.slice(0, 8)}…${secret.slice(-4)}`)
      .last()
      .waitFor();
    expect(await page.content()).not.toContain(secret);

    const answer = await fetch(`${harness.url}/api/modules`, { headers: { authorization: `Bearer ${secret}` } });
    expect(answer.status).toBe(200);
  });

  test('a double click creates one key', async () => {
    const page = await harness.signedIn();
    await page.goto('/keys#new');
    await page.getByLabel('Name').fill('Pressed twice');
    await page.getByRole('button', { name: 'Create key' }).dblclick();
    await page.getByRole('region', { name: '“Pressed twice” is ready' }).getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'Pressed twice' }).first().waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Pressed twice' }).count()).toBe(1);
  });

  test('a key for deep research can be created, and the list shows its tools', async () => {
    const page = await harness.signedIn();
    await page.goto('/keys#new');
    await page.getByLabel('Name').fill('Researcher');
    await page.getByRole('checkbox', { name: 'Deep research tools' }).check();
    await expectAccessible(page, ['light']);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('region', { name: '“Researcher” is ready' }).getByRole('button', { name: 'Close' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Researcher' });
    await row.getByText('Search and read, Deep research tools').waitFor();
  });

  test('keys are shown, hidden and copied one at a time, and a shown key is filled into the setup', async () => {
    const [one, two] = [await harness.run('key', 'create', 'One'), await harness.run('key', 'create', 'Two')];
    const page = await harness.signedIn();
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Show One' }).last().click();
    const row = page.getByRole('row').filter({ hasText: 'One' });
    await row.getByText(one.trim()).last().waitFor();
    await page.getByText(`Bearer ${one.trim()}`).first().waitFor();
    expect(await page.content()).not.toContain(two.trim());
    await page.getByRole('button', { name: 'Hide One' }).last().click();
    await page.getByRole('button', { name: 'Show One' }).last().waitFor();
    expect(await page.content()).not.toContain(one.trim());
    await page.getByRole('button', { name: 'Copy Two' }).last().click();
    await page.getByText('Copied to clipboard').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(two.trim());
    expect(await page.content()).not.toContain(two.trim());
    await page.getByRole('button', { name: 'Show Two' }).last().waitFor();
    await page.getByText('Copied to clipboard').waitFor({ state: 'detached' });
  });

  test('a toast can be read and dismissed in a dialog that opens later', async () => {
    await harness.run('key', 'create', 'Told');
    const page = await harness.signedIn();
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Copy Told' }).last().click();
    // A hovered toast stays.
    await page.getByText('Copied to clipboard').hover();
    await page.getByRole('button', { name: 'Revoke Told' }).last().press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Revoke “Told”' });
    await dialog.getByText('Copied to clipboard').waitFor();
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    await dialog.getByText('Copied to clipboard').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('messages are shown even if the toast script fails to load', async () => {
    await harness.run('key', 'create', 'Offline');
    const page = await harness.signedIn();
    await page.route(/\/toast-layer-/, (route) => route.abort());
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Copy Offline' }).last().click();
    await page.getByRole('alert').getByText('Copied to clipboard').waitFor();
    await page.getByRole('heading', { name: 'API Keys' }).waitFor();
  });

  test('a key created on another page appears without a reload', async () => {
    const page = await harness.signedIn();
    await page.goto('/keys');
    await page.getByRole('heading', { name: 'API Keys' }).waitFor();
    const other = await harness.signedIn();
    await other.goto('/keys#new');
    await other.getByRole('textbox', { name: 'Name' }).fill('From elsewhere');
    await other.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'From elsewhere' }).waitFor();
  });

  test('a key revoked elsewhere is hidden and disappears from the setup and the panel of the new key', async () => {
    const secret = (await harness.run('key', 'create', 'Shared')).trim();
    const page = await harness.signedIn();
    const other = await harness.signedIn();
    const revokeElsewhere = async (name: string) => {
      await other.goto('/keys');
      await other.getByRole('button', { name: `Revoke ${name}` }).click();
      await other.getByRole('button', { name: 'Revoke key' }).click();
    };
    const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name });
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Show Shared' }).last().click();
    await page.getByText(`Bearer ${secret}`).first().waitFor();
    await revokeElsewhere('Shared');
    await rowOf('Shared').getByText('Revoked').waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(await rowOf('Shared').getByRole('button', { name: 'Show Shared' }).last().isDisabled()).toBe(true);

    await page.getByRole('button', { name: '+ New API Key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Short-lived');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: '“Short-lived” is ready' }).waitFor();
    await revokeElsewhere('Short-lived');
    await page.getByRole('region', { name: '“Short-lived” is ready' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '+ New API Key' }).waitFor();
  });

  test('a user with an unverified email cannot create a key', async () => {
    const page = await harness.signedIn();
    await failWith(page, keyEndpoints.createKey, 'email-not-verified');
    await page.goto('/keys#new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Early');
    await page.keyboard.press('Enter');
    await page.getByText('Verify your email').first().waitFor();
    await page.getByText('Verify your email').first().waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
  });

  test('the chosen transport is remembered', async () => {
    const page = await harness.signedIn();
    await page.goto('/keys');
    await page.getByRole('tab', { name: 'MCP stdio' }).click();
    await page.reload();
    await page.getByRole('tab', { name: 'MCP stdio', selected: true }).waitFor();
  });

  test('closing the panel of a new key that was not copied asks for confirmation', async () => {
    const page = await harness.signedIn();
    await openWithFrame(page, '/keys');
    // Leaving the form moves the focus to the button that opened it.
    const opener = page.getByRole('button', { name: '+ New API Key' });
    await opener.press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).press('Escape');
    await expectFocus(opener);
    await opener.press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).fill('CI');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name: '“CI” is ready' });
    await panel.getByRole('button', { name: 'Close' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Close without copying the key?' });
    await dialog.getByRole('button', { name: 'Keep open' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await panel.waitFor();
    await panel.getByRole('button', { name: 'Close' }).click();
    await dialog.getByRole('button', { name: 'Close anyway' }).click();
    await panel.waitFor({ state: 'detached' });
  });

  test('"Copied" is not shown if the clipboard refuses', async () => {
    const page = await harness.signedIn();
    await page.addInitScript('navigator.clipboard.writeText = () => Promise.reject(new Error("refused"))');
    await page.goto('/keys');
    await page.getByRole('button', { name: /^Copy Configuration/ }).click();
    await page.getByText('Failed to copy').first().waitFor();
    expect(await page.getByRole('button', { name: 'Copied' }).count()).toBe(0);
  });

  test('revoking a key asks for confirmation; the key stays in the list as revoked and is rejected', async () => {
    const secret = (await harness.run('key', 'create', 'Old desktop')).trim();
    const page = await harness.signedIn();
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Revoke Old desktop' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Revoke “Old desktop”' });
    await dialog.getByText('Are you sure you want to revoke this API key? This action cannot be undone.').waitFor();
    await expectFocus(dialog.getByRole('button', { name: 'Cancel' }));
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Old desktop' });
    await row.getByText('Revoked').waitFor();
    // The button that opened the dialog is gone.
    await expect.poll(() => page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
    for (const name of ['Show Old desktop', 'Copy Old desktop']) {
      expect(await row.getByRole('button', { name }).last().isDisabled()).toBe(true);
    }
    expect(await row.locator('.line-through').count()).toBeGreaterThan(0);
    const answer = await fetch(`${harness.url}/api/modules`, { headers: { authorization: `Bearer ${secret}` } });
    expect(answer.status).toBe(401);
  });
});
