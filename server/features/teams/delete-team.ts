import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { announceTeam } from './announce-team.ts';
import type { TeamDependencies } from './dependencies.ts';
import { changeTeam } from './enter-team.ts';
import { listVerifiedUserIds } from './invite-store.ts';
import { listTeamMemberships } from './store.ts';
import { deleteTeamRow, type TeamRow } from './team-store.ts';

/** Deletes a team with its memberships and invites, its keys, its index and its subscription. */
export async function deleteTeam(
  ctx: Context,
  input: { teamId: string },
  deps: Pick<TeamDependencies, 'teamDeleted'>,
): Promise<void> {
  await changeTeam(ctx, input.teamId, 'team.delete', ({ tx, team, membership, now }) =>
    deleteHeldTeam(tx, team, { actorUserId: membership.userId, now }, deps),
  );
}

/** The same for a team that is held already. */
export async function deleteHeldTeam(
  tx: Transaction,
  team: TeamRow,
  act: { actorUserId: string | null; now: number },
  { teamDeleted }: Pick<TeamDependencies, 'teamDeleted'>,
): Promise<void> {
  const { actorUserId, now } = act;
  const rows = await listTeamMemberships(tx, team.id);
  const invited = rows.flatMap(({ state, email }) => (state === 'invited' && email !== null ? [email] : []));
  const invitedIds = invited.length === 0 ? [] : await listVerifiedUserIds(tx, invited);
  await teamDeleted(tx, team, now);
  await deleteTeamRow(tx, team.id);
  const detail = { name: team.name };
  await recordAudit(tx, now, { actorUserId, action: 'team.delete', entityId: team.id, teamId: team.id, detail });
  await announceTeam(tx, team.id, [...rows.map(({ userId }) => userId), ...invitedIds]);
}
