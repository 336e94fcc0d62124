import type { Page } from 'playwright-core';
import { describe, test } from 'vitest';
import { accountDetailEndpoints } from '#contract/account-details.ts';
import { accountEndpoints, type SessionUser } from '#contract/accounts.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { installationAuditEndpoints, operatorEndpoints, type Person } from '#contract/operator.ts';
import { outboxEndpoints } from '#contract/outbox.ts';
import { answerWith, failWith, neverAnswer } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { useHarness } from './harness.ts';
import { checkScene, heading, type Scene } from './scene.ts';

const scenes: Scene[] = [
  {
    name: 'sign-in screen, refused, with the operator help open',
    path: '/login?cont=%2Fkeys',
    isVisitor: true,
    act: failToSignIn,
    until: (page) => page.getByRole('alert').getByText('Invalid email or password').waitFor(),
  },
  {
    name: 'sign-up screen, with the Basic plan and an error',
    path: '/signup?tier=basic',
    isVisitor: true,
    act: submitEmptySignUp,
    until: (page) => page.getByText('Please fill in all fields').waitFor(),
  },
  {
    name: 'password reset, requested',
    path: '/auth/reset-password',
    isVisitor: true,
    act: askForReset,
    until: heading('Check your email'),
  },
  {
    name: 'an invalid link',
    path: '/auth/action?mode=other&oobCode=x',
    isVisitor: true,
    until: heading("We couldn't process this link"),
  },
  {
    name: 'a new password',
    path: '/auth/action?mode=resetPassword&oobCode=x',
    isVisitor: true,
    set: (page) =>
      answerWith(page, identityEndpoints.verifyResetCode, { email: 'ada@example.org', apiKeys: 2, connections: 1 }),
    until: (page) => page.getByLabel('Confirm new password').waitFor(),
  },
  {
    name: 'a verified address',
    path: '/auth/action?mode=verifyEmail&oobCode=x',
    isVisitor: true,
    set: (page) => answerWith(page, identityEndpoints.applyVerificationCode, { wasVerified: false }),
    until: (page) => page.getByText('Your email has been verified successfully!').waitFor(),
  },
  {
    name: 'account, of a user with an unverified email',
    path: '/account',
    set: showPerson,
    until: (page) => page.getByRole('region', { name: 'Sessions' }).getByText('This browser').waitFor(),
  },
  {
    name: 'account, of the operator, with the debug box',
    path: '/account',
    act: (page) => page.getByRole('switch', { name: 'Show the debug box' }).press('Space'),
    until: (page) => page.getByRole('complementary', { name: 'Debug' }).getByText('connected').waitFor(),
  },
  {
    name: 'account, deleting',
    path: '/account',
    set: showPerson,
    act: (page) => page.getByRole('button', { name: 'Delete account…' }).click(),
    until: (page) => page.getByRole('alertdialog').waitFor(),
  },
  {
    name: 'account, waiting',
    path: '/account',
    set: (page) => neverAnswer(page, identityEndpoints.listSessions),
    until: (page) => page.getByText('Loading sessions…').waitFor(),
  },
  {
    name: 'account, an error',
    path: '/account',
    set: (page) => failWith(page, identityEndpoints.listSessions, 'unavailable'),
    until: (page) => page.getByRole('region', { name: 'Sessions' }).getByRole('alert').waitFor(),
  },
  {
    name: 'outbox, a mail',
    path: '/outbox/mail-1',
    set: showMail,
    until: (page) => page.getByRole('article').getByText('Confirm that it is yours').waitFor(),
  },
  {
    name: 'outbox, nothing yet',
    path: '/outbox',
    set: (page) => answerWith(page, outboxEndpoints.listOutbox, { mails: [] }),
    until: heading('No emails yet'),
  },
  {
    name: 'outbox, an error',
    path: '/outbox',
    set: (page) => failWith(page, outboxEndpoints.listOutbox, 'unavailable'),
    until: (page) => page.getByText("Couldn't load the outbox").waitFor(),
  },
  {
    name: 'people in every state, disabling one',
    path: '/console/people',
    set: showPeople,
    act: askToDisable,
    until: (page) => page.getByRole('alertdialog').waitFor(),
  },
  {
    name: 'people, adding one',
    path: '/console/people',
    set: showPeople,
    act: (page) => page.getByRole('button', { name: 'Add person' }).click(),
    until: (page) => page.getByRole('form', { name: 'Add person' }).waitFor(),
  },
  {
    name: 'people, an error',
    path: '/console/people',
    set: (page) => failWith(page, operatorEndpoints.listPeople, 'unavailable'),
    until: (page) => page.getByText("Couldn't load the accounts").waitFor(),
  },
  {
    name: 'people, as a user who is not an operator',
    path: '/console/people',
    set: showPerson,
    until: heading('For operators'),
  },
  {
    name: 'audit log of the installation',
    path: '/console/audit',
    set: showAudit,
    until: (page) =>
      page
        .getByRole('row', { name: /Ada Lovelace/ })
        .first()
        .waitFor(),
  },
  {
    name: 'settings, all of them',
    path: '/console/settings',
    act: (page) => page.getByRole('switch', { name: 'Show variables that are not set' }).press('Space'),
    until: (page) => page.getByText('STRIPE_SECRET_KEY', { exact: true }).waitFor(),
  },
];

