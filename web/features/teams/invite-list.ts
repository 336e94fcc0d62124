import type { TeamRole } from '#contract/teams.ts';

export interface InviteLine {
  /** Identifies the line while the list is edited. */
  id: number;
  email: string;
  role: TeamRole;
}

/**
 * Returns the addresses in a pasted text: separated by spaces, commas, semicolons or line breaks, with or without
 * names.
 */
export function addressesIn(text: string): string[] {
  return text
    .split(/[\s,;<>"]+/)
    .filter((part) => part.includes('@'))
    .filter((part, place, all) => all.indexOf(part) === place);
}

/** Inserts pasted addresses: the first into the line where the text was pasted, the rest below it. */
export function withPasted(lines: InviteLine[], id: number, addresses: string[]): InviteLine[] {
  const known = new Set(lines.filter((line) => line.id !== id).map(({ email }) => email.trim().toLowerCase()));
  const fresh = addresses.filter((address) => !known.has(address.toLowerCase()));
  let nextId = nextIdOf(lines);
  return lines.flatMap((line) => {
    if (line.id !== id) return [line];
    const [first, ...rest] = fresh;
    return [
      { ...line, email: first ?? line.email },
      ...rest.map((email) => ({ id: nextId++, email, role: line.role })),
    ];
  });
}

export function nextIdOf(lines: InviteLine[]): number {
  return Math.max(0, ...lines.map(({ id }) => id)) + 1;
}

/** Returns the errors by line id. Empty lines are not invited and have no errors. */
export function faultsOf(lines: InviteLine[]): Map<number, string> {
  const faults = new Map<number, string>();
  const seen = new Set<string>();
  for (const { id, email } of lines) {
    const address = email.trim().toLowerCase();
    if (address === '') continue;
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) faults.set(id, 'This is not an email address.');
    else if (seen.has(address)) faults.set(id, "You've already added this address.");
    seen.add(address);
  }
  return faults;
}

/** Returns the people to invite. */
export function peopleIn(lines: InviteLine[]): { email: string; role: TeamRole }[] {
  return lines.map(({ email, role }) => ({ email: email.trim(), role })).filter(({ email }) => email !== '');
}
