import type { TeamRight } from '#contract/endpoint.ts';
import { AppError } from '#server/app-error.ts';
import type { TeamMembership } from '#server/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { rolesWith } from './rights.ts';
import { listHolders } from './store.ts';

/** More members than these say nothing more about whom to ask. */
const namedMax = 3;

/** Refuses a member whose role lacks a right: `permission-denied`, with the roles that have it. */
export class MissingRole extends AppError {
  readonly membership: Pick<TeamMembership, 'teamId' | 'role'>;
  readonly right: TeamRight;

  constructor(membership: Pick<TeamMembership, 'teamId' | 'role'>, right: TeamRight, holders: readonly string[] = []) {
    const roles = rolesWith(right).join(' or ');
    const ask = holders.length === 0 ? '' : ` Ask ${listed(holders)}.`;
    super('permission-denied', {
      values: { need: ` It takes the role ${roles} in this team, and you are a ${membership.role}.${ask}` },
    });
    this.membership = membership;
    this.right = right;
  }
}

/** The same fault, where it is a missing role with the addresses of members who have the right, admins first. */
export async function namingHolders(queries: Queries, fault: unknown): Promise<unknown> {
  if (!(fault instanceof MissingRole)) return fault;
  const { membership, right } = fault;
  return new MissingRole(membership, right, await listHolders(queries, membership.teamId, rolesWith(right)));
}

function listed(holders: readonly string[]): string {
  const named = holders.slice(0, namedMax);
  return holders.length > namedMax ? `${named.join(', ')} or another of them` : named.join(' or ');
}
