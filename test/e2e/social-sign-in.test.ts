import { afterAll, describe, expect, test } from 'vitest';
import { type IdentityProvider, startIdentityProvider } from '../services/identity-provider.ts';
import { hasChromium } from './chromium.ts';
import { expectAccessible, useHarness } from './harness.ts';

describe.skipIf(!hasChromium)('sign-in with another service', () => {
  let provider: IdentityProvider | undefined;
  const harness = useHarness({
    env: async () => {
      provider = await startIdentityProvider();
      return provider.environment;
    },
  });
  afterAll(() => provider?.stop());

  test('the popup closes itself, and every open tab is signed in', async () => {
    const page = await harness.signedOut();
    harness.allowLeaving(provider?.url ?? '');
    const other = await page.context().newPage();
    await Promise.all([page.goto('/login?cont=%2Fkeys'), other.goto('/signup')]);
    for (const name of ['GitHub', 'Google']) {
      await page.goto('/login?cont=%2Fkeys');
      const opened = page.waitForEvent('popup');
      await page.getByRole('button', { name: `Continue with ${name}` }).press('Enter');
      const popup = await opened;
      const closed = popup.waitForEvent('close');
      await popup.getByRole('link', { name: 'Continue as Ada Sample' }).press('Enter');
      await closed;
      await page.waitForURL('**/keys');
      await other.waitForURL('**/dashboard');
      const csrf = { 'x-lectern-csrf': '1' };
      await page.request.post('/api/session/end', { headers: csrf, data: {} });
      await other.goto('/signup');
    }
  });

  test('cancelling at the service or closing the popup shows that sign-in was cancelled', async () => {
    const page = await harness.signedOut();
    harness.allowLeaving(provider?.url ?? '');
    await page.goto('/login');
    for (const end of ['cancel', 'close']) {
      const opened = page.waitForEvent('popup');
      await page.getByRole('button', { name: 'Continue with Google' }).click();
      const popup = await opened;
      const cancel = popup.getByRole('link', { name: 'Cancel' });
      await cancel.waitFor();
      if (end === 'close') await popup.close();
      else await cancel.click();
      await page.getByText('Sign-in was cancelled').first().waitFor();
      await page.reload();
    }
    expect(page.url()).toContain('/login');
  });

  test('a user connects a service, and sees an error if its email address differs', async () => {
    const { page } = await harness.person({ isStill: true });
    harness.allowLeaving(provider?.url ?? '');
    const [ada] = provider?.people ?? [];
    const connect = async () => {
      await page.goto('/account');
      const opened = page.waitForEvent('popup');
      await page.getByRole('button', { name: 'Connect GitHub' }).press('Enter');
      const popup = await opened;
      await popup.getByRole('link', { name: 'Continue as Ada Sample' }).press('Enter');
      // A window that is still open would be reused.
      if (!popup.isClosed()) await popup.waitForEvent('close');
    };
    await connect();
    await page.getByText('Use this email at GitHub.').first().waitFor();
    const session = await page.request.get('/api/session');
    const { user } = (await session.json()) as { user: { email: string } };
    if (ada !== undefined) Object.assign(ada, { id: 2002, email: user.email });
    await connect();
    await page.getByRole('button', { name: 'Connect GitHub' }).waitFor({ state: 'detached' });
    await page
      .getByText(/^Since/)
      .first()
      .waitFor();
    if (ada !== undefined) Object.assign(ada, { id: 1001, email: 'ada@docs.example' });
  });

  test('an account without an email sees no service to connect', async () => {
    const page = await harness.signedIn();
    await page.goto('/account');
    const section = page.locator('#sign-in-methods');
    await section.getByText('Sign-in link', { exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await section.getByRole('button', { name: /^Connect/ }).count()).toBe(0);
  });

  test('a late response to an earlier choice does not redirect the popup', async () => {
    const page = await harness.signedOut();
    harness.allowLeaving(provider?.url ?? '');
    await page.goto('/login');
    const held: (() => Promise<void>)[] = [];
    await page.route('**/oauth/github/start*', (route) => void held.push(() => route.continue()));
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Continue with GitHub' }).click();
    const popup = await opened;
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await popup.waitForURL(/\/o\/oauth2\//);
    // Fails if the request was already aborted.
    for (const release of held) await release().catch(() => undefined);
    await page.waitForTimeout(1_000);
    expect(popup.url()).toContain('/o/oauth2/');
    await popup.close();
  });

  test('without an opener window, the error page stays and links back', async () => {
    const page = await harness.signedOut();
    harness.allowLeaving(provider?.url ?? '');
    await page.goto('/api/identity/oauth/google/start?cont=%2Fkeys');
    await page.getByRole('button', { name: 'Continue' }).press('Enter');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByText('Sign-in was cancelled').waitFor();
    await page.waitForTimeout(1_000);
    await page.getByText('Sign-in was cancelled').waitFor();
    expect(await page.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe('/login?cont=%2Fkeys');
  });

  test('without an opener window, the page continues to the target by itself', async () => {
    const page = await harness.signedOut();
    harness.allowLeaving(provider?.url ?? '');
    await page.goto('/api/identity/oauth/google/start?cont=%2Fkeys');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue' }).press('Enter');
    await page.getByRole('link', { name: 'Continue as Ada Sample' }).click();
    await page.waitForURL('**/keys');
  });
});
