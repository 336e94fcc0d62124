import { auditEndpoints } from '#contract/audit.ts';
import { installationAuditEndpoints } from '#contract/operator.ts';
import { teamAdministration, teamEndpoints } from '#contract/teams.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { onceSteady } from '#server/platform/db/has-come.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import type { Accounts } from '../accounts/index.ts';
import { feature, hook, serve } from '../feature.ts';
import { acceptInvite, describeInvite, respondToInvite } from './accept-invite.ts';
import { announceMember } from './announce-team.ts';
import { deleteOldAudit } from './audit-store.ts';
import { createTeam, deleteTeam, updateTeam } from './change-teams.ts';
import type { TeamDependencies } from './dependencies.ts';
import { createInviteMails } from './invite-mails.ts';
import { inviteMembers, resendInvite } from './invite-members.ts';
import { exportAudit, exportInstallationAudit, listAudit, listInstallationAudit } from './list-audit.ts';
import { getTeam, listTeams } from './list-teams.ts';
import { leaveAllTeams, leaveTeam, removeMember, requireNoTeamDependsOn, setRole } from './members.ts';
import type { TeamRow } from './team-store.ts';

export type Teams = ReturnType<typeof openTeams>;

/**
 * Opens teams, memberships and their administration, with hooks for features above when a member leaves or a team is
 * deleted.
 */
export function openTeams(
  { config: { productName, auditKeptMs }, clock, publicUrl, letters, background }: Platform,
  { accounts }: { accounts: Pick<Accounts, 'endAccess' | 'deletionAsked' | 'leaving' | 'profileChanged'> },
) {
  const hooks = {
    /** Moves a user's own modules into a team. */
    indexMoved: hook<[tx: Transaction, move: { userId: string; teamId: string }, now: number]>(),
    memberLeft: hook<[tx: Transaction, member: { teamId: string; userId: string }, now: number]>(),
    /** Runs when a member may no longer change the team's sources. */
    writingEnded: hook<[tx: Transaction, member: { teamId: string; userId: string }, now: number]>(),
    /** Runs before the team is deleted, while its row still exists. */
    teamDeleted: hook<[tx: Transaction, team: TeamRow, now: number]>(),
  };
  const needs: TeamDependencies = {
    inviteMails: createInviteMails({ send: letters, productName, publicUrl }),
    background,
    endOtherAccess: accounts.endAccess,
    moveLibrary: hooks.indexMoved,
    memberLeft: hooks.memberLeft,
    writingEnded: hooks.writingEnded,
    teamDeleted: hooks.teamDeleted,
  };
  accounts.deletionAsked.on(requireNoTeamDependsOn);
  accounts.profileChanged.on(announceMember);
  accounts.leaving.on((tx, userId, now) => leaveAllTeams(tx, userId, now, needs));
  // Member lists are served by the feature that knows each member's credits.
  const { listMemberships: _ofPerson, listTeamMembers: _ofTeam, ...reading } = teamEndpoints;
  const done = { success: true } as const;
  return feature({
    name: 'teams',
    verbs: { ...hooks, needs },
    endpoints: [
      ...serve(reading, {
        listTeams: async (ctx) => ({ teams: await listTeams(ctx) }),
        getTeam: async (ctx, input) => ({ team: await getTeam(ctx, input) }),
        updateTeam: async (ctx, input) => ({ team: await updateTeam(ctx, input) }),
        describeInvite: (ctx, input, { browser }) => describeInvite(ctx, input, browser),
      }),
      ...serve(auditEndpoints, { listAudit, exportAudit }),
      ...serve(installationAuditEndpoints, { listInstallationAudit, exportInstallationAudit }),
      ...serve(teamAdministration, {
        createTeam: async (ctx, input) => ({ ...done, ...(await createTeam(ctx, input, needs)) }),
        inviteMembers: async (ctx, input) => ({ ...done, invites: await inviteMembers(ctx, input, needs) }),
        respondToInvite: async (ctx, input) => {
          await respondToInvite(ctx, input);
          return { ...done, teamId: input.teamId };
        },
        acceptInvite: async (ctx, input, { browser }) => ({
          ...done,
          teamId: await acceptInvite(ctx, input, browser, needs),
        }),
        deleteTeam: (ctx, input) => deleteTeam(ctx, input, needs).then(() => done),
        setMemberRole: (ctx, input) => setRole(ctx, input, needs).then(() => done),
        removeMember: (ctx, input) => removeMember(ctx, input, needs).then(() => done),
        resendInvite: (ctx, input) => resendInvite(ctx, input, needs).then(() => done),
        leaveTeam: (ctx, input) => leaveTeam(ctx, input, needs).then(() => done),
      }),
    ],
    scheduledJobs: [
      {
        name: 'delete old entries of the audit log',
        where: 'worker',
        // More than all accounts together are likely to add in this time: a run deletes at most 1,000.
        everyMs: 60_000,
        run: onceSteady(clock, (ctx) => deleteOldAudit(ctx.db.query, ctx.clock.now() - auditKeptMs)),
      },
    ],
  });
}
