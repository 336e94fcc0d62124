import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { teamBillingEndpoints } from '#contract/billing.ts';
import { heldCalls, letCallsThrough } from './answered-calls.ts';
import { neverAnswer } from './answers.ts';
import { answerSeatPreview } from './billing-answers.ts';
import { hasChromium } from './chromium.ts';
import { expectFocus, type Harness, openWithFrame, useHarness } from './harness.ts';

/** Continues from an order to the payment page and pays. */
async function pay(page: Page): Promise<void> {
  await page.waitForURL(/\/billing\/test\/checkout\//);
  await page.getByText('Test mode: this is not a payment page.').waitFor();
  await page.getByRole('button', { name: 'Pay with a test card' }).click();
}

/** Returns a page of a new user who has subscribed to Basic. */
async function subscriber(harness: Harness): Promise<Page> {
  const { page } = await harness.person();
  await page.goto('/subscribe?tier=basic');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await pay(page);
  await page.getByText('You are on Basic').waitFor();
  return page;
}

/** Opens the billing portal from the account page. */
async function openPortal(page: Page): Promise<void> {
  await page.goto('/account');
  await page.getByRole('button', { name: 'Open the portal' }).click();
  await page.waitForURL(/\/billing\/test\/portal\//);
}

const billingOf = (page: Page) => page.getByRole('region', { name: 'Plan and billing' });

describe.skipIf(!hasChromium)('billing', () => {
  const harness = useHarness();

  test('a visitor chooses a plan, signs up and pays by keyboard, and every tab shows the plan', async () => {
    const page = await harness.signedOut();
    await page.goto('/subscribe');
    await page.getByRole('link', { name: 'Sign up for Basic' }).click();
    await page.waitForURL(/\/signup\?tier=basic$/);
    await page.getByText(/signing up for the Basic Plan \(\$9\/month\)/).waitFor();
    await page.getByRole('textbox', { name: 'Email' }).fill('grace@example.org');
    await page.getByLabel('Password', { exact: true }).fill('secret1');
    await page.getByLabel('Confirm password').fill('secret1');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/subscribe\?tier=basic$/);
    const other = await page.context().newPage();
    await other.goto('/dashboard');
    await other.getByText('Basic adds 1,000 a month').waitFor();

    await expectFocus(page.getByRole('region', { name: 'Subscribe to Basic' }));
    await page.keyboard.press('Tab');
    await expectFocus(page.getByRole('button', { name: 'Add a promotion code' }));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/billing\/test\/checkout\//);
    const decline = page.getByRole('button', { name: 'Decline the card' });
    await decline.press('Enter');
    await page.getByRole('alert').getByText('The card was declined').waitFor();
    await page.getByRole('button', { name: 'Pay with a test card' }).press('Enter');
    await page.waitForURL(/\/subscribe\?payment=done$/);
    await page.getByText('You are on Basic').waitFor();
    await page.getByRole('link', { name: 'Go to the dashboard' }).press('Enter');
    for (const tab of [page, other]) await tab.getByText('0 of 1,000').first().waitFor();
  });

  test('a promotion code lowers the price on both payment screens, and cancelling charges nothing', async () => {
    const { page } = await harness.person();
    await page.goto('/subscribe');
    await page.getByRole('button', { name: 'Choose Pro' }).click();
    await page.getByRole('button', { name: 'Add a promotion code' }).click();
    const code = page.getByRole('textbox', { name: 'Promotion code' });
    await expectFocus(code);
    await page.keyboard.type('unheard-of');
    await page.keyboard.press('Enter');
    await page.getByText('This promotion code is not valid.').waitFor();
    await code.fill('WELCOME20');
    await page.keyboard.press('Enter');
    await page.getByText('20% off each payment').waitFor();
    await page.getByText('$23.20', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.waitForURL(/\/billing\/test\/checkout\//);
    await page.getByText('$23.20', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel and go back' }).click();
    await page.waitForURL(/\/subscribe\?tier=pro&payment=cancelled$/);
    await page.getByText('Payment cancelled').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Payment cancelled').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Continue to payment' }).waitFor();
  });

  test('a plan change shows its price first; cancelling a plan shows the loss and can be undone', async () => {
    const page = await subscriber(harness);
    await page.getByRole('button', { name: 'Change to Pro' }).click();
    await page.getByRole('button', { name: /^Pay \$20\.00 and change to Pro$/ }).click();
    await page.getByText('You are on Pro now').waitFor();
    await page.getByText(/You get credits for the time you pay for/).waitFor();
    await page.getByRole('button', { name: 'Change to Basic' }).click();
    await page.getByText(/^You keep Pro and its credits until/).waitFor();
    await page.getByRole('region', { name: 'Change from Pro to Basic' }).getByRole('button').click();
    await page.getByText(/^Basic begins on/).waitFor();

    await openWithFrame(page, '/account');
    const billing = billingOf(page);
    await billing.getByText(/^Next payment: \$9\.00 on/).waitFor();
    await billing.getByRole('button', { name: 'Keep Pro' }).click();
    await billing.getByText(/^Next payment: \$29\.00 on/).waitFor();
    await billing.getByRole('button', { name: 'Cancel plan…' }).click();
    const dialog = page.getByRole('alertdialog');
    await expectFocus(dialog.getByRole('button', { name: 'Keep Pro' }));
    await dialog.getByText(/^The 4,000 credits are no longer added each month/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel plan' }).click();
    await billing.getByText('Ending', { exact: true }).waitFor();
    await expectFocus(billing.getByRole('button', { name: 'Keep Pro' }));
    await page.keyboard.press('Enter');
    await billing.getByText('Active', { exact: true }).waitFor();
    await expectFocus(billing.getByRole('button', { name: 'Cancel plan…' }));
  });

  test('a card that fails puts the plan past due, which can be canceled and kept, until one that works is given', async () => {
    const page = await subscriber(harness);
    await openPortal(page);
    await page.getByRole('radio', { name: 'Is declined' }).click();
    await page.getByText(/is always declined/).waitFor();
    await page.getByRole('button', { name: 'Advance to the next invoice' }).click();
    await page.getByText('Past due').waitFor();
    await page.getByRole('link', { name: 'Leave the portal' }).click();
    const billing = billingOf(page);
    await billing.getByRole('alert').getByText('The last payment failed').waitFor();
    await billing.getByRole('button', { name: 'Cancel plan…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel plan' }).click();
    await billing.getByText(/^Your Basic plan ends on /).waitFor();
    expect(await billing.getByRole('button', { name: 'Cancel plan…' }).count()).toBe(0);
    await billing.getByRole('button', { name: 'Keep Basic' }).click();
    await billing.getByText(/Add a working card to keep it\.$/).waitFor();
    await billing.getByRole('button', { name: 'Cancel plan…' }).waitFor();
    await billing.getByRole('button', { name: 'Change the card…' }).click();
    await page.getByRole('radio', { name: 'Pays' }).click();
    await page.getByRole('region', { name: 'Subscription' }).getByText('Active').waitFor();
    await page.getByRole('link', { name: 'Leave the portal' }).click();
    await billing.getByText('Active', { exact: true }).waitFor();
    expect(await billing.getByRole('alert').count()).toBe(0);
  });

  test('credit packs can be bought without a plan, and a refund takes the credits back', async () => {
    const { page } = await harness.person();
    await page.goto('/subscribe');
    await page.getByRole('button', { name: 'Packs of 1,000: one more' }).click();
    await page.getByRole('button', { name: 'Buy 2,000 for $18.00' }).click();
    await pay(page);
    await page.getByText('2,000 credits added').waitFor();
    await page.goto('/dashboard');
    await page.getByText('2,200', { exact: true }).waitFor();

    const other = await page.context().newPage();
    await openPortal(other);
    await other.getByRole('button', { name: /^Refund/ }).click();
    await other.getByText('Refunded').waitFor();
    await page.getByText('200', { exact: true }).waitFor();
  });

  test('a team pays for seats, assigns and unassigns them, and pays for one more', async () => {
    const { page } = await harness.person();
    const teamId = await foundTeam(page, harness.url);
    await page.goto(`/upgrade-team?teamId=${teamId}`);
    const seats = page.getByRole('textbox', { name: 'Seats' });
    await seats.fill('3');
    await page.getByText('3,000 credits a month in the team').waitFor();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await pay(page);
    await page.waitForURL(/\/team-manage-seats\?payment=done$/);
    await page.getByText('The team is on Basic').waitFor();

    const own = page.getByRole('switch', { name: /^Paid seat for/ });
    await own.press('Space');
    await page.getByText('of 3 paid seats assigned to members').waitFor();
    await expect.poll(() => own.getAttribute('aria-checked')).toBe('true');

    const count = page.getByRole('textbox', { name: 'Pay for' });
    await answerSeatPreview(page);
    await count.fill('4');
    await page.getByRole('button', { name: 'Pay $6.30 for 4 seats' }).waitFor();
    // Holds new previews, so that the old price stays until the server rejects the change.
    await neverAnswer(page, teamBillingEndpoints.previewTeamChange);
    await page.getByRole('button', { name: 'Pay $6.30 for 4 seats' }).click();
    await expect.poll(() => heldCalls(page)).toBeGreaterThan(0);
    await letCallsThrough(page);
    await page
      .getByRole('alert')
      .getByText(/^This costs more than you agreed to/)
      .waitFor();
    await page.getByText('of 3 paid seats assigned to members').waitFor();
    await page.getByRole('button', { name: /^Pay \$9\.00 for 4 seats$/ }).click();
    await page.getByText('of 4 paid seats assigned to members').waitFor();
    await count.fill('1');
    await page.getByRole('button', { name: 'Change to 1 seat' }).click();
    await page.getByRole('button', { name: 'Keep 4 seats' }).waitFor();
    await page.getByText('of 4 paid seats assigned to members').waitFor();
    await own.press('Space');
    await expect.poll(() => own.getAttribute('aria-checked')).toBe('false');
  });
});

async function foundTeam(page: Page, url: string): Promise<string> {
  const answer = await page.request.post('/admin/teams', {
    headers: { 'x-lectern-csrf': '1', origin: url },
    data: { teamName: 'Engines' },
  });
  if (!answer.ok()) throw new Error(`the team was not founded: ${await answer.text()}`);
  return ((await answer.json()) as { teamId: string }).teamId;
}
