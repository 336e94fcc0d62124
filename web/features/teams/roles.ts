import { type Membership, type TeamRole, teamRoles } from '#contract/teams.ts';

interface RoleText {
  label: string;
  /** The role with its article: "as a writer". */
  asOne: string;
  hint: string;
}

export const roleTexts: Record<TeamRole, RoleText> = {
  admin: { label: 'Admin', asOne: 'an admin', hint: 'Everything: members, seats, billing' },
  writer: { label: 'Writer', asOne: 'a writer', hint: 'Searches; adds and removes sources' },
  reader: { label: 'Reader', asOne: 'a reader', hint: 'Searches only' },
};

export const roleOptions = teamRoles.map((role) => ({ value: role, ...roleTexts[role] }));

/** Returns the role for a select's value. */
export function roleOf(value: string): TeamRole {
  return teamRoles.find((role) => role === value) ?? 'reader';
}

/** Returns a member's display name or email address. */
export function nameOf({ displayName, email }: Pick<Membership, 'displayName' | 'email'>): string {
  return displayName || (email ?? 'Someone');
}

/** Sorts members before invites; admins, then writers, then readers; each by name. */
export function sortMembers(members: Membership[]): Membership[] {
  return members.toSorted(
    (a, b) =>
      Number(a.state === 'invited') - Number(b.state === 'invited') ||
      teamRoles.indexOf(a.role) - teamRoles.indexOf(b.role) ||
      nameOf(a).localeCompare(nameOf(b), undefined, { numeric: true, sensitivity: 'base' }),
  );
}

/** Returns true for a team's only admin, who must stay until there is another. */
export function isOnlyAdmin(member: Membership, members: Membership[]): boolean {
  const admins = members.filter(({ role, state }) => role === 'admin' && state === 'accepted');
  return admins.length === 1 && admins[0]?.membershipId === member.membershipId;
}
