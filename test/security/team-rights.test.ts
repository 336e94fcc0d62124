import { describe, expect, test } from 'vitest';
import { auditEndpoints } from '#contract/audit.ts';
import { billingAdministration, teamBillingEndpoints } from '#contract/billing.ts';
import { creditEndpoints } from '#contract/credits.ts';
import type { Endpoint, TeamRight } from '#contract/endpoint.ts';
import { signOnEndpoints } from '#contract/sign-on.ts';
import { type TeamRole, teamAdministration, teamEndpoints, teamRoles } from '#contract/teams.ts';
import { hasRight } from '#server/features/teams/rights.ts';
import { openStage, type Stage, type Team } from './team-cast.ts';

/** A call with the team in its address: the right it requires, and its other input. */
interface TeamCall {
  endpoint: Endpoint;
  right: TeamRight;
  /** The input for a person of this role. */
  input?: (team: Team, role: TeamRole) => Record<string, unknown>;
  /** The result for permitted callers: 200, or an error unrelated to rights. */
  told?: string;
}

const { writer, none } = { writer: (team: Team) => ({ membershipId: team.membershipIds.writer }), none: () => ({}) };
const invitedOne = (team: Team) => ({ membershipId: team.membershipIds.invited });

/** The Basic plan's price in the test mode. */
const testPriceId = 'price_test_basic';

/** Every call with a team in its address. A missing call fails the test below. */
const teamCalls: TeamCall[] = [
  { endpoint: teamEndpoints.getTeam, right: 'team.read' },
  { endpoint: teamEndpoints.listTeamMembers, right: 'members.read' },
  { endpoint: teamEndpoints.updateTeam, right: 'team.update', input: () => ({ name: 'Renamed' }) },
  { endpoint: creditEndpoints.getMemberUsage, right: 'activity.own' },
  { endpoint: auditEndpoints.listAudit, right: 'audit.read' },
  { endpoint: auditEndpoints.exportAudit, right: 'audit.read' },
  {
    endpoint: teamAdministration.inviteMembers,
    right: 'members.invite',
    input: () => ({ teamMembers: ['new@example.org'] }),
  },
  { endpoint: teamAdministration.deleteTeam, right: 'team.delete' },
  {
    endpoint: teamAdministration.setMemberRole,
    right: 'roles.set',
    input: (team) => ({ ...writer(team), role: 'reader' }),
  },
  { endpoint: teamAdministration.removeMember, right: 'members.remove', input: writer },
  { endpoint: teamAdministration.resendInvite, right: 'members.invite', input: invitedOne },
  {
    endpoint: teamAdministration.leaveTeam,
    right: 'team.leave',
    input: (team, role) => ({ membershipId: team.membershipIds[role] }),
  },
  { endpoint: signOnEndpoints.getSignOn, right: 'sso.manage' },
  {
    endpoint: signOnEndpoints.setSignOn,
    right: 'sso.manage',
    input: () => ({ domain: 'acme.example', issuer: 'https://sign-on.invalid', clientId: 'us', clientSecret: 'x' }),
    told: 'issuer-unusable',
  },
  { endpoint: signOnEndpoints.verifySignOnDomain, right: 'sso.manage', told: 'sign-on-not-found' },
  { endpoint: signOnEndpoints.removeSignOn, right: 'sso.manage' },
  { endpoint: teamBillingEndpoints.getTeamBilling, right: 'billing.manage' },
  { endpoint: teamBillingEndpoints.listTeamInvoices, right: 'billing.manage' },
  {
    endpoint: teamBillingEndpoints.previewTeamChange,
    right: 'billing.manage',
    input: () => ({ numberOfSeats: 3 }),
    told: 'not-subscribed',
  },
  {
    endpoint: teamBillingEndpoints.changeTeamPlan,
    right: 'billing.manage',
    input: () => ({ tier: 'Pro' }),
    told: 'not-subscribed',
  },
  {
    endpoint: teamBillingEndpoints.changeSeatCount,
    right: 'seats.manage',
    input: () => ({ numberOfSeats: 3 }),
    told: 'not-subscribed',
  },
  { endpoint: teamBillingEndpoints.cancelTeamSubscription, right: 'billing.manage', told: 'not-subscribed' },
  { endpoint: teamBillingEndpoints.resumeTeamSubscription, right: 'billing.manage', told: 'not-subscribed' },
  {
    endpoint: billingAdministration.createSubscription,
    right: 'billing.manage',
    input: () => ({ numberOfSeats: 2, priceId: testPriceId }),
  },
  { endpoint: billingAdministration.manageSeats, right: 'seats.manage', input: () => ({ paidSeatMembershipIds: [] }) },
  { endpoint: billingAdministration.purchaseTeamCredits, right: 'billing.manage', input: () => ({ amount: 1_000 }) },
  { endpoint: billingAdministration.openTeamPortal, right: 'billing.manage', told: 'nothing-paid-yet' },
];

