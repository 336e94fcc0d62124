import { randomUUID } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import { nameLine } from '#contract/name-line.ts';
import type { InviteOutcome } from '#contract/teams.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { holdUser, recordChange, requirePerson } from '#server/features/accounts/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { announceTeam } from './announce-team.ts';
import type { TeamDependencies } from './dependencies.ts';
import { type Invitee, invitePeople, readGuests, requireMayInvite, sendInvites } from './invite-people.ts';
import { insertMembership, listFreeTeamIds, listTeamIdsOf } from './store.ts';
import { insertTeam } from './team-store.ts';

/**
 * Founds a team with the acting person as its admin, invites people into it, and moves the person's private modules
 * there when asked. All of it happens or nothing; the mails leave afterwards. Inviting needs a verified address.
 */
export async function createTeam(
  ctx: Context,
  input: { teamName: string; teamMembers: Invitee[]; shouldMigrateIndex: boolean },
  deps: TeamDependencies,
): Promise<{ teamId: string; invites: InviteOutcome[] }> {
  const userId = requirePerson(ctx);
  const name = requireTeamName(input.teamName);
  const { people, invalid } = readGuests(input.teamMembers);
  const { invitedBy } = await requireMayInvite(
    ctx,
    people.map(({ email }) => email),
  );
  const now = ctx.clock.now();
  const teamId = randomUUID();
  const { outcomes, mails } = await ctx.db.transaction(async (tx) => {
    const user = await holdUser(tx, userId);
    if (user === undefined) throw new AppError('unauthenticated');
    await requireRoomForTeam(tx, userId);
    if (ctx.hasPlanLimits && user.isOperator === 0) await requireFewFreeTeams(tx, userId);
    const team = await insertTeam(tx, { id: teamId, name, createdAt: now, createdBy: userId });
    const own = { id: randomUUID(), teamId, userId, email: user.email, role: 'admin', state: 'accepted' } as const;
    await insertMembership(tx, { ...own, joinedAt: now, acceptedAt: now });
    const detail = { name, isIndexMoved: input.shouldMigrateIndex };
    await recordChange(tx, now, { actorUserId: userId, action: 'team.create', entityId: teamId, teamId, detail });
    if (input.shouldMigrateIndex) await deps.moveLibrary(tx, { userId, teamId }, now);
    await announceTeam(tx, teamId, [userId]);
    return invitePeople(tx, { team, userId, invitedBy, now }, people);
  });
  sendInvites(mails, deps);
  return { teamId, invites: [...outcomes, ...invalid] };
}

/** Refuses a person at the limit of founded teams without a paid plan. */
async function requireFewFreeTeams(tx: Transaction, userId: string): Promise<void> {
  const limit = limits.freeTeamsPerPersonMax;
  if ((await listFreeTeamIds(tx, userId)).length >= limit)
    throw new AppError('too-many-free-teams', { values: { limit } });
}

/** Refuses a person at the limit of memberships; hold the person before. */
export async function requireRoomForTeam(tx: Parameters<typeof listTeamIdsOf>[0], userId: string): Promise<void> {
  const teams = await listTeamIdsOf(tx, userId);
  if (teams.length < limits.teamsPerPersonMax) return;
  throw new AppError('too-many-teams', { values: { limit: limits.teamsPerPersonMax } });
}

/** Returns the name on one line, trimmed. Throws `team-name-empty` when nothing is left. */
export function requireTeamName(text: string): string {
  const name = nameLine(text);
  if (name === '') throw new AppError('team-name-empty');
  return name;
}
