import type { Context } from '#server/context.ts';

/** A team with inconsistent data. */
export interface TeamFault {
  /** `team:` and its id. */
  what: string;
  detail: string;
}

/** Checks that each team has an admin, no duplicate members, and no more assigned seats than paid ones. Read-only. */
export async function checkTeams(ctx: Context): Promise<TeamFault[]> {
  // Seats and memberships are read in one statement, so that concurrent changes are seen completely or not at all.
  const rows = await ctx.db.query
    .selectFrom('teams')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.teamId', '=', 'teams.id').on('memberships.endedAt', 'is', null),
    )
    .select(['teams.id', 'teams.numberOfPaidSeats', 'memberships.userId', 'memberships.state', 'memberships.role'])
    .select('memberships.hasPaidSeat')
    .execute();
  return [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, members]) => {
    const accepted = members.filter(({ state }) => state === 'accepted');
    const paid = members[0]?.numberOfPaidSeats ?? 0;
    const given = members.filter(({ hasPaidSeat }) => hasPaidSeat === 1).length;
    const details = [
      ...(accepted.some(({ role }) => role === 'admin') ? [] : ['has no admin']),
      ...(new Set(accepted.map(({ userId }) => userId)).size < accepted.length ? ['has a member twice'] : []),
      ...(given > paid ? [`has assigned ${given} seats but pays for ${paid}`] : []),
    ];
    return details.map((detail) => ({ what: `team:${id}`, detail }));
  });
}