const inputOf = ({ input = none }: TeamCall, team: Team, role: TeamRole) => ({
  ...input(team, role),
  teamId: team.teamId,
});
const codeOf = ({ body }: { body: string }) => {
  const answer = JSON.parse(body) as { code?: string; error?: { code?: string } | string };
  return answer.code ?? (typeof answer.error === 'object' ? answer.error.code : undefined);
};
const titled = teamCalls.map((call) => ({ ...call, title: `${call.endpoint.method} ${call.endpoint.path}` }));

describe('each team call', () => {
  test('is in the table used by these tests', async () => {
    const { rig } = await openStage();
    const known = new Set<Endpoint>(teamCalls.map(({ endpoint }) => endpoint));
    const missing = rig.running.installation.calls
      .map(({ endpoint }) => endpoint)
      .filter((endpoint) => /\/teams\/:teamId/.test(endpoint.path) && !known.has(endpoint));
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  test.each(titled)('$title is allowed with the right, and refused without it', async (call) => {
    const stage = await openStage();
    const ask = async (role: TeamRole) => {
      const team = await stage.team();
      return stage.ask(call.endpoint, inputOf(call, team, role), stage.senders[role]);
    };
    for (const role of teamRoles) {
      const answer = await ask(role);
      const told = answer.status === 200 ? '200' : codeOf(answer);
      if (hasRight(role, call.right)) expect([role, told]).toEqual([role, call.told ?? '200']);
      else expect([role, answer.status, codeOf(answer)]).toEqual([role, 403, 'permission-denied']);
    }
  });

  test.each(titled)('$title responds to a stranger as if the team did not exist, and changes nothing', async (call) => {
    const stage = await openStage();
    const team = await stage.team();
    const before = await dumpOf(stage);
    const missing: Team = { ...team, teamId: 'no-such-team' };
    for (const person of ['outsider', 'removed', 'invited'] as const) {
      const ask = (which: Team) => stage.ask(call.endpoint, inputOf(call, which, 'writer'), stage.senders[person]);
      const answer = await ask(team);
      expect([person, answer.status, codeOf(answer)]).toEqual([person, 404, 'team-not-found']);
      expect(answer).toEqual(await ask(missing));
    }
    const visitor = await stage.ask(call.endpoint, inputOf(call, team, 'writer'), stage.anonymous);
    expect([visitor.status, codeOf(visitor)]).toEqual([401, 'unauthenticated']);
    expect(await dumpOf(stage)).toEqual(before);
  });

  test('is refused to team keys, even an admin’s, and changes nothing', async () => {
    const stage = await openStage();
    const team = await stage.team();
    const { secret } = await stage.teamKey(team, 'founder');
    const before = await dumpOf(stage);
    for (const call of teamCalls) {
      const answer = await stage.ask(call.endpoint, inputOf(call, team, 'admin'), {
        authorization: `Bearer ${secret}`,
      });
      expect([call.endpoint.path, answer.status]).toEqual([call.endpoint.path, 403]);
    }
    expect(await dumpOf(stage)).toEqual(before);
  });

  test('under /admin reports errors as success false, with text and code', async () => {
    const stage = await openStage();
    const input = { teamId: 'no-such-team' };
    const { body } = await stage.ask(teamAdministration.deleteTeam, input, stage.senders.outsider);
    expect(JSON.parse(body)).toEqual({
      ...{
        success: false,
        error: 'Team not found. Choose one of your teams.',
        code: 'team-not-found',
        requestId: 'request',
      },
    });
  });
});

async function dumpOf({ rig }: Stage) {
  const { query } = rig.running.installation.base.db;
  const { teams, memberships, auditLog } = {
    teams: await query.selectFrom('teams').selectAll().orderBy('id').execute(),
    memberships: await query.selectFrom('memberships').selectAll().orderBy('id').execute(),
    auditLog: await query.selectFrom('auditLog').selectAll().orderBy('id').execute(),
  };
  return { teams, memberships, auditLog };
}
