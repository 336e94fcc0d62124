import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { auditEndpoints } from '#contract/audit.ts';
import { type TeamRole, teamEndpoints } from '#contract/teams.ts';
import { until } from '../services/until.ts';
import { answerWith } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { expectFocus, type Harness, useHarness } from './harness.ts';
import { answerTeams, someInvite, someMember } from './team-answers.ts';

interface Person {
  page: Page;
  email: string;
  password: string;
}

const workspaceOf = (page: Page) => page.evaluate<string | null>('localStorage.getItem("workspace")');
const switcher = (page: Page) => page.getByRole('button', { name: /^Workspace: / });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

describe.skipIf(!hasChromium)('teams', () => {
  const harness = useHarness();

  test('a user creates a team by keyboard; an invited user accepts by email and shows up at once', async () => {
    const ada = await verifiedPerson(harness);
    const bo = await harness.person();
    const { page } = ada;
    await page.goto('/dashboard');
    await switcher(page).press('Enter');
    await expectFocus(page.getByRole('button', { name: /Individual$/ }));
    await page.keyboard.press('ArrowDown');
    await expectFocus(page.getByRole('link', { name: 'Create team' }));
    await page.keyboard.press('Enter');
    await expectFocus(page.getByRole('textbox', { name: 'Team name' }));
    await page.keyboard.press('Enter');
    await page.getByText('Team name is required').waitFor();
    await page.keyboard.type('Analytical Engines');
    await page.keyboard.press('Tab');
    await page.keyboard.type(bo.email);
    await page.getByRole('button', { name: 'Add another' }).press('Enter');
    await expectFocus(page.getByRole('textbox', { name: 'Email address of person 2' }));
    await page.keyboard.type('dora@example.org');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: /^Reader/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create team' }).press('Enter');
    await shows(page, 'Team created, 2 invites sent', `${harness.url}/team`);
    await page.getByRole('heading', { name: 'Analytical Engines' }).waitFor();
    const pending = page.getByRole('region', { name: /^Pending invites/ });
    await pending.getByText(bo.email).waitFor();
    await pending.getByText(/^Reader, sent/).waitFor();

    const { link } = await harness.mailTo(bo.email, /^Join/);
    const other = await harness.signedOut();
    await other.goto(link);
    await other.getByRole('heading', { name: 'Sign In Required' }).waitFor();
    await other.getByText(`invites ${bo.email} to Analytical Engines as a writer`).waitFor();
    await other.getByRole('link', { name: 'Sign In', exact: true }).click();
    await signIn(other, bo);
    await shows(other, 'Team invite accepted successfully!', `${harness.url}/dashboard`);
    await other.getByRole('button', { name: 'Workspace: Analytical Engines' }).waitFor();
    expect(await other.evaluate('sessionStorage.getItem("pending-invite")')).toBeNull();

    // The creator's page was not reloaded.
    await row(page, bo.email).waitFor();
    await pending.getByText(bo.email).waitFor({ state: 'detached' });
  });

  test('a role change and a removal take effect at once', async () => {
    const { ada, bo } = await teamOfTwo(harness, 'Difference Engines', 'writer');
    await ada.page.goto('/team');
    await bo.page.goto('/resources');
    await bo.page.getByRole('form', { name: 'Add a source' }).waitFor();
    const role = ada.page.getByRole('combobox', { name: `Role of ${bo.name}` });
    await role.click();
    await ada.page.keyboard.press('Escape');
    await expectFocus(role);
    await role.click();
    await ada.page.getByRole('option', { name: /^Reader/ }).click();
    await ada.page.getByText(`${bo.name} is now a reader`).waitFor();
    await bo.page.getByText(/^You are a reader in this team/).waitFor();
    await bo.page.getByRole('form', { name: 'Add a source' }).waitFor({ state: 'detached' });
    await bo.page.goto('/welcome?step=source');
    await bo.page.getByText(/^You are a reader in this team/).waitFor();
    expect(await bo.page.getByRole('link', { name: 'More ways to add documentation' }).count()).toBe(0);

    await ada.page.getByRole('button', { name: `More for ${bo.name}` }).click();
    await ada.page.getByRole('menuitem', { name: 'Remove…' }).click();
    await expectFocus(ada.page.getByRole('button', { name: 'Cancel' }));
    await ada.page.getByRole('button', { name: 'Remove', exact: true }).click();
    await bo.page
      .getByText('You no longer belong to Difference Engines. This is your own workspace.')
      .first()
      .waitFor();
    await bo.page.getByRole('button', { name: `Workspace: ${bo.name}` }).waitFor();
    expect(await workspaceOf(bo.page)).toBe('individual');
    await row(ada.page, bo.email).waitFor({ state: 'detached' });
    // The only admin sees why leaving is not possible.
    await ada.page.getByRole('button', { name: `More for ${ada.name}` }).click();
    await ada.page.getByText(/^You are the only admin/).waitFor();
  });

  test('tabs share the selected workspace and show no data of another workspace', async () => {
    const { ada, teamId } = await teamOfTwo(harness, 'Looms', 'reader');
    const { page } = ada;
    await page.goto('/keys');
    await page.getByRole('heading', { name: 'API Keys', exact: true }).waitFor();
    const second = await page.context().newPage();
    await second.goto(`/keys?teamId=${teamId}`);
    await second.waitForURL(`${harness.url}/keys`);
    await page.getByRole('button', { name: 'Workspace: Looms' }).waitFor();
    await page.getByRole('button', { name: '+ New API Key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Key of the team');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '“Key of the team” is ready' }).waitFor();
    await row(second, 'Key of the team').waitFor();

    await switcher(second).click();
    await second
      .getByRole('button', { name: /Individual/ })
      .last()
      .click();
    await page.getByRole('heading', { name: "You don't have any API keys yet." }).waitFor();
    expect(await page.getByText('Key of the team').count()).toBe(0);
    await page.goto(`/activity?teamId=${teamId}`);
    await page.getByRole('heading', { name: 'Looms Recent Activity' }).waitFor();
    await expect.poll(() => page.title()).toBe('Lectern - Looms Activity');
    const exported = (await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')) ?? '';
    const csvOf = async (path: string) => (await page.request.get(path)).text();
    expect(await csvOf(exported)).not.toContain('initial');
    expect(await csvOf(exported.replace(/[?&]teamId=[^&]*/, ''))).toContain('initial');
  });

  test('long lists of members and invites load in steps, and numbers in names sort as numbers', async () => {
    const page = await harness.signedIn();
    await answerTeams(page);
    const many = Array.from({ length: 220 }, (_, at) => at);
    await answerWith(page, teamEndpoints.listTeamMembers, {
      members: [
        someMember(),
        ...many.map((at) =>
          someMember({ membershipId: `m${at}`, userId: `u${at}`, role: 'reader', displayName: `Person ${at}` }),
        ),
        ...many.map((at) => someInvite({ membershipId: `i${at}`, email: `invited-${at}@example.org` })),
      ],
    });
    await page.goto('/team');
    const invites = page.getByRole('region', { name: /^Pending invites/ });
    await expect.poll(() => invites.getByRole('listitem').count()).toBe(100);
    expect(await invites.getByRole('listitem').nth(9).textContent()).toContain('invited-9@');
    expect(await page.getByRole('row').nth(11).textContent()).toContain('Person 9');
    await invites.getByRole('button', { name: 'Show 100 more' }).press('Enter');
    await expectFocus(invites.getByRole('button', { name: 'Resend the invite to invited-100@example.org' }));
    expect(await invites.getByRole('listitem').count()).toBe(200);
    await page.getByRole('columnheader', { name: 'Role' }).getByRole('button').press('Enter');
    await page.getByRole('columnheader', { name: 'Role' }).getByRole('button').press('Enter');
    expect(await page.getByRole('row').nth(1).textContent()).toContain('Reader');

    await page.setViewportSize({ width: 390, height: 844 });
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('tbody tr, [aria-labelledby="pending"] li')].map((row) => row.offsetHeight)`,
    );
    expect(heights.length).toBe(300);
    expect(Math.max(...heights)).toBeLessThan(90);
  });

  test('the audit log shows every entry that it has fetched', async () => {
    const page = await harness.signedIn();
    await answerTeams(page);
    const entry = { action: 'invite.create', actor: null, entityId: 'x', detail: {}, team: null } as const;
    await answerWith(page, auditEndpoints.listAudit, {
      entries: Array.from({ length: 120 }, (_, at) => ({
        ...{ ...entry, id: `${at}`, at: Date.now(), entityName: `invited-${at}@example.org` },
      })),
      nextCursor: null,
    });
    await page.goto('/team?tab=log');
    await page.getByText('invited-119@example.org').waitFor();
  });

  test('on a shared browser, the invite and the selected team end with the session', async () => {
    const { ada, bo } = await teamOfTwo(harness, 'Shared', 'writer');
    await administer(ada.page, 'POST', `/admin/teams/${bo.teamId}/invite-members`, {
      teamMembers: ['eve@example.org'],
    });
    const { link } = await harness.mailTo('eve@example.org', /^Join/);
    const { page } = bo;
    await page.goto(link);
    await page.getByRole('heading', { name: 'Unable to Accept Invitation' }).waitFor();
    await page.getByText('This invitation was sent to eve@example.org.').first().waitFor();
    await page.getByRole('button', { name: 'Sign in with another account' }).waitFor();
    await until('the token is kept', () => page.evaluate<string | null>('sessionStorage.getItem("pending-invite")'));
    await page.getByRole('link', { name: 'Continue to Dashboard' }).click();
    await page.goto(`/dashboard?teamId=${bo.teamId}`);
    await page.getByRole('button', { name: 'Workspace: Shared' }).waitFor();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Unable to Accept Invitation' }).waitFor();

    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(`${harness.url}/`);
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    expect(await workspaceOf(page)).toBe('individual');
    expect(await page.evaluate('sessionStorage.getItem("pending-invite")')).toBeNull();
    await page.goto('/accept');
    await page.getByRole('heading', { name: 'Invitation Not Found' }).waitFor();
    await page.getByText("We couldn't find a team invitation linked to this URL.").waitFor();
    await page.getByRole('link', { name: 'Go to Dashboard' }).waitFor();
  });

  test('an invite page lets a new user sign up with the invited email, and offers other users another account', async () => {
    const { ada, bo } = await teamOfTwo(harness, 'Open Door', 'reader');
    await administer(ada.page, 'POST', `/admin/teams/${bo.teamId}/invite-members`, {
      teamMembers: ['fay@example.org'],
    });
    const { link } = await harness.mailTo('fay@example.org', /^Join/);
    const page = await harness.signedOut();
    await page.goto(link);
    await page.getByText(/to Open Door as a/).waitFor();
    await page.getByRole('link', { name: 'Create account' }).click();
    await page.getByText('Then join the team Open Door.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('fay@example.org');
    await page.getByLabel('Password', { exact: true }).fill('a long enough phrase');
    await page.getByLabel('Confirm password', { exact: true }).fill('a long enough phrase');
    await page.getByRole('button', { name: 'Create account' }).click();
    await shows(page, 'Team invite accepted successfully!', `${harness.url}/dashboard`);

    await administer(ada.page, 'POST', `/admin/teams/${bo.teamId}/invite-members`, {
      teamMembers: ['gus@example.org'],
    });
    const other = await harness.mailTo('gus@example.org', /^Join/);
    await bo.page.goto(other.link);
    await bo.page.getByRole('button', { name: 'Sign in with another account' }).click();
    await bo.page.waitForURL(`${harness.url}/login?cont=${encodeURIComponent(new URL(other.link).pathname)}`);
    await bo.page.getByRole('form', { name: 'Sign in with email' }).waitFor();
  });

  test('a pending invite can be declined; a rename that failed keeps its text; leaving or deleting leads to the dashboard', async () => {
    const { ada, bo, teamId } = await teamOfTwo(harness, 'Short lived', 'reader');
    const cy = await verifiedPerson(harness);
    const follows = cy.page.waitForResponse((response) => new URL(response.url()).pathname === '/api/live');
    await cy.page.goto('/dashboard');
    await Promise.all([follows, switcher(cy.page).waitFor()]);
    await administer(ada.page, 'POST', `/admin/teams/${teamId}/invite-members`, { teamMembers: [cy.email] });
    await cy.page.getByRole('button', { name: 'Decline the invite to Short lived' }).click();
    await cy.page.getByText('Invite to Short lived declined').waitFor();
    await cy.page.getByRole('button', { name: 'Decline the invite to Short lived' }).waitFor({ state: 'detached' });

    await bo.page.goto('/team?tab=settings');
    await bo.page.getByText(/^You are a reader here/).waitFor();
    await bo.page.getByRole('button', { name: 'Leave the team…' }).click();
    await bo.page.getByRole('button', { name: 'Leave the team', exact: true }).click();
    await shows(bo.page, 'You left Short lived', `${harness.url}/dashboard`);

    const { page } = ada;
    await page.goto('/team?tab=settings');
    const name = page.getByRole('textbox', { name: 'Team name' });
    await name.fill('Renamed');
    await page.context().setOffline(true);
    await name.press('Enter');
    await page.getByText('The server is not responding').waitFor();
    expect(await name.inputValue()).toBe('Renamed');
    await page.context().setOffline(false);
    await name.press('Enter');
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
    await page.getByRole('switch', { name: 'Show keys once' }).press('Space');
    await page.getByRole('switch', { name: 'Show keys once', checked: true }).waitFor();
    await page.getByRole('button', { name: 'Delete team…' }).click();
    await expectFocus(page.getByRole('button', { name: 'Cancel' }));
    await page.getByRole('button', { name: 'Delete team', exact: true }).click();
    await page.getByText("This is not the team's name.").waitFor();
    await page.getByRole('textbox', { name: 'Type “Renamed” to confirm' }).fill('Renamed');
    await page.getByRole('button', { name: 'Delete team', exact: true }).click();
    await shows(page, 'Renamed deleted', `${harness.url}/dashboard`);
    expect(await workspaceOf(page)).toBe('individual');
  });
});

/** Waits for a toast and a URL together: one after the other, the toast could be gone. */
async function shows(page: Page, toast: string, url: string): Promise<void> {
  await Promise.all([page.getByText(toast).waitFor(), page.waitForURL(url)]);
}

/** Returns a signed-in user with a verified email, which inviting others requires. */
async function verifiedPerson(harness: Harness): Promise<Person> {
  const person = await harness.person();
  const { link } = await harness.mailTo(person.email, /^Verify/);
  const oobCode = new URL(link).searchParams.get('oobCode');
  await administer(person.page, 'POST', '/api/identity/verify-email', { oobCode });
  return person;
}

/** Creates a team with two users who both have it selected. */
async function teamOfTwo(harness: Harness, teamName: string, role: TeamRole) {
  const [ada, bo] = [await verifiedPerson(harness), await verifiedPerson(harness)];
  const teamMembers = [{ email: bo.email, role }];
  const { teamId } = await administer(ada.page, 'POST', '/admin/teams', { teamName, teamMembers });
  await administer(bo.page, 'POST', '/admin/teams/respond-to-invite', { teamId, response: 'accept' });
  for (const { page } of [ada, bo]) {
    await page.addInitScript(
      `sessionStorage.getItem('begun') ?? (sessionStorage.setItem('begun', 'yes'), localStorage.getItem('workspace') ?? localStorage.setItem('workspace', '${teamId}'))`,
    );
  }
  return {
    teamId,
    ada: { ...ada, name: nameOf(ada), teamId },
    bo: { ...bo, name: nameOf(bo), teamId },
  };
}

/** Returns the display name the harness gives. */
function nameOf({ email }: Person): string {
  return email.replace(/^person-(\d+)@.*$/, 'Person $1');
}

async function administer(page: Page, method: string, path: string, data: object): Promise<{ teamId: string }> {
  const answer = await page.request.fetch(path, { method, headers: { 'x-lectern-csrf': '1' }, data });
  if (!answer.ok()) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return (await answer.json()) as { teamId: string };
}

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}
