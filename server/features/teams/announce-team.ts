import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { listMemberIds, listTeamIdsOf } from './store.ts';

/**
 * Tells a team, its members wherever they act, and people who are not members (any more, or yet) that their teams and memberships
 * must be read again.
 */
export async function announceTeam(tx: Transaction, teamId: string, others: (string | null)[] = []): Promise<void> {
  const members = (await listMemberIds(tx, [teamId])).map(({ userId }) => userId);
  const people = [...members, ...others].filter((userId) => userId !== null);
  for (const collection of ['memberships', 'teams'] as const) {
    announceChange(tx, { collection, audience: `team:${teamId}` });
    for (const userId of new Set(people)) announceChange(tx, { collection, audience: `user:${userId}` });
  }
}

/** Tells the teams of a person that their lists of members must be read again. */
export async function announceMember(tx: Transaction, userId: string): Promise<void> {
  for (const teamId of await listTeamIdsOf(tx, userId)) {
    announceChange(tx, { collection: 'memberships', audience: `team:${teamId}` });
  }
}
