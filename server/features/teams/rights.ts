import type { TeamRight } from '#contract/endpoint.ts';
import type { TeamRole } from '#contract/teams.ts';
import { AppError } from '#server/app-error.ts';
import type { TeamMembership } from '#server/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { listHolders } from './store.ts';

const everyone: TeamRole[] = ['admin', 'writer', 'reader'];
const writers: TeamRole[] = ['admin', 'writer'];
const admins: TeamRole[] = ['admin'];

/** All team rights and the roles that have them. Tests of all calls are generated from this table. */
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

function rolesWith(right: TeamRight): readonly TeamRole[] {
  return rights[right];
}

/** Returns true if a role has a right. */
export function hasRight(role: TeamRole, right: TeamRight): boolean {
  return rights[right].includes(role);
}

/** Naming more members does not help users decide whom to ask. */
const namedMax = 3;

/** Thrown if a member's role lacks a right: `permission-denied`, with the roles that have it. */
export class MissingRole extends AppError {
  readonly membership: Pick<TeamMembership, 'teamId' | 'role'>;
  readonly right: TeamRight;

  constructor(membership: Pick<TeamMembership, 'teamId' | 'role'>, right: TeamRight, holders: readonly string[] = []) {
    const roles = rolesWith(right).join(' or ');
    const ask = holders.length === 0 ? '' : ` Ask ${listed(holders)}.`;
    super('permission-denied', {
      values: { need: ` It requires the role ${roles} in this team; you are a ${membership.role}.${ask}` },
    });
    this.membership = membership;
    this.right = right;
  }
}

/** Returns the error; for a missing role with the addresses of members who have the right, admins first. */
export async function namingHolders(queries: Queries, fault: unknown): Promise<unknown> {
  if (!(fault instanceof MissingRole)) return fault;
  const { membership, right } = fault;
  return new MissingRole(membership, right, await listHolders(queries, membership.teamId, rolesWith(right)));
}

function listed(holders: readonly string[]): string {
  const named = holders.slice(0, namedMax);
  return holders.length > namedMax ? `${named.join(', ')} or another of them` : named.join(' or ');
}
