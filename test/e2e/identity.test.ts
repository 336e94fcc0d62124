import { describe, expect, test } from 'vitest';
import { hasChromium } from './chromium.ts';
import { expectFocus, useHarness } from './harness.ts';

describe.skipIf(!hasChromium)('an account', () => {
  const harness = useHarness();

  test('is created by keyboard, with errors beside their fields, and verified by email', async () => {
    const page = await harness.signedOut();
    await page.goto('/signup');
    const create = page.getByRole('button', { name: 'Create account' });
    const email = page.getByRole('textbox', { name: 'Email' });
    await create.press('Enter');
    await page.getByText('Please fill in all fields').waitFor();
    await expectFocus(email);

    await page.keyboard.type('ada@example.org');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByLabel('Confirm password').fill('other');
    await page.keyboard.press('Enter');
    await page.getByText('Passwords do not match').waitFor();
    await page.getByLabel('Confirm password').fill('short');
    await page.keyboard.press('Enter');
    await page.getByText('Password must be at least 6 characters', { exact: true }).waitFor();
    await expectFocus(page.getByLabel('Password', { exact: true }));

    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.getByLabel('Confirm password').fill('correct horse');
    const consent = page.getByRole('checkbox', {
      name: 'I agree to receive updates about Lectern. Unsubscribe any time.',
    });
    expect(await consent.isChecked()).toBe(true);
    await page.getByLabel('Confirm password').press('Enter');
    await page.waitForURL(/\/dashboard$/);
    await page.getByText('Verify your email: ask the operator for the link for ada@example.org.').waitFor();

    const { link } = await harness.mailTo('ada@example.org');
    const other = await page.context().newPage();
    await other.goto(link);
    await other.getByText('Your email has been verified successfully!').first().waitFor();
    await expect.poll(() => other.url()).not.toContain('oobCode');
    // The waiting tab updates on its own.
    await page.getByText('Your email has been verified successfully!').waitFor();

    await other.goto(link);
    await other.getByText('Your email is already verified.').waitFor();
    await expect.poll(() => other.url()).not.toContain('oobCode');
  });

  test('is verified in another browser with a new password, or closed by the recipient of the email', async () => {
    const signUp = async (email: string) => {
      const page = await harness.signedOut();
      await page.goto('/signup');
      await page.getByRole('textbox', { name: 'Email' }).fill(email);
      await page.getByLabel('Password', { exact: true }).fill('stranger');
      await page.getByLabel('Confirm password').fill('stranger');
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.waitForURL(/\/dashboard$/);
      return (await harness.mailTo(email)).link;
    };
    const owner = await harness.signedOut();
    await owner.goto(await signUp('owner@example.org'));
    await owner.getByRole('heading', { name: 'Choose a password to verify your email' }).waitFor();
    await owner.getByLabel('New password', { exact: true }).fill('my own secret');
    await owner.getByLabel('Confirm new password').fill('my own secret');
    await owner.getByRole('button', { name: 'Verify email' }).click();
    await owner.getByText('Your email has been verified successfully!').first().waitFor();
    await expect.poll(() => owner.url()).not.toContain('oobCode');
    await owner.getByRole('link', { name: 'Continue' }).click();
    await owner.waitForURL(/\/dashboard$/);

    const reader = await harness.signedOut();
    await reader.goto(await signUp('reader@example.org'));
    await reader.getByRole('link', { name: 'I did not sign up' }).click();
    await reader.getByRole('button', { name: 'Close the account' }).click();
    await reader.getByRole('heading', { name: 'The account is closed' }).waitFor();
  });

  test.each([
    ['basic', 'Basic Plan ($9/month)'],
    ['pro', 'Pro Plan ($29/month)'],
  ])('with tier=%s, sign-up names the plan and leads to the subscription', async (tier, plan) => {
    const page = await harness.signedOut();
    await page.goto(`/signup?tier=${tier}`);
    await page.getByText(`You are signing up for the ${plan}.`).waitFor();
    const signIn = page.getByRole('main').getByRole('link', { name: 'Sign in' });
    expect(await signIn.getAttribute('href')).toBe(`/login?cont=${encodeURIComponent(`/subscribe?tier=${tier}`)}`);
    await page.getByRole('textbox', { name: 'Email' }).fill(`${tier}@example.org`);
    await page.getByLabel('Password', { exact: true }).fill('secret1');
    await page.getByLabel('Confirm password').fill('secret1');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(`${harness.url}/subscribe?tier=${tier}`);
  });

  test('keeps focus in the first empty field of the sign-in form, and sends nothing', async () => {
    const page = await harness.signedOut();
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await page.goto('/login?cont=%2Fkeys');
    const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
    await signIn.click();
    await expectFocus(page.getByRole('textbox', { name: 'Email' }));
    await page.keyboard.type('nobody@example.org');
    await signIn.click();
    await expectFocus(page.getByLabel('Password', { exact: true }));
    expect(sent).toEqual([]);

    await page.keyboard.type('not the one');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Invalid email or password').waitFor();
    await page.getByRole('link', { name: 'Create an Account' }).click();
    await page.waitForURL(`${harness.url}/signup?cont=%2Fkeys`);
  });

  test('signs in and out in all tabs at once, and returns to the requested page', async () => {
    const { page, email, password } = await harness.person();
    await page.goto('/keys');
    await page.getByRole('heading', { name: 'API Keys', exact: true }).waitFor();
    const other = await page.context().newPage();
    await other.goto('/account');
    await other.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    await page.evaluate('localStorage.setItem("workspace", "individual")');

    await other.getByRole('button', { name: /^Account of/ }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/login\?cont=%2Fkeys$/);

    await other.goto('/login?cont=%2Faccount');
    await other.getByRole('textbox', { name: 'Email' }).fill(email);
    await other.getByLabel('Password', { exact: true }).fill(password);
    await other.keyboard.press('Enter');
    await other.waitForURL(`${harness.url}/account`);
    await page.waitForURL(`${harness.url}/keys`);
  });

  test('gets a new password by email; the link works once and the old password stops working', async () => {
    const { page: first, email, password } = await harness.person();
    await first.goto('/keys');
    await first.getByRole('heading', { name: 'API Keys', exact: true }).waitFor();

    const page = await harness.signedOut();
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot Password' }).click();
    await page.waitForURL(`${harness.url}/auth/reset-password`);
    // The previous screen also has such a field and stays for a moment.
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
    await page.getByText('Ask its operator for the link to choose a new password.').waitFor();
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.keyboard.press('Enter');
    await expectFocus(page.getByRole('heading', { name: 'Check your email' }));
    await page.getByText('password is with the operator.').waitFor();

    const { link } = await harness.mailTo(email, /^Reset/);
    expect(link).toContain('mode=resetPassword');
    await page.goto(link);
    await page.getByText(email).waitFor();
    await expect.poll(() => page.url()).not.toContain('oobCode');
    // The code is no longer in the URL, but a reload still has it.
    await page.reload();
    const fresh = page.getByLabel('New password', { exact: true });
    await fresh.fill('first');
    await page.getByLabel('Confirm new password').fill('other');
    await page.keyboard.press('Enter');
    await page.getByText('Passwords do not match').waitFor();
    await page.getByLabel('Confirm new password').fill('first');
    await page.keyboard.press('Enter');
    await page.getByText('Password must be at least 6 characters', { exact: true }).waitFor();
    await fresh.fill('a better one');
    await page.getByLabel('Confirm new password').fill('a better one');
    await page.keyboard.press('Enter');
    await expectFocus(page.getByRole('heading', { name: 'Password changed' }));
    await page.waitForURL(`${harness.url}/login`);

    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Invalid email or password').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('a better one');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/dashboard$/);

    await page.goto(link);
    await page.getByText('This password reset link is invalid or has expired.').waitFor();
    // The browser that was signed in before is signed out.
    await first.reload();
    await first.waitForURL(/\/login/);
  });

  test.each([
    ['?mode=verifyEmail&oobCode=forged', 'Failed to verify email. The link may have expired.'],
    ['?mode=resetPassword&oobCode=forged', 'This password reset link is invalid or has expired.'],
    ['?mode=recoverEmail&oobCode=some', 'Unsupported action for this link.'],
    ['?mode=resetPassword', 'This link is invalid. Please request a new one.'],
    ['?mode=verifyEmail', 'This link is invalid. Please request a new one.'],
  ])('an invalid link %s shows an error and offers only the home page', async (query, sentence) => {
    const page = await harness.signedOut();
    await page.goto(`/auth/action${query}`);
    await page.getByRole('heading', { name: "We couldn't process this link" }).waitFor();
    await page.getByRole('alert').getByText(sentence, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Return home' }).click();
    await page.waitForURL(`${harness.url}/`);
  });

  test('the banner resends the verification email and can be dismissed', async () => {
    const { page, email } = await harness.person();
    await page.goto('/keys');
    const banner = page.getByRole('region', { name: 'Verify your email' });
    await banner.getByRole('button', { name: 'Create a new link' }).click();
    await banner.getByText(`The operator has a new link for ${email}`).waitFor();
    for (let again = 0; again < 6; again += 1) {
      const answer = page.waitForResponse(/send-verification/);
      await banner.getByRole('button', { name: 'Create a new link' }).click();
      if ((await answer).status() === 429) break;
    }
    await banner.getByRole('alert').getByText('Too many failed attempts. Please try again later').waitFor();
    await banner.getByRole('button', { name: 'Dismiss' }).click();
    await banner.waitFor({ state: 'detached' });
  });

  test('with a mail server, the banner says where the new link was sent', async () => {
    const { page, email } = await harness.person();
    await page.route('**/api/site', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), mailIsOutbox: false } });
    });
    await page.goto('/keys');
    const banner = page.getByRole('region', { name: 'Verify your email' });
    await banner.getByText(`Verify your email: open the link we sent to ${email}.`).waitFor();
    await banner.getByRole('button', { name: 'Send verification email' }).click();
    await banner.getByText(`A new link is on its way to ${email}. Older links no longer work.`).waitFor();
    await banner.getByRole('button', { name: 'Send again' }).waitFor();
  });

  test('a session response from before the sign-in that arrives late changes nothing', async () => {
    const page = await harness.signedOut();
    const redeemed = page.waitForResponse('**/api/session');
    await page.route(
      '**/api/session',
      async (route) => {
        const response = await route.fetch();
        await redeemed;
        // By then the page has handled the response to its sign-in.
        await new Promise((resolve) => setTimeout(resolve, 500));
        await route.fulfill({ response }).catch(() => undefined);
      },
      { times: 1 },
    );
    await page.goto(await harness.signInLink());
    await page.waitForURL(/\/dashboard/);
    await page
      .getByRole('heading', { name: 'Dashboard' })
      .or(page.getByRole('heading', { name: /^Welcome/ }))
      .first()
      .waitFor();
    await page.waitForTimeout(1_000);
    expect(new URL(page.url()).pathname).toBe('/dashboard');
  });

  test('an expired verification link offers a new one', async () => {
    const dead = '/auth/action?mode=verifyEmail&oobCode=forged';
    const visitor = await harness.signedOut();
    await visitor.goto(dead);
    expect(await visitor.getByRole('link', { name: 'Sign in to get a new link' }).getAttribute('href')).toBe('/login');
    const { page, email } = await harness.person();
    await page.goto(dead);
    await page.getByRole('button', { name: 'Send a new link' }).click();
    await page.getByText(`New link sent for ${email}`).first().waitFor();
  });

  test('the forms show only sign-in services that are configured', async () => {
    const page = await harness.signedOut();
    for (const path of ['/login', '/signup']) {
      const known = page.waitForResponse(/identity\/methods/);
      await page.goto(path);
      await (await known).finished();
      await page.getByRole('textbox', { name: 'Email' }).waitFor();
      expect(await page.getByRole('button', { name: /Continue with (GitHub|Google)/ }).count()).toBe(0);
    }
    await page.goto('/api/identity/oauth/github/start');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('GitHub authentication is not configured').waitFor();
  });

  test('Tab moves through the sign-in form in the expected order', async () => {
    const page = await harness.signedOut();
    await page.goto('/login');
    await page.getByRole('textbox', { name: 'Email' }).focus();
    for (const [role, name] of [
      ['textbox', 'Password'],
      ['button', 'Sign in'],
      ['link', 'Forgot Password'],
      ['button', 'Show password'],
    ] as const) {
      await page.keyboard.press('Tab');
      await expectFocus(page.getByRole(role, { name, exact: true }));
    }
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Hide password' }).click();
    await page.getByRole('button', { name: 'Show password' }).waitFor();
  });

  test('the sign-up button is visible without scrolling, with a link to the privacy policy', async () => {
    const page = await harness.signedOut();
    await page.goto('/signup');
    const form = page.getByRole('form', { name: 'Sign up with email' });
    const box = await form.getByRole('button', { name: 'Create account' }).boundingBox();
    expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)).toBeLessThan(800);
    expect(await form.getByRole('link', { name: 'privacy policy' }).getAttribute('href')).toBe('/privacy');
  });
});
