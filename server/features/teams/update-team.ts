import type { Team } from '#contract/teams.ts';
import type { Context } from '#server/context.ts';
import { recordChange } from '#server/features/accounts/index.ts';
import { announceTeam } from './announce-team.ts';
import { requireTeamName } from './create-team.ts';
import { changeTeam } from './enter-team.ts';
import { presentTeam } from './present.ts';
import { listMemberIds } from './store.ts';
import { findDiscountKinds, updateTeamRow } from './team-store.ts';

/** Renames a team or changes its settings; what is not named stays as it is. */
export async function updateTeam(
  ctx: Context,
  input: { teamId: string; name?: string | undefined; showsKeysOnce?: boolean | undefined },
): Promise<Team> {
  return changeTeam(ctx, input.teamId, 'team.update', async ({ tx, team, membership, now }) => {
    const name = input.name === undefined ? team.name : requireTeamName(input.name);
    const showsKeysOnce = input.showsKeysOnce === undefined ? team.showsKeysOnce : Number(input.showsKeysOnce);
    const kind = (await findDiscountKinds(tx, [team.id])).get(team.id) ?? null;
    const memberIds = (await listMemberIds(tx, [team.id])).map(({ userId }) => userId);
    if (name === team.name && showsKeysOnce === team.showsKeysOnce) return presentTeam(team, memberIds, kind);
    const updated = await updateTeamRow(tx, team.id, { name, showsKeysOnce });
    await recordChange(tx, now, {
      actorUserId: membership.userId,
      action: 'team.update',
      entityId: team.id,
      teamId: team.id,
      detail: { name, showsKeysOnce: showsKeysOnce === 1 },
    });
    await announceTeam(tx, team.id);
    return presentTeam(updated, memberIds, kind);
  });
}
