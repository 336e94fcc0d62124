import type { Page } from 'playwright-core';
import { auditEndpoints } from '#contract/audit.ts';
import { creditEndpoints } from '#contract/credits.ts';
import { type Membership, type Team, teamEndpoints } from '#contract/teams.ts';
import { runBefore } from './answered-calls.ts';
import { answerFullAccount, answerWith } from './answers.ts';

const hourMs = 3_600_000;

export function someTeam(part: Partial<Team> = {}): Team {
  return {
    teamId: 'team_1',
    name: 'Analytical Engines',
    createdAt: Date.now() - 90 * 24 * hourMs,
    createdBy: 'local-owner',
    memberIds: ['local-owner', 'bo', 'cy'],
    tier: 'Basic',
    credits: 240,
    monthlyAllowance: 2_000,
    numberOfPaidSeats: 2,
    subscriptionId: 'sub_1',
    subscriptionStatus: 'active',
    discountCode: null,
    discountAmount: null,
    discountKind: null,
    subscriptionStartDate: Date.now() - 40 * 24 * hourMs,
    subscriptionEndDate: null,
    showsKeysOnce: false,
    ...part,
  };
}

export function someMember(part: Partial<Membership> = {}): Membership {
  const state = part.state ?? 'accepted';
  return {
    membershipId: 'membership_1',
    teamId: 'team_1',
    userId: state === 'accepted' ? 'local-owner' : null,
    role: 'admin',
    state,
    joinedAt: Date.now() - 90 * 24 * hourMs,
    acceptedAt: state === 'accepted' ? Date.now() - 89 * 24 * hourMs : null,
    declinedAt: null,
    inviteInfo: null,
    email: 'ada@example.org',
    displayName: 'Ada Lovelace',
    hasPaidSeat: true,
    accountCredits: 200,
    lastInviteSentAt: null,
    ...part,
  };
}

export function someInvite(part: Partial<Membership> = {}): Membership {
  return someMember({
    ...{ membershipId: 'invite_1', role: 'writer', state: 'invited', email: 'dora@example.org', displayName: '' },
    ...{ hasPaidSeat: false, accountCredits: null, lastInviteSentAt: Date.now() - 2 * hourMs },
    inviteInfo: {
      teamName: 'Analytical Engines',
      invitedBy: 'Ada Lovelace (ada@example.org)',
      expiresAt: Date.now() + 160 * hourMs,
    },
    ...part,
  });
}

/** Mocks a user with two teams, an invite to a third, and the first team selected, with members of every kind. */
export async function answerTeams(
  page: Page,
  role: Membership['role'] = 'admin',
  own: Partial<Membership> = {},
): Promise<void> {
  await runBefore(page, "localStorage.setItem('workspace', 'team_1')");
  const other = someTeam({ teamId: 'team_2', name: 'Difference Engines', tier: 'Free', memberIds: ['local-owner'] });
  await answerWith(page, teamEndpoints.listTeams, { teams: [someTeam(), other] });
  const membership = someMember({ role, ...own });
  await answerWith(page, teamEndpoints.listMemberships, {
    memberships: [membership, someMember({ membershipId: 'membership_9', teamId: 'team_2' }), inviteToThird()],
  });
  await answerWith(page, teamEndpoints.listTeamMembers, {
    members: [
      membership,
      someMember({
        ...{ membershipId: 'membership_2', userId: 'bo', displayName: 'Bo Chen', email: 'bo.chen@example.org' },
        ...{ role: 'admin', hasPaidSeat: true, accountCredits: 12, joinedAt: Date.now() - 20 * 24 * hourMs },
      }),
      someMember({
        ...{
          membershipId: 'membership_3',
          userId: 'cy',
          displayName: '',
          email: 'cyrus.of.the.long.address@example.org',
        },
        ...{ role: 'reader', hasPaidSeat: false, accountCredits: 1_184 },
      }),
      someInvite(),
      someInvite({
        ...{ membershipId: 'invite_2', email: 'emil@example.org', role: 'reader' },
        inviteInfo: {
          teamName: 'Analytical Engines',
          invitedBy: 'Bo Chen (bo@example.org)',
          expiresAt: Date.now() - hourMs,
        },
        lastInviteSentAt: Date.now() - 9 * 24 * hourMs,
      }),
    ],
  });
}

/** Mocks a user without a team who has an invite. */
export async function answerInvite(page: Page): Promise<void> {
  await answerWith(page, teamEndpoints.listTeams, { teams: [] });
  await answerWith(page, teamEndpoints.listMemberships, { memberships: [inviteToThird()] });
}

function inviteToThird(): Membership {
  return someInvite({
    ...{ membershipId: 'invite_9', teamId: 'team_3', email: 'ada@example.org', role: 'reader' },
    inviteInfo: {
      teamName: 'Jacquard Looms',
      invitedBy: 'Grace Hopper (grace@example.org)',
      expiresAt: Date.now() + 100 * hourMs,
    },
  });
}

/** Mocks a team audit log with several kinds of entries. */
export async function answerLog(page: Page): Promise<void> {
  const ada = { userId: 'local-owner', displayName: 'Ada Lovelace', email: 'ada@example.org' };
  const entry = { actor: ada, entityId: 'x', entityName: null, detail: {}, team: null };
  await answerWith(page, auditEndpoints.listAudit, {
    entries: [
      {
        ...{ ...entry, id: '1', at: Date.now() - hourMs, action: 'member.set-role' },
        ...{ entityName: 'cyrus.of.the.long.address@example.org', detail: { from: 'writer', to: 'reader' } },
      },
      { ...entry, id: '2', at: Date.now() - 2 * hourMs, action: 'invite.create', entityName: 'dora@example.org' },
      { ...entry, id: '3', at: Date.now() - 30 * hourMs, action: 'key.revoke', entityName: 'CI', actor: null },
      { ...entry, id: '4', at: Date.now() - 90 * 24 * hourMs, action: 'team.create', detail: { isIndexMoved: true } },
    ],
    nextCursor: '1.x',
  });
}

/** Mocks calls paid by the team and calls paid by a member's own account, with the usage of each. */
export async function answerTeamActivity(page: Page): Promise<void> {
  await answerFullAccount(page);
  const call = {
    ...{ userId: 'bo', teamId: 'team_1', source: 'usage' as const, isFromMonthlyAllowance: true },
    ...{ userAccountAmount: null, details: 'Documentation search', timestamp: Date.now() - hourMs },
  };
  await answerWith(page, creditEndpoints.listTransactions, {
    transactions: [
      { ...call, id: '1', amount: -1, metadata: { user: 'Bo Chen', apiKeyName: 'CI', args: { query: 'task groups' } } },
      {
        ...{ ...call, id: '2', amount: 0, userAccountAmount: -1, isFromMonthlyAllowance: false },
        metadata: { user: 'cyrus.of.the.long.address@example.org', args: { query: 'cancel scopes' } },
      },
    ],
  });
  const usage = { userEmail: null, creditsUsed: 0, accountCreditsUsed: 0 };
  await answerWith(page, creditEndpoints.getMemberUsage, {
    since: Date.now() - 12 * 24 * hourMs,
    members: [
      { ...usage, userId: 'local-owner', user: 'Ada Lovelace', creditsUsed: 1_204 },
      { ...usage, userId: 'bo', user: 'Bo Chen', creditsUsed: 311, accountCreditsUsed: 20 },
      { ...usage, userId: 'cy', user: 'cyrus.of.the.long.address@example.org', accountCreditsUsed: 96 },
    ],
  });
}
