import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { type DnsServer, startDnsServer } from '../services/dns-server.ts';
import { type IdentityProvider, startIdentityProvider } from '../services/identity-provider.ts';
import { hasChromium } from './chromium.ts';
import { expectAccessible, expectFocus, useHarness } from './harness.ts';

describe.skipIf(!hasChromium)('team single sign-on', () => {
  let provider: IdentityProvider;
  let dns: DnsServer;
  const harness = useHarness({
    env: async () => {
      [provider, dns] = await Promise.all([startIdentityProvider(), startDnsServer()]);
      return { LECTERN_ALLOW_HOSTS: provider.host, LECTERN_DNS_SERVERS: dns.address };
    },
  });
  afterAll(() => Promise.all([provider?.stop(), dns?.stop()]));

  async function foundTeam(page: Page): Promise<void> {
    const answer = await page.request.post('/admin/teams', {
      headers: { 'x-lectern-csrf': '1' },
      data: { teamName: 'Docs' },
    });
    const { teamId } = (await answer.json()) as { teamId: string };
    await page.goto(`/team?tab=settings&teamId=${teamId}`);
  }

  test('an admin sets it up by keyboard, and users of the domain can then sign in', async () => {
    const { page } = await harness.person({ isStill: true });
    await foundTeam(page);
    const section = page.getByRole('region', { name: 'Single sign-on' });
    await section.getByRole('button', { name: 'Set up…' }).press('Enter');
    await expectFocus(section.getByRole('textbox', { name: 'Issuer' }));
    await section.getByRole('textbox', { name: 'Issuer' }).fill('https://127.0.0.1:1');
    await section.getByRole('textbox', { name: 'Client ID' }).fill(provider.client.clientId);
    await section.getByRole('textbox', { name: 'Client secret' }).fill(provider.client.clientSecret);
    await section.getByRole('textbox', { name: 'Domain' }).fill('docs.example');
    await section.getByRole('button', { name: 'Save' }).press('Enter');
    await section.getByText('The provider at https://127.0.0.1:1 cannot be used').waitFor();
    await expectAccessible(page);
    await section.getByRole('textbox', { name: 'Issuer' }).fill(provider.url);
    await section.getByRole('button', { name: 'Save' }).press('Enter');
    await section.getByText('Not verified yet').waitFor();
    await section.getByRole('button', { name: 'Check the record' }).press('Enter');
    await section.getByText('No TXT record at _lectern.docs.example').waitFor();
    await expectAccessible(page);
    const value = await section.getByText(/^lectern-domain=/).textContent();
    dns.records.set('_lectern.docs.example', [value ?? '']);
    await section.getByRole('button', { name: 'Check the record' }).press('Enter');
    await section.getByText('In use').waitFor();

    // A background check finds the record missing, then the grace period ends.
    const states = [
      [{ missingSince: Date.UTC(2026, 5, 1) }, 'Add it again by June 6, 2026, or sign-in ends.'],
      [{ missingSince: Date.UTC(2026, 5, 1), verifiedAt: null }, 'Single sign-on is off'],
    ] as const;
    for (const [change, sentence] of states) {
      await page.route('**/sign-on', async (route) => {
        const response = await route.fetch();
        const answer = (await response.json()) as { signOn: object };
        await route.fulfill({ response, json: { ...answer, signOn: { ...answer.signOn, ...change } } });
      });
      await page.reload();
      await section.getByText(sentence).waitFor();
      await section.getByRole('button', { name: 'Check the record' }).waitFor();
      await expectAccessible(page);
      await page.unroute('**/sign-on');
    }

    const visitor = await harness.signedOut();
    harness.allowLeaving(provider.url);
    await visitor.goto('/login');
    const email = () => visitor.getByRole('textbox', { name: 'Work email' });
    const ask = async (address: string) => {
      const opened = visitor.waitForEvent('popup');
      await email().fill(address);
      await email().press('Enter');
      return opened;
    };
    await visitor.getByRole('button', { name: 'Continue with single sign-on' }).press('Enter');
    const refused = await ask('ada@elsewhere.example');
    // A window that is still open would be reused.
    if (!refused.isClosed()) await refused.waitForEvent('close');
    await visitor.getByText('This address has no single sign-on').waitFor();
    await expectAccessible(visitor);
    const popup = await ask('ada@docs.example');
    await popup.getByRole('link', { name: 'Continue as Ada Sample' }).click();
    await visitor.waitForURL('**/dashboard');
    await page.goto('/team');
    await page.getByRole('row', { name: /Ada Sample/ }).waitFor();
    expect(await page.getByRole('row', { name: /Ada Sample/ }).textContent()).toContain('Reader');
  });
});
