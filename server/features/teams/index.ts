export { enterTeam, requireRight } from './enter-team.ts';
