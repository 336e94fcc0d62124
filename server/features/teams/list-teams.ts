import type { Membership, Team } from '#contract/teams.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { actingUser, requirePerson } from '#server/features/accounts/index.ts';
import { enterTeamAs } from './enter-team.ts';
import { byText, inMemberOrder, presentMembership, presentTeam } from './present.ts';
import {
  listDeclinedInvites,
  listInvitesFor,
  listMemberIds,
  listMembershipsOf,
  listTeamIdsOf,
  listTeamMemberships,
} from './store.ts';
import { findDiscountKinds, findTeams } from './team-store.ts';

/** Returns the caller's teams, by name. */
export async function listTeams(ctx: Context): Promise<Team[]> {
  const teams = await readTeams(ctx, await listTeamIdsOf(ctx.db.query, requirePerson(ctx)));
  return teams.sort((a, b) => byText(a.name, b.name) || byText(a.teamId, b.teamId));
}

/** Returns one of the caller's teams. */
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

/** Returns accounts' available credits, by user id. Provided by a feature above. */
export type AccountCredits = (ctx: Context, userIds: string[]) => Promise<Map<string, number>>;

/**
 * Returns the caller's memberships, then the pending invites for their address if it is verified; both by team name.
 */
export async function listMemberships(ctx: Context, deps: { accountCredits: AccountCredits }): Promise<Membership[]> {
  const userId = requirePerson(ctx);
  const user = await actingUser(ctx);
  const accepted = await listMembershipsOf(ctx.db.query, userId);
  const email = typeof user?.emailVerifiedAt === 'number' ? user.email : null;
  const invites = email === null ? [] : await listInvitesFor(ctx.db.query, email, ctx.clock.now());
  const credits = accepted.length === 0 ? undefined : (await deps.accountCredits(ctx, [userId])).get(userId);
  const byTeam = (a: { teamName: string; id: string }, b: { teamName: string; id: string }) =>
    byText(a.teamName, b.teamName) || byText(a.id, b.id);
  return [
    ...accepted.sort(byTeam).map((view) => presentMembership(view, credits ?? null)),
    ...invites.sort(byTeam).map((view) => presentMembership(view, null)),
  ];
}

/**
 * Returns a team's members and pending invites, members first, by role and name; for admins also declined invites, if
 * requested. Admins see the members' own balances, other members only theirs.
 */
export async function listTeamMembers(
  ctx: Context,
  input: { teamId: string; includesDeclined?: boolean },
  deps: { accountCredits: AccountCredits },
): Promise<Membership[]> {
  const { membership } = await enterTeamAs(ctx, input.teamId, 'members.read');
  const isAdmin = membership.role === 'admin';
  const views = await listTeamMemberships(ctx.db.query, input.teamId);
  if (input.includesDeclined === true && isAdmin)
    views.push(...(await listDeclinedInvites(ctx.db.query, input.teamId)));
  const known = views.flatMap(({ id, userId }) =>
    userId !== null && (isAdmin || id === membership.membershipId) ? [userId] : [],
  );
  const credits = await deps.accountCredits(ctx, known);
  return views.map((view) => presentMembership(view, credits.get(view.userId ?? '') ?? null)).sort(inMemberOrder);
}
