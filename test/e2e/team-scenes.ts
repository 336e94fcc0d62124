import type { Page } from 'playwright-core';
import { auditEndpoints } from '#contract/audit.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { teamAdministration, teamEndpoints } from '#contract/teams.ts';
import {
  answerFullAccount,
  answerFullLibrary,
  answerWith,
  failWith,
  neverAnswer,
  someKey,
  someModule,
} from './answers.ts';
import { heading, type Scene } from './scene.ts';
import { answerInvite, answerLog, answerTeamActivity, answerTeams, someTeam } from './team-answers.ts';

const openSwitcher = (page: Page) => page.getByRole('button', { name: /^Workspace: / }).click();

/** The team screens, each in every state. */
export const teamScenes: Scene[] = [
  {
    name: 'choosing a workspace',
    path: '/dashboard',
    set: answerTeams,
    act: openSwitcher,
    until: (page) =>
      page
        .getByRole('dialog')
        .getByRole('button', { name: /Difference Engines/ })
        .waitFor(),
  },
  {
    name: 'dashboard, with an invite',
    path: '/dashboard',
    set: answerInvite,
    until: (page) => page.getByRole('button', { name: 'Accept the invite to Jacquard Looms' }).waitFor(),
  },

  {
    name: 'team, none selected',
    path: '/team',
    set: answerInvite,
    until: heading('You are working in your own workspace'),
  },
  { name: 'team, as an admin', path: '/team', set: answerTeams, until: heading(/^Pending invites/) },
  {
    name: 'team, as a reader',
    path: '/team',
    set: (page) => answerTeams(page, 'reader'),
    until: (page) => page.getByText(/^Only admins can invite and remove people/).waitFor(),
  },
  {
    name: 'team, choosing a role',
    path: '/team',
    set: answerTeams,
    act: (page) => page.getByRole('combobox', { name: 'Role of Bo Chen' }).locator('visible=true').click(),
    until: (page) => page.getByRole('option', { name: /^Reader/ }).waitFor(),
  },
  {
    name: 'team, removing a member',
    path: '/team',
    set: answerTeams,
    act: askToRemove,
    until: (page) => page.getByRole('alertdialog').waitFor(),
  },
  { name: 'team, settings', path: '/team?tab=settings', set: answerTeams, until: heading('Delete the team') },
  {
    name: 'team, settings as a reader',
    path: '/team?tab=settings',
    set: (page) => answerTeams(page, 'reader'),
    until: (page) => page.getByText(/^You are a reader here/).waitFor(),
  },
  {
    name: 'team, deleting with the wrong name',
    path: '/team?tab=settings',
    set: answerTeams,
    act: failToDelete,
    until: (page) => page.getByText("This is not the team's name.").waitFor(),
  },
  {
    name: 'team, audit log',
    path: '/team?tab=log',
    set: async (page) => {
      await answerTeams(page);
      await answerLog(page);
    },
    until: (page) => page.getByText('from Writer to Reader').waitFor(),
  },
  {
    name: 'team, audit log with no entry of a kind',
    path: '/team?tab=log&show=key',
    set: async (page) => {
      await answerTeams(page);
      await answerWith(page, auditEndpoints.listAudit, { entries: [], nextCursor: null });
    },
    until: (page) => page.getByText('No matching entries.').waitFor(),
  },
  {
    name: 'team, waiting',
    path: '/team',
    set: async (page) => {
      await answerTeams(page);
      await neverAnswer(page, teamEndpoints.listTeamMembers);
    },
    until: (page) => page.getByText('Loading members…').waitFor(),
  },
  {
    name: 'team, an error',
    path: '/team',
    set: async (page) => {
      await answerTeams(page);
      await failWith(page, teamEndpoints.listTeamMembers, 'unavailable');
    },
    until: (page) => page.getByText("Couldn't load the members").waitFor(),
  },

  {
    name: 'create team, a wrong address and an index to move',
    path: '/create-team',
    set: async (page) => {
      await answerInvite(page);
      await answerWith(page, libraryEndpoints.listModules, { modules: [someModule({ visibility: 'private' })] });
    },
    act: fillWrongTeam,
    until: (page) => page.getByText('This is not an email address.').waitFor(),
  },
  {
    name: 'create team, an invite that failed',
    path: '/create-team',
    set: answerRefusedInvites,
    act: createTeam,
    until: heading('Your team is ready'),
  },
  {
    name: 'add members',
    path: '/add-members',
    set: answerTeams,
    until: async (page) => {
      await heading('Add members')(page);
      await page.getByRole('navigation', { name: 'Console' }).locator('[aria-current]', { hasText: 'Team' }).waitFor();
    },
  },
  {
    name: 'add members, as a reader',
    path: '/add-members',
    set: (page) => answerTeams(page, 'reader'),
    until: (page) => page.getByText(/^Only admins can invite people/).waitFor(),
  },

  {
    name: 'activity of a team',
    path: '/activity',
    set: async (page) => {
      await answerTeams(page);
      await answerTeamActivity(page);
    },
    until: (page) => page.getByText("member's account").first().waitFor(),
  },
  {
    name: 'keys of a team that shows them once',
    path: '/keys',
    set: async (page) => {
      await answerTeams(page);
      const made = { teamId: 'team_1', isRevealable: false };
      await answerWith(page, keyEndpoints.listKeys, {
        keys: [
          someKey({ ...made, userName: 'Ada Lovelace' }),
          someKey({ ...made, id: 'key_2', name: 'CI', userName: 'Bo Chen', lastUsed: null }),
        ],
      });
      await answerWith(page, teamEndpoints.listTeams, { teams: [someTeam({ showsKeysOnce: true })] });
    },
    until: (page) => page.getByText(/shows keys only/).waitFor(),
  },
  {
    name: 'resources of a team, as a reader',
    path: '/resources',
    set: async (page) => {
      await answerTeams(page, 'reader');
      await answerFullLibrary(page);
    },
    until: (page) => page.getByText(/^You are a reader in this team/).waitFor(),
  },

  {
    name: 'an invite, as a visitor',
    path: '/accept/some-token',
    isVisitor: true,
    set: (page) =>
      answerWith(page, teamEndpoints.describeInvite, {
        ...{ teamName: 'Analytical Engines', email: 'ada@example.org', role: 'writer' as const },
        ...{ invitedBy: 'Bo Chen (bo@example.org)', expiresAt: Date.now() + 3_600_000 },
      }),
    until: (page) => page.getByText(/^Bo Chen \(bo@example.org\) invites/).waitFor(),
  },
  {
    name: 'an invite, accepting',
    path: '/accept/some-token',
    set: (page) => neverAnswer(page, teamAdministration.acceptInvite),
    until: (page) => page.getByText('One moment.').waitFor(),
  },
  { name: 'an invite that does not exist', path: '/accept', until: heading('Invitation Not Found') },
  {
    name: 'an invite that cannot be accepted',
    path: '/accept/some-token',
    set: (page) => failWith(page, teamAdministration.acceptInvite, 'email-not-verified'),
    until: heading('Unable to Accept Invitation'),
  },
];

