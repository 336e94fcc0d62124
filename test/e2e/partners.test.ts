import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { serveSite } from '../cli/run-cli.ts';
import { type IdentityProvider, startIdentityProvider } from '../services/identity-provider.ts';
import { hasChromium } from './chromium.ts';
import { useHarness } from './harness.ts';

/** A conversion tag: its script sends the events that the page has queued. */
const tagScript = `
const from = new URL(document.currentScript.src).origin;
const tell = (words) => void fetch(from + '/hit?' + new URLSearchParams({ words: JSON.stringify([...words]) }), { mode: 'no-cors' });
dataLayer.forEach(tell);
dataLayer.push = tell;
`;

describe.skipIf(!hasChromium)('third-party services', () => {
  let provider: IdentityProvider;
  let tagOrigin: string;
  const asked: string[] = [];
  const harness = useHarness({
    env: async () => {
      provider = await startIdentityProvider();
      const tag = await serveSite((request, response) => {
        asked.push(request.url ?? '');
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(tagScript);
      });
      tagOrigin = tag.origin;
      const counter = { CONVERSION_TAG_URL: `${tag.origin}/tag.js`, CONVERSION_ID: 'AW-1/signup' };
      return { ...provider.environment, ...counter, LECTERN_CONSENT: 'required' };
    },
  });
  afterAll(() => provider?.stop());

  test.each(['GitHub', 'Google'])(
    '%s signs the user in through a popup and returns to the requested page',
    async (service) => {
      const page = await harness.signedOut();
      await page.goto('/login?cont=%2Faccount');
      const popup = await popupOf(page, service);
      await popup.getByRole('link', { name: 'Continue as Ada Sample' }).click();
      await page.waitForURL(`${harness.url}/account`);
      await page.getByText('ada@docs.example').first().waitFor();
      await page
        .getByText(/^Since /)
        .first()
        .waitFor();
    },
  );

  test('a blocked, closed or cancelled popup shows a message and keeps the form input', async () => {
    const page = await harness.signedOut();
    await page.goto('/login');
    await page.getByRole('textbox', { name: 'Email' }).fill('ada@docs.example');
    const fault = page.getByRole('alert');
    const closed = await popupOf(page, 'GitHub');
    await closed.close();
    await fault.getByText('Sign-in was cancelled').waitFor();

    const refused = await popupOf(page, 'Google');
    await fault.waitFor({ state: 'detached' });
    await refused.getByRole('link', { name: 'Cancel' }).click();
    await fault.getByText('Sign-in was cancelled').waitFor();

    await page.evaluate('window.open = () => null');
    await page.getByRole('button', { name: 'Continue with GitHub' }).click();
    await fault.getByText('Sign-in popup was blocked. Please allow popups and try again').waitFor();
    expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('ada@docs.example');
  });

  test('a sign-up with consent is counted as a conversion; without consent no tag is loaded', async () => {
    harness.allowLeaving(tagOrigin);
    await signUp(await harness.signedOut(), 'no@example.org', false);
    expect(asked).toEqual([]);
    await signUp(await harness.signedOut(), 'yes@example.org', true);
    const told = () => asked.map(decodeURIComponent).join('\n');
    await expect.poll(told).toContain('"conversion",{"send_to":"AW-1/signup"}');
    expect(told()).toContain(`"config","AW-1",{"page_location":"${harness.url}/signup"}`);
    expect(asked.filter((path) => path === '/tag.js')).toHaveLength(1);
    expect(asked.join()).not.toContain('yes@example.org');
  });
});

async function popupOf(page: Page, service: string): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: `Continue with ${service}` }).click();
  const popup = await opened;
  await popup.getByRole('heading', { name: 'Who are you?' }).waitFor();
  return popup;
}

async function signUp(page: Page, email: string, hasConsent: boolean): Promise<void> {
  await page.goto('/signup?cont=%2Fdashboard');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill('secret1');
  await page.getByLabel('Confirm password').fill('secret1');
  if (!hasConsent) await page.getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL(/\/dashboard$/);
}
