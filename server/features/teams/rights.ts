import type { TeamRight } from '#contract/endpoint.ts';
import type { TeamRole } from '#contract/teams.ts';

const everyone: TeamRole[] = ['admin', 'writer', 'reader'];
const writers: TeamRole[] = ['admin', 'writer'];
const admins: TeamRole[] = ['admin'];

/** What may be done in a team, and by whom: the one place that says so. Tests of every call are made from it. */
const rights: Readonly<Record<TeamRight, readonly TeamRole[]>> = {
  'team.read': everyone,
  'team.leave': everyone,
  'team.update': admins,
  'team.delete': admins,
  'members.read': everyone,
  'members.invite': admins,
  'members.remove': admins,
  'roles.set': admins,
  'seats.manage': admins,
  'billing.manage': admins,
  'audit.read': admins,
  'sso.manage': admins,
  'docs.search': everyone,
  'sources.read': everyone,
  'sources.write': writers,
  'keys.own': everyone,
  'keys.all': admins,
  'activity.own': everyone,
  'activity.all': admins,
};

/** Returns the roles that have a right. */
export function rolesWith(right: TeamRight): readonly TeamRole[] {
  return rights[right];
}

/** Returns true if a role has a right. */
export function hasRight(role: TeamRole, right: TeamRight): boolean {
  return rights[right].includes(role);
}