describe.skipIf(!hasChromium)('each account screen and state is accessible, in both themes and widths', () => {
  const harness = useHarness();

  test.each(scenes)('$name', (scene) => checkScene(harness, scene));
});

async function failToSignIn(page: Page): Promise<void> {
  await page.getByText('Do you run this installation?').click();
  await page.getByRole('textbox', { name: 'Email' }).fill('nobody@example.org');
  await page.getByLabel('Password', { exact: true }).fill('not the one');
  await page.keyboard.press('Enter');
}

async function askForReset(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill('nobody@example.org');
  await page.keyboard.press('Enter');
}

/** Mocks a user with an email and a password, who also has another browser signed in. */
async function showPerson(page: Page): Promise<void> {
  const user: SessionUser = {
    ...{ uid: 'person-1', email: 'ada@example.org', displayName: 'Ada Lovelace', photoURL: null, tier: 'Free' },
    ...{ isOperator: false, isEmailVerified: false, hasPassword: true, createdAt: Date.now() },
  };
  await answerWith(page, accountEndpoints.getSession, { user, productName: 'Lectern', publicUrl: 'http://localhost' });
  await answerWith(page, accountDetailEndpoints.getAccountDetails, {
    hasMarketingConsent: true,
    providers: [{ provider: 'github', connectedAt: Date.now() - 86_400_000 }],
  });
  const session = { createdAt: Date.now() - 3_600_000, lastSeenAt: Date.now() };
  await answerWith(page, identityEndpoints.listSessions, {
    sessions: [
      { ...session, id: '1', isThisOne: true, userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
      { ...session, id: '2', isThisOne: false, userAgent: 'Mozilla/5.0 (iPhone) Version/18.5 Mobile Safari/604.1' },
    ],
  });
}

async function showMail(page: Page): Promise<void> {
  const mail = { id: 'mail-1', to: 'ada@example.org', subject: 'Verify your email address', sentAt: Date.now() };
  await answerWith(page, outboxEndpoints.listOutbox, { mails: [mail, { ...mail, id: 'mail-2' }] });
  await answerWith(page, outboxEndpoints.readOutboxMail, {
    mail: {
      ...mail,
      from: 'no-reply@localhost',
      text: 'Confirm that it is yours: http://localhost/a',
      html: '<p>Hello</p>',
    },
  });
}

async function showPeople(page: Page): Promise<void> {
  const ada: Person = {
    ...{ userId: 'local-owner', email: 'ada@example.org', displayName: 'Ada Lovelace', tier: 'Free', credits: 200 },
    ...{ isOperator: true, isLocalOwner: true, isEmailVerified: true, hasPassword: true, disabledAt: null },
    ...{ createdAt: Date.now() - 90 * 86_400_000, lastSeenAt: Date.now(), sessions: 2, apiKeys: 1 },
  };
  const other = { ...ada, isOperator: false, isLocalOwner: false };
  await answerWith(page, operatorEndpoints.listPeople, {
    people: [
      { ...other, userId: '2', email: 'a.very.long.address.of.somebody@example.org', displayName: '', sessions: 0 },
      { ...other, userId: '3', email: 'bea@example.org', displayName: 'Bea', disabledAt: Date.now(), sessions: 0 },
      { ...other, userId: '4', email: 'cy@example.org', isEmailVerified: false, hasPassword: false, lastSeenAt: null },
      ada,
    ],
    count: 40,
    nextCursor: '1.x',
  });
}

async function askToDisable(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More for a.very.long.address.of.somebody@example.org' }).click();
  await page.getByRole('menuitem', { name: 'Disable account…' }).click();
}

async function showAudit(page: Page): Promise<void> {
  const ada = { userId: 'local-owner', displayName: 'Ada Lovelace', email: 'ada@example.org' };
  const entry = { actor: ada, entityId: 'x', entityName: null, detail: {}, team: null, at: Date.now() - 3_600_000 };
  await answerWith(page, installationAuditEndpoints.listInstallationAudit, {
    entries: [
      { ...entry, id: '1', action: 'account.disable', entityName: 'bea@example.org' },
      { ...entry, id: '2', action: 'credits.adjust', detail: { amount: 500 }, team: { teamId: 't', name: 'Looms' } },
      { ...entry, id: '3', action: 'session.open', actor: null },
    ],
    nextCursor: '1.x',
  });
}

/** The plan notice appears once the page is interactive; an earlier click would be lost. */
async function submitEmptySignUp(page: Page): Promise<void> {
  await page.getByText(/Basic Plan/).waitFor();
  await page.getByRole('button', { name: 'Create account' }).click();
}
