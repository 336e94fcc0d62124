import type { Queries } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';

/** The membership that lets this person act in the team. */
export async function findActiveMembership(
  queries: Queries,
  teamId: string,
  userId: string,
): Promise<Row<'memberships'> | undefined> {
  return queries
    .selectFrom('memberships')
    .selectAll()
    .where('teamId', '=', teamId)
    .where('userId', '=', userId)
    .where('state', '=', 'accepted')
    .where('endedAt', 'is', null)
    .executeTakeFirst();
}
