export { actIn, enterTeam, membershipSince, requireRight } from './enter-team.ts';
export { hasRight } from './rights.ts';
