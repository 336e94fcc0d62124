import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { listMemberIds, listTeamIdsOf } from './store.ts';

/** Makes a team, its members in all workspaces, and the given former or future members reload teams and memberships. */
export async function announceTeam(tx: Transaction, teamId: string, others: (string | null)[] = []): Promise<void> {
  const members = (await listMemberIds(tx, [teamId])).map(({ userId }) => userId);
  const people = [...members, ...others].filter((userId) => userId !== null);
  for (const collection of ['memberships', 'teams'] as const) {
    announceChange(tx, { collection, audience: `team:${teamId}` });
    for (const userId of new Set(people)) announceChange(tx, { collection, audience: `user:${userId}` });
  }
}

/** Makes a user's teams reload their member lists. */
export async function announceMember(tx: Transaction, userId: string): Promise<void> {
  for (const teamId of await listTeamIdsOf(tx, userId)) {
    announceChange(tx, { collection: 'memberships', audience: `team:${teamId}` });
  }
}
