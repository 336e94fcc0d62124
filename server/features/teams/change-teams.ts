import { randomUUID } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import { nameLine } from '#contract/name-line.ts';
import type { InviteOutcome, Team } from '#contract/teams.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { holdUser, recordChange, requirePerson } from '#server/features/accounts/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { announceTeam } from './announce-team.ts';
import type { TeamDependencies } from './dependencies.ts';
import { changeTeam } from './enter-team.ts';
import { type Invitee, invitePeople, readGuests, requireMayInvite, sendInvites } from './invite-people.ts';
import { listVerifiedUserIds } from './invite-store.ts';
import { presentTeam } from './present.ts';
import { insertMembership, listFreeTeamIds, listMemberIds, listTeamIdsOf, listTeamMemberships } from './store.ts';
import { deleteTeamRow, findDiscountKinds, insertTeam, type TeamRow, updateTeamRow } from './team-store.ts';

/**
 * Creates a team with the caller as its admin, invites people and, if requested, moves the caller's private modules
 * into it. Atomic; emails are sent afterwards. Inviting requires a verified address.
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

/** Throws if the user has founded the maximum number of teams without a paid plan. */
async function requireFewFreeTeams(tx: Transaction, userId: string): Promise<void> {
  const limit = limits.freeTeamsPerPersonMax;
  if ((await listFreeTeamIds(tx, userId)).length >= limit)
    throw new AppError('too-many-free-teams', { values: { limit } });
}

/** Throws if the user is in the maximum number of teams; lock the user before. */
export async function requireRoomForTeam(tx: Parameters<typeof listTeamIdsOf>[0], userId: string): Promise<void> {
  const teams = await listTeamIdsOf(tx, userId);
  if (teams.length < limits.teamsPerPersonMax) return;
  throw new AppError('too-many-teams', { values: { limit: limits.teamsPerPersonMax } });
}

/** Returns the name on one line, trimmed. Throws `team-name-empty` if nothing is left. */
function requireTeamName(text: string): string {
  const name = nameLine(text);
  if (name === '') throw new AppError('team-name-empty');
  return name;
}

/** Renames a team or changes its settings; omitted ones stay unchanged. */
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

/** Deletes a team with its memberships, invites, keys, index and subscription. */
export async function deleteTeam(
  ctx: Context,
  input: { teamId: string },
  deps: Pick<TeamDependencies, 'teamDeleted'>,
): Promise<void> {
  await changeTeam(ctx, input.teamId, 'team.delete', ({ tx, team, membership, now }) =>
    deleteHeldTeam(tx, team, { actorUserId: membership.userId, now }, deps),
  );
}

/** Deletes a team that is already locked. */
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
