import type { TeamRole } from '#contract/teams.ts';

const everyone = ['admin', 'writer', 'reader'] as const;
const writers = ['admin', 'writer'] as const;
const admins = ['admin'] as const;

/** What may be done in a team, and by whom: the one place that says so. Tests of every call are made from it. */
const rights = {
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
} as const satisfies Record<string, readonly TeamRole[]>;

export type Right = keyof typeof rights;

/** Returns the roles that have a right. */
export function rolesWith(right: Right): readonly TeamRole[] {
  return rights[right];
}

/** Returns true if a role has a right. */
export function hasRight(role: TeamRole, right: Right): boolean {
  return (rights[right] as readonly TeamRole[]).includes(role);
}
