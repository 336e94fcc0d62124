import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';
import { nameLine } from './name-line.ts';
import { tiers } from './plans.ts';

/** Ordered from most to fewest rights. */
export const teamRoles = ['admin', 'writer', 'reader'] as const;
export type TeamRole = (typeof teamRoles)[number];

export const teamSchema = z.object({
  teamId: z.string(),
  name: z.string(),
  createdAt: z.int(),
  createdBy: z.string(),
  /** Members who accepted. */
  memberIds: z.array(z.string()),
  tier: z.enum(tiers),
  credits: z.int(),
  monthlyAllowance: z.int(),
  numberOfPaidSeats: z.int(),
  subscriptionId: z.string().nullable(),
  subscriptionStatus: z.string().nullable(),
  discountCode: z.string().nullable(),
  /** Percent off each payment, or cents, depending on `discountKind`. */
  discountAmount: z.number().nullable(),
  discountKind: z.enum(['percent', 'cents']).nullable(),
  subscriptionStartDate: z.int().nullable(),
  subscriptionEndDate: z.int().nullable(),
  showsKeysOnce: z.boolean(),
});
export type Team = z.infer<typeof teamSchema>;

export const membershipSchema = z.object({
  membershipId: z.string(),
  teamId: z.string(),
  /** Null for a pending invite. */
  userId: z.string().nullable(),
  role: z.enum(teamRoles),
  state: z.enum(['invited', 'accepted']),
  joinedAt: z.int(),
  acceptedAt: z.int().nullable(),
  declinedAt: z.int().nullable(),
  inviteInfo: z.object({ teamName: z.string(), invitedBy: z.string().nullable(), expiresAt: z.int() }).nullable(),
  email: z.string().nullable(),
  displayName: z.string(),
  hasPaidSeat: z.boolean(),
  /** The member's own balance; visible to the member and to admins, who see whose calls it pays for. */
  accountCredits: z.int().nullable(),
  lastInviteSentAt: z.int().nullable(),
});
export type Membership = z.infer<typeof membershipSchema>;

const teamId = z.string().min(1).max(100);
const membershipId = z.string().min(1).max(100);
const teamName = z.string().overwrite(nameLine).max(limits.teamNameCharactersMax);
const token = z.string().max(200);
/** People to invite. A plain address is invited as a writer. */
export const teamMemberInput = z.union([
  z.string().transform((email) => ({ email, role: 'writer' as TeamRole })),
  z.object({ email: z.string(), role: z.enum(teamRoles).default('writer') }),
]);
const teamMembers = z
  .array(teamMemberInput)
  .max(limits.invitesPerCallMax, `at most ${limits.invitesPerCallMax} people at once`);

/** Result of inviting one address. */
export const inviteOutcomeSchema = z.object({
  email: z.string(),
  outcome: z.enum(['invited', 'already-member', 'already-invited', 'invalid']),
  /** A sentence for people. */
  message: z.string(),
});
export type InviteOutcome = z.infer<typeof inviteOutcomeSchema>;
const success = { success: z.literal(true) };

/** Read calls, with the usual error format. */
export const teamEndpoints = {
  listTeams: endpoint('GET /api/teams', {
    summary: 'Lists the teams that you belong to, by name.',
    output: z.object({ teams: z.array(teamSchema) }),
  }),
  getTeam: endpoint('GET /api/teams/:teamId', {
    summary: 'Returns one of your teams.',
    input: z.object({ teamId }),
    output: z.object({ team: teamSchema }),
  }),
  listMemberships: endpoint('GET /api/memberships', {
    summary: 'Lists your memberships, then your pending invites.',
    output: z.object({ memberships: z.array(membershipSchema) }),
  }),
  listTeamMembers: endpoint('GET /api/teams/:teamId/members', {
    summary: 'Lists a team’s members and pending invites. With `includesDeclined`, admins also get declined invites.',
    input: z.object({ teamId, includesDeclined: z.stringbool().default(false) }),
    output: z.object({ members: z.array(membershipSchema) }),
  }),
  describeInvite: endpoint('POST /api/invites/describe', {
    summary: 'Returns the invitation that an invite link’s token belongs to.',
    access: 'anyone',
    input: z.object({ token }),
    output: z.object({
      teamName: z.string(),
      email: z.string(),
      role: z.enum(teamRoles),
      invitedBy: z.string().nullable(),
      expiresAt: z.int(),
    }),
  }),
  updateTeam: endpoint('PUT /api/teams/:teamId', {
    summary: 'Renames a team, or changes its settings.',
    right: 'team.update',
    input: z.object({ teamId, name: teamName.optional(), showsKeysOnce: z.boolean().optional() }),
    output: z.object({ team: teamSchema }),
  }),
};

