import { auditEndpoints } from '#contract/audit.ts';
import { teamAdministration, teamEndpoints } from '#contract/teams.ts';
import {
  type AccountCredits,
  acceptInvite,
  createTeam,
  deleteTeam,
  describeInvite,
  exportAudit,
  getTeam,
  inviteMembers,
  leaveTeam,
  listAudit,
  listMemberships,
  listTeamMembers,
  listTeams,
  removeMember,
  resendInvite,
  respondToInvite,
  setRole,
  type TeamDependencies,
  updateTeam,
} from '#server/features/teams/index.ts';
import { type Call, call } from './call-table.ts';

export interface TeamCallDependencies {
  teams: TeamDependencies;
  accountCredits: AccountCredits;
}

/** Teams, memberships and their administration. */
export function teamCalls({ teams, accountCredits }: TeamCallDependencies): Call[] {
  return [...readingCalls({ accountCredits }), ...administrationCalls(teams)];
}

function readingCalls(deps: Pick<TeamCallDependencies, 'accountCredits'>): Call[] {
  return [
    call(teamEndpoints.listTeams, async (ctx) => ({ teams: await listTeams(ctx) })),
    call(teamEndpoints.getTeam, async (ctx, input) => ({ team: await getTeam(ctx, input) })),
    call(teamEndpoints.updateTeam, async (ctx, input) => ({ team: await updateTeam(ctx, input) })),
    call(teamEndpoints.listMemberships, async (ctx) => ({ memberships: await listMemberships(ctx, deps) })),
    call(teamEndpoints.listTeamMembers, async (ctx, input) => ({ members: await listTeamMembers(ctx, input, deps) })),
    call(auditEndpoints.listAudit, (ctx, input) => listAudit(ctx, input)),
    call(auditEndpoints.exportAudit, (ctx, input) => exportAudit(ctx, input)),
    call(teamEndpoints.describeInvite, (ctx, input, { browser }) => describeInvite(ctx, input, browser)),
  ];
}

function administrationCalls(deps: TeamDependencies): Call[] {
  const done = { success: true } as const;
  return [
    call(teamAdministration.createTeam, async (ctx, input) => ({ ...done, ...(await createTeam(ctx, input, deps)) })),
    call(teamAdministration.inviteMembers, async (ctx, input) => ({
      ...done,
      invites: await inviteMembers(ctx, input, deps),
    })),
    call(teamAdministration.respondToInvite, async (ctx, input) => {
      await respondToInvite(ctx, input);
      return { ...done, teamId: input.teamId };
    }),
    call(teamAdministration.acceptInvite, async (ctx, input, { browser }) => ({
      ...done,
      teamId: await acceptInvite(ctx, input, browser, deps),
    })),
    call(teamAdministration.deleteTeam, async (ctx, input) => {
      await deleteTeam(ctx, input, deps);
      return done;
    }),
    call(teamAdministration.setMemberRole, async (ctx, input) => {
      await setRole(ctx, input);
      return done;
    }),
    call(teamAdministration.removeMember, async (ctx, input) => {
      await removeMember(ctx, input, deps);
      return done;
    }),
    call(teamAdministration.resendInvite, async (ctx, input) => {
      await resendInvite(ctx, input, deps);
      return done;
    }),
    call(teamAdministration.leaveTeam, async (ctx, input) => {
      await leaveTeam(ctx, input, deps);
      return done;
    }),
  ];
}
