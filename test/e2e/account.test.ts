import { describe, expect, test } from 'vitest';
import { accountDetailEndpoints } from '#contract/account-details.ts';
import { accountEndpoints } from '#contract/accounts.ts';
import { billingEndpoints } from '#contract/billing.ts';
import { chatEndpoints } from '#contract/chat.ts';
import { connectionEndpoints } from '#contract/connections.ts';
import { creditEndpoints } from '#contract/credits.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { letCallsThrough } from './answered-calls.ts';
import { askAgain, failWith } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { expectFocus, openWithFrame, useHarness } from './harness.ts';

describe.skipIf(!hasChromium)('the account screen', () => {
  const harness = useHarness({ env: async () => ({ FEATURE_FLAGS: 'teams' }) });

  test('saves the name and shows a toast by the button, which stays while hovered', async () => {
    const { page } = await harness.person();
    await page.goto('/account');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Ada Lovelace');
    await name.press('Enter');
    const toast = page.getByRole('dialog').filter({ hasText: 'Name saved' });
    await toast.hover();
    // Toasts close after two seconds unless hovered.
    await page.waitForTimeout(2_500);
    expect(await toast.isVisible()).toBe(true);
    const [at, button] = [await toast.boundingBox(), await page.getByRole('button', { name: 'Save' }).boundingBox()];
    expect(Math.abs((at?.y ?? 0) - ((button?.y ?? 0) + (button?.height ?? 0)))).toBeLessThan(60);
    await page.mouse.move(0, 0);
    await toast.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Account of Ada Lovelace' }).waitFor();
  });

  test('announces server errors beside the field and after a failed sign-out', async () => {
    const { page } = await harness.person();
    await failWith(page, identityEndpoints.updateProfile, 'unavailable');
    await failWith(page, accountEndpoints.signOut, 'unavailable');
    await page.goto('/account');
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await page.getByRole('region', { name: 'Profile' }).getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Account of' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter');
    await page.getByRole('alert').getByText('You are still signed in. ').waitFor();
  });

  test('changes the password if the current one is correct, and signs out other browsers', async () => {
    const { page, email, password } = await harness.person();
    const elsewhere = await harness.signedOut();
    await elsewhere.goto('/login?cont=%2Fkeys');
    await elsewhere.getByRole('textbox', { name: 'Email' }).fill(email);
    await elsewhere.getByLabel('Password', { exact: true }).fill(password);
    await elsewhere.keyboard.press('Enter');
    await elsewhere.getByRole('heading', { name: 'API Keys', exact: true }).waitFor();

    await page.goto('/account');
    const current = page.getByLabel('Current password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expectFocus(current);
    await page.keyboard.type('not the one');
    await page.getByLabel('New password', { exact: true }).fill('a better one');
    await page.getByLabel('Confirm new password').fill('a better one');
    await page.keyboard.press('Enter');
    await page.getByText('Incorrect password. Please try again').waitFor();
    await expectFocus(current);
    await current.fill(password);
    await page.keyboard.press('Enter');
    await page.getByText('Password changed').first().waitFor();
    await elsewhere.waitForURL(/\/login/);
  });

  test('lists the signed-in browsers and ends the session of one of them', async () => {
    const { page, email, password } = await harness.person();
    const elsewhere = await harness.signedOut();
    await elsewhere.goto('/login?cont=%2Fkeys');
    await elsewhere.getByRole('textbox', { name: 'Email' }).fill(email);
    await elsewhere.getByLabel('Password', { exact: true }).fill(password);
    await elsewhere.keyboard.press('Enter');
    await elsewhere.getByRole('heading', { name: 'API Keys', exact: true }).waitFor();

    await page.goto('/account');
    const sessions = page.getByRole('region', { name: 'Sessions' });
    await sessions.getByText('This browser').waitFor();
    const end = sessions.getByRole('button', { name: /^Sign out Chrome/ });
    expect(await end.count()).toBe(1);
    await end.click();
    await end.waitFor({ state: 'detached' });
    await elsewhere.waitForURL(/\/login/);
  });

  test('shows the consent given at sign-up and lets the user withdraw it', async () => {
    const page = await harness.signedOut();
    await page.goto('/signup');
    await page.getByRole('textbox', { name: 'Email' }).fill('consent@example.org');
    await page.getByLabel('Password', { exact: true }).fill('secret1');
    await page.getByLabel('Confirm password').fill('secret1');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/dashboard$/);
    await page.goto('/account');
    const consent = page.getByRole('switch', { name: /^I agree to receive updates/ });
    await expect.poll(() => consent.isChecked()).toBe(true);
    const noted = page.waitForResponse(/updateMarketingConsent/);
    await consent.press('Space');
    expect((await noted).status()).toBe(200);
    await page.reload();
    await expect.poll(() => consent.isChecked()).toBe(false);
  });

  test('several failed calls show one notice, and its button retries them all', async () => {
    const page = await harness.signedIn();
    const endpoints = [
      accountDetailEndpoints.getAccountDetails,
      billingEndpoints.getBilling,
      identityEndpoints.listSessions,
      connectionEndpoints.listConnections,
    ];
    for (const endpoint of endpoints) await failWith(page, endpoint, 'unavailable');
    await page.goto('/account');
    const notice = page.getByRole('alert').filter({ hasText: "Couldn't load parts of this page" });
    await notice.waitFor();
    await page.getByText("Couldn't load your sessions.").waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    const again = notice.getByRole('button', { name: 'Try again' });
    // A repeated failure is announced again, even with the same text.
    await notice.getByText('The service is restarting').evaluate('(words) => words.setAttribute("data-said", "")');
    // A press does nothing while one of the calls is in progress.
    const press = async () => {
      await again.press('Enter');
      return notice.locator('[data-said]').count();
    };
    await expect.poll(press).toBe(0);
    await askAgain(again, endpoints, async () => {
      await expectFocus(again);
      await letCallsThrough(page);
    });
    await page.getByRole('region', { name: 'Sessions' }).getByText('This browser').waitFor();
    await page.getByText('No application is connected.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('several failed calls on the activity and chat pages show one notice', async () => {
    for (const [path, endpoints, words] of [
      ['/activity', [creditEndpoints.getUsage, creditEndpoints.listTransactions], /^Failed to load transactions: /],
      ['/chat', [chatEndpoints.describeChat, chatEndpoints.listChats], "Couldn't load your conversations."],
    ] as const) {
      const page = await harness.signedIn();
      for (const endpoint of endpoints) await failWith(page, endpoint, 'unavailable');
      await page.goto(path);
      await page.getByText("Couldn't load parts of this page").waitFor();
      await page.getByText(words).waitFor();
      expect(await page.getByRole('alert').count()).toBe(1);
    }
  });

  test('deleting the account lists the consequences, requires the password and signs out every tab', async () => {
    const { page, email, password } = await harness.person();
    const other = await page.context().newPage();
    await other.goto('/keys');
    await other.getByRole('heading', { name: 'API Keys', exact: true }).waitFor();
    await page.goto('/account');
    await page.getByRole('button', { name: 'Delete account…' }).click();
    const dialog = page.getByRole('alertdialog', { name: `Delete the account of ${email}?` });
    await expectFocus(dialog.getByRole('button', { name: 'Cancel' }));
    await dialog.getByText('your API keys stop working').waitFor();
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByText('Enter your password.').waitFor();
    await expectFocus(dialog.getByLabel('Your password'));
    await page.keyboard.type('not the one');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('Incorrect password. Please try again').waitFor();
    await dialog.getByLabel('Your password').fill(password);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.waitForURL(`${harness.url}/login`);
    await page.getByRole('status').getByText('Your account was deleted').waitFor();
    await other.waitForURL(/\/login/);
    await other.getByRole('status').getByText('You were signed out. Sign in to continue.').waitFor();

    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Invalid email or password').waitFor();
  });

  test('an action in a tab whose session ended leads to the sign-in screen, which says why', async () => {
    const { page } = await harness.person();
    // All reads are done, so only the click can notice the ended session.
    await openWithFrame(page, '/account');
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/login\?cont=%2Faccount/);
    await page.getByRole('status').getByText('You were signed out. Sign in to continue.').waitFor();
  });

  test('operators can turn on a debug box with flags and email; other users cannot', async () => {
    const page = await harness.signedIn();
    await page.goto('/account');
    await page.getByText('This account runs the installation and cannot be deleted.').waitFor();
    const debug = page.getByRole('complementary', { name: 'Debug' });
    expect(await debug.count()).toBe(0);
    await page.getByRole('switch', { name: 'Show the debug box' }).press('Space');
    await debug.getByText('connected').waitFor();
    expect((await debug.innerText()).replaceAll(/\s+/g, ' ')).toBe('Flags connected Email none teams on');

    const { page: someone } = await harness.person();
    await someone.goto('/account');
    await someone.getByRole('switch', { name: /^Start each page/ }).waitFor();
    await someone.evaluate('localStorage.setItem("debug", "on")');
    await someone.reload();
    await someone.getByRole('switch', { name: /^Start each page/ }).waitFor();
    expect(await someone.getByRole('complementary', { name: 'Debug' }).count()).toBe(0);
  });

  test('operators can read kept emails in a sandboxed preview; other users cannot', async () => {
    const { page: someone, email } = await harness.person();
    await harness.mailTo(email);
    const page = await harness.signedIn();
    await page.goto('/keys');
    await page.getByRole('heading', { name: 'API Keys', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await expectFocus(page.getByRole('combobox', { name: 'Search commands' }));
    await page.keyboard.type('outbox');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${harness.url}/outbox`);
    await page
      .getByRole('link', { name: new RegExp(email) })
      .first()
      .click();
    await page
      .getByRole('link', { name: /auth\/action\?mode=verifyEmail/ })
      .first()
      .waitFor();
    await page.getByRole('tab', { name: 'Preview' }).click();
    const frame = page.locator('iframe');
    expect(await frame.getAttribute('sandbox')).toBe('');
    await page.frameLocator('iframe').getByRole('link', { name: 'Verify email address' }).waitFor();

    await someone.goto('/outbox');
    await someone.getByText('The outbox is for the operator').waitFor();
  });

  test('an operator adds a person, disables and enables the account live, and finds both in the audit log', async () => {
    const operator = await harness.signedIn();
    await operator.goto('/console/people');
    await operator.getByRole('button', { name: 'Add person' }).click();
    await expectFocus(operator.getByLabel('Email', { exact: true }));
    await operator.keyboard.type('grace@example.org');
    await operator.getByLabel('Name', { exact: true }).fill('Grace Hopper');
    await operator.keyboard.press('Enter');
    const link = operator.getByRole('region', { name: 'Password link for Grace Hopper' });
    const url = await link.locator('code').innerText();
    expect((await harness.mailTo('grace@example.org', /Your .* account/)).link).toBe(url);
    const row = operator.getByRole('row', { name: /Grace Hopper/ });
    await row.getByText('Invited').waitFor();

    const person = await harness.signedOut();
    await person.goto(url);
    await person.getByLabel('New password', { exact: true }).fill('compiler 1952');
    await person.getByLabel('Confirm new password').fill('compiler 1952');
    await person.keyboard.press('Enter');
    const signIn = async () => {
      await person.goto('/login?cont=%2Fkeys');
      await person.getByRole('textbox', { name: 'Email' }).fill('grace@example.org');
      await person.getByLabel('Password', { exact: true }).fill('compiler 1952');
      await person.keyboard.press('Enter');
    };
    // The screen redirects on its own.
    await person.waitForURL(/\/login/);
    await signIn();
    await person.getByRole('heading', { name: 'API Keys', exact: true }).waitFor();
    await row.getByText('1 session').last().waitFor();

    const choose = async (item: string, button: string) => {
      await operator.getByRole('button', { name: 'More for Grace Hopper' }).click();
      await operator.getByRole('menuitem', { name: item }).click();
      await operator.getByRole('alertdialog').getByRole('button', { name: button }).click();
    };
    await choose('Disable account…', 'Disable account');
    await row.getByText('Disabled').waitFor();
    await person.waitForURL(/\/login/);
    await signIn();
    await person.getByRole('alert').getByText('This account is disabled').waitFor();
    await choose('Enable account…', 'Enable account');
    await row.getByText('Disabled').waitFor({ state: 'detached' });
    await signIn();
    await person.getByRole('heading', { name: 'API Keys', exact: true }).waitFor();
    await choose('Adjust credits…', 'Adjust credits');
    await operator.getByRole('alertdialog').getByText('Enter a whole number').waitFor();
    await operator.getByLabel('Credits to add').fill('500');
    await operator.getByRole('alertdialog').getByRole('button', { name: 'Adjust credits' }).click();
    await row.getByText('700').waitFor();

    await operator.goto('/console/audit?show=account');
    await operator.getByRole('row', { name: /Disabled an account.*Grace Hopper/ }).waitFor();
    const count = operator.getByRole('main').getByRole('status');
    await count.getByText(/^\d+ entries$/).waitFor({ state: 'attached' });
    await operator.evaluate('globalThis.region = document.querySelector("#main [role=status]")');
    await operator.getByLabel('Account', { exact: true }).fill('unknown@example.org');
    await operator.getByRole('button', { name: 'Filter' }).click();
    await operator.getByText('No entries match these filters.').waitFor();
    // Screen readers announce changes of a region that was there before.
    expect(await operator.evaluate('region.isConnected && region.textContent')).toBe('0 entries');
    await person.goto('/console/audit');
    await person.getByRole('heading', { name: 'For operators' }).waitFor();
  });

  test('an operator filters the audit log by kind of action and downloads what is shown', async () => {
    await harness.person();
    const operator = await harness.signedIn();
    const headers = { 'x-lectern-csrf': '1', origin: harness.url };
    await operator.request.post('/api/pdf-sets', { headers, data: { displayName: 'Pump manuals' } });
    await operator.goto('/console/audit');
    const created = operator.getByRole('row', { name: /Created a PDF set: Pump manuals/ });
    const other = operator.getByRole('row', { name: /Created an account/ }).first();
    await created.waitFor();
    await other.waitFor();
    const shown = operator.getByRole('combobox', { name: 'Show' });
    await shown.click();
    await operator.getByRole('option', { name: 'PDF sets' }).click();
    await other.waitFor({ state: 'detached' });
    await created.waitFor();
    const exported = await operator.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
    const csv = await (await operator.request.get(exported ?? '')).text();
    expect(csv).toContain('pdf-set.create');
    expect(csv).not.toContain('account.create');
    await operator.reload();
    await created.waitFor();
    expect(await shown.innerText()).toContain('PDF sets');
  });
});