async function askToRemove(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More for Bo Chen' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
}

async function failToDelete(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete team…' }).click();
  await page.getByRole('textbox', { name: /^Type “Analytical Engines”/ }).fill('Engines');
  await page.getByRole('button', { name: 'Delete team', exact: true }).click();
}

async function fillWrongTeam(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Team name' }).fill('Analytical Engines');
  await page.getByRole('textbox', { name: 'Email address of person 1' }).fill('dora@example.org');
  await page.getByRole('button', { name: 'Add another' }).click();
  await page.getByRole('textbox', { name: 'Email address of person 2' }).fill('emil');
  await page.getByRole('button', { name: 'Create team' }).click();
}

async function answerRefusedInvites(page: Page): Promise<void> {
  await answerInvite(page);
  await answerFullAccount(page);
  await answerWith(page, teamAdministration.createTeam, {
    success: true,
    teamId: 'team_1',
    invites: [
      { email: 'dora@example.org', outcome: 'invited', message: 'A mail is on its way.' },
      { email: 'emil@example', outcome: 'invalid', message: 'Please enter a valid email address' },
    ],
  });
}

async function createTeam(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Team name' }).fill('Analytical Engines');
  await answerWith(page, teamEndpoints.listTeams, { teams: [someTeam()] });
  await page.getByRole('button', { name: 'Create team' }).click();
}
