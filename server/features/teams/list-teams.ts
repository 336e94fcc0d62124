import type { Team } from '#contract/teams.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { enterTeamAs } from './enter-team.ts';
import { byText, presentTeam } from './present.ts';
import { listMemberIds, listTeamIdsOf } from './store.ts';
import { findDiscountKinds, findTeams } from './team-store.ts';

/** The teams the acting person belongs to, by name. */
export async function listTeams(ctx: Context): Promise<Team[]> {
  const teams = await readTeams(ctx, await listTeamIdsOf(ctx.db.query, requirePerson(ctx)));
  return teams.sort((a, b) => byText(a.name, b.name) || byText(a.teamId, b.teamId));
}

/** One of them. */
export async function getTeam(ctx: Context, input: { teamId: string }): Promise<Team> {
  await enterTeamAs(ctx, input.teamId, 'team.read');
  const [team] = await readTeams(ctx, [input.teamId]);
  if (team === undefined) throw new AppError('team-not-found');
  return team;
}

async function readTeams(ctx: Context, teamIds: string[]): Promise<Team[]> {
  const [rows, members] = [await findTeams(ctx.db.query, teamIds), await listMemberIds(ctx.db.query, teamIds)];
  const kinds = await findDiscountKinds(ctx.db.query, teamIds);
  return rows.map((row) => {
    const own = members.filter(({ teamId }) => teamId === row.id);
    return presentTeam(
      row,
      own.map(({ userId }) => userId),
      kinds.get(row.id) ?? null,
    );
  });
}
