export { admitMember } from './accept-invite.ts';
export { announceMember, announceTeam } from './announce-team.ts';
export { checkTeams } from './check-teams.ts';
export {
  actIn,
  changeTeam,
  confirmRight,
  enterTeam,
  enterTeamAs,
  membershipSince,
  requireRight,
} from './enter-team.ts';
export { getTeam, listMemberships, listTeamMembers, listTeams } from './list-teams.ts';
export type { Teams } from './open-teams.ts';
export { findPlanShare, holdPlanShare, type PlanShare } from './plan-share.ts';
export { hasRight, namingHolders } from './rights.ts';
export { areMembers, assignSeats, countSeats, trimSeats } from './seats.ts';
export { listHolders } from './store.ts';
export { holdTeam } from './team-store.ts';
