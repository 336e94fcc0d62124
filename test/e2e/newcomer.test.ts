import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium.ts';
import { startServer } from '../cli/run-cli.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';
import { hasChromium } from './chromium.ts';
import { buildWeb, expectAccessible } from './harness.ts';

/** Uses only this machine: a new user sees what the installation contains. */
describe.skipIf(!hasChromium)('a new user', () => {
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    await buildWeb();
    const [server, launched] = await Promise.all([
      startServer(temporaryFolder(), { env: { LECTERN_OWN_DOCS: 'on' } }),
      launchChromium(),
    ]);
    url = server.url;
    browser = launched;
  });
  afterAll(() => browser?.close());

  // No retry: the first user of an installation exists only once.
  test('gets from the home page to the first agent call by following the screens', {
    retry: 0,
    timeout: 180_000,
  }, async () => {
    const screen = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' as const };
    const page = await (await browser.newContext({ baseURL: url, ...screen })).newPage();
    page.setDefaultTimeout(30_000);
    await answerOnHome(page);

    await page.getByRole('link', { name: 'Sign up', exact: true }).first().click();
    await page.getByRole('textbox', { name: 'Email' }).pressSequentially('ada@example.org');
    await page.getByLabel('Password', { exact: true }).pressSequentially('tide tables');
    await page.getByLabel('Confirm password').pressSequentially('tide tables');
    await page.keyboard.press('Enter');

    await page.waitForURL('**/welcome');
    await page.getByText('The documentation of Lectern is ready to search').waitFor();
    await page.getByRole('searchbox', { name: 'Find a library' }).pressSequentially('react');
    await page.getByRole('button', { name: 'Add React', exact: true }).waitFor();
    await expectAccessible(page);
    const next = page.getByRole('button', { name: 'Continue' });
    const place = await next.boundingBox();
    expect((place?.y ?? Number.NaN) + (place?.height ?? 0)).toBeLessThanOrEqual(screen.viewport.height);
    await next.click();

    await page.getByRole('button', { name: 'Create a key for Cursor' }).click();
    const shown = page.getByRole('group', { name: 'Configuration for Cursor' });
    await shown.getByText(/Bearer lec_/).waitFor();
    const config = JSON.parse((await shown.textContent()) ?? '') as {
      mcpServers: { lectern: { url: string; headers: Record<string, string> } };
    };
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText("Waiting for your agent's first call…").waitFor();
    await expectAccessible(page);

    const { text, end } = await askAsAgent(config.mcpServers.lectern, 'How do I index a private site?');
    expect(text).toContain('folder://lectern/guide/indexing.md');
    // Without a reload: the open page receives the call live.
    await page.getByText('Your agent is connected.').waitFor();
    await page.getByText('How do I index a private site?').waitFor();
    await page.getByRole('group', { name: 'Answer' }).getByText('indexing.md').waitFor();
    await expectAccessible(page);
    await end();

    await page.getByRole('button', { name: 'Go to dashboard' }).last().click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  });

  test('who skips the setup is not sent back to it, and can resume it from the dashboard', async () => {
    const page = await (await browser.newContext({ baseURL: url })).newPage();
    page.setDefaultTimeout(30_000);
    await page.goto('/signup');
    await page.getByText("This installation doesn't send email.").waitFor();
    await page.getByRole('textbox', { name: 'Email' }).fill('bea@example.org');
    await page.getByLabel('Password', { exact: true }).fill('tide tables');
    await page.getByLabel('Confirm password').fill('tide tables');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL('**/welcome');
    await page.getByText('ask the operator for the link for').waitFor();
    await page.getByRole('button', { name: 'Connect your agent' }).click();
    // A key needs a verified email, and this one is not verified.
    await page.getByText('API keys need a verified email.').waitFor();
    await page.getByRole('button', { name: 'Skip for now' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Resume setup' }).click();
    await page.waitForURL('**/welcome');
    await page.clock.install();
    await page.goto('/welcome?step=call');
    await page.getByText("Waiting for your agent's first call…").waitFor();
    await page.clock.fastForward(50_000);
    expect(await page.getByText('No call yet. Check these:').count()).toBe(0);
    await page.clock.fastForward(11_000);
    await page.getByText('No call yet. Check these:').waitFor();
  });
});

/** Waits until the home page answers from the product's own documentation, whose indexing may still be in progress. */
async function answerOnHome(page: Page): Promise<void> {
  await until(
    'the home page answers',
    async () => {
      await page.goto('/');
      const answer = await page.getByRole('group', { name: 'Answer' }).textContent();
      return answer?.includes('folder://lectern/') === true ? true : undefined;
    },
    60_000,
  );
  await page.getByRole('button', { name: 'Index a GitHub repository' }).click();
  await page.getByRole('group', { name: 'Answer' }).getByText('repositories.md').first().waitFor();
  expect(await page.getByText('Illustration').count()).toBe(0);
}

async function askAsAgent(server: { url: string; headers: Record<string, string> }, query: string) {
  const client = new Client({ name: 'sample-agent', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: server.headers } }),
  );
  const { content } = await client.callTool({ name: 'lectern_search_documentation', arguments: { query } });
  const [first] = content as { text: string }[];
  return { text: first?.text ?? '', end: () => client.close() };
}