/**
 * Team administration calls. Under `/admin`, errors are reported as `{success: false, error, code}` with the error's
 * HTTP status.
 */
export const teamAdministration = {
  createTeam: endpoint('POST /admin/teams', {
    summary: 'Creates a team, invites people, and optionally moves your private index into it.',
    input: z.object({
      teamName,
      teamMembers: teamMembers.default([]),
      shouldMigrateIndex: z.boolean().default(false),
    }),
    output: z.object({ ...success, teamId: z.string(), invites: z.array(inviteOutcomeSchema) }),
    failure: 'Failed to create team: {status}',
  }),
  inviteMembers: endpoint('POST /admin/teams/:teamId/invite-members', {
    summary: 'Invites people by email address.',
    right: 'members.invite',
    input: z.object({ teamId, teamName: teamName.optional(), teamMembers: teamMembers.min(1) }),
    output: z.object({ ...success, invites: z.array(inviteOutcomeSchema) }),
    failure: 'Failed to invite members: {status}',
  }),
  respondToInvite: endpoint('POST /admin/teams/respond-to-invite', {
    summary: 'Accepts or declines a pending invite for your address.',
    input: z.object({ teamId, response: z.enum(['accept', 'decline']) }),
    output: z.object({ ...success, teamId: z.string() }),
    failure: 'Failed to {response} invite: {status}',
  }),
  acceptInvite: endpoint('POST /admin/teams/accept-invite', {
    summary: 'Accepts an invite with its link’s token.',
    input: z.object({ token }),
    output: z.object({ ...success, teamId: z.string() }),
    failure: 'Failed to accept invite: {status}',
  }),
  deleteTeam: endpoint('DELETE /admin/teams/:teamId', {
    summary: 'Deletes a team with its keys, its index and its subscription.',
    right: 'team.delete',
    input: z.object({ teamId }),
    output: z.object(success),
    failure: 'Failed to delete team: {status}',
  }),
  setMemberRole: endpoint('PUT /admin/teams/:teamId/members/:membershipId', {
    summary: 'Changes a member’s role.',
    right: 'roles.set',
    input: z.object({ teamId, membershipId, role: z.enum(teamRoles) }),
    output: z.object(success),
    failure: 'Failed to update team member role',
  }),
  removeMember: endpoint('DELETE /admin/teams/:teamId/members/:membershipId', {
    summary: 'Removes a member, or withdraws an invite.',
    right: 'members.remove',
    input: z.object({ teamId, membershipId }),
    output: z.object(success),
    failure: 'Failed to remove team member',
  }),
  resendInvite: endpoint('POST /admin/teams/:teamId/members/:membershipId/resend-invite', {
    summary: 'Sends an invite again with a new link. The old link stops working.',
    right: 'members.invite',
    input: z.object({ teamId, membershipId }),
    output: z.object(success),
    failure: 'Failed to resend invite',
  }),
  leaveTeam: endpoint('POST /admin/teams/:teamId/members/:membershipId/leave', {
    summary: 'Leaves a team.',
    right: 'team.leave',
    input: z.object({ teamId, membershipId }),
    output: z.object(success),
    failure: 'Failed to leave team',
  }),
};
