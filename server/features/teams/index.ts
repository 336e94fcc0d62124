export { acceptInvite, describeInvite, respondToInvite } from './accept-invite.ts';
export { admitMember } from './admit-member.ts';
export { announceMember, announceTeam } from './announce-team.ts';
export { checkTeams } from './check-teams.ts';
export { createTeam } from './create-team.ts';
export { deleteTeam } from './delete-team.ts';
export {
  actIn,
  changeTeam,
  confirmRight,
  enterTeam,
  enterTeamAs,
  membershipSince,
  requireRight,
} from './enter-team.ts';
export { createInviteMails } from './invite-mails.ts';
export { inviteMembers } from './invite-members.ts';
export { leaveAllTeams, requireNoTeamDependsOn } from './leave-all-teams.ts';
export { exportAudit, listAudit, listInstallationAudit } from './list-audit.ts';
export { type AccountCredits, listMemberships, listTeamMembers } from './list-memberships.ts';
export { getTeam, listTeams } from './list-teams.ts';
export { namingHolders } from './missing-role.ts';
export type { Teams } from './open-teams.ts';
export { findPlanShare, holdPlanShare, type PlanShare } from './plan-share.ts';
export { leaveTeam, removeMember } from './remove-member.ts';
export { resendInvite } from './resend-invite.ts';
export { hasRight } from './rights.ts';
export { areMembers, assignSeats, countSeats, trimSeats } from './seats.ts';
export { setRole } from './set-role.ts';
export { listHolders } from './store.ts';
export { holdTeam } from './team-store.ts';
export { updateTeam } from './update-team.ts';
