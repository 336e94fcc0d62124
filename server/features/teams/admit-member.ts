import { randomUUID } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import type { TeamRole } from '#contract/teams.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { announceTeam } from './announce-team.ts';
import { claimInvite, findInviteOfAddress } from './invite-store.ts';
import {
  countMemberships,
  findActiveMembership,
  hasBeenMember,
  insertMembershipOfAddress,
  listTeamIdsOf,
} from './store.ts';
import { holdTeam } from './team-store.ts';

/**
 * Makes someone a member whose address the team vouches for, with the role of the invite that waits for them or else
 * this one. Says whether they are a member now: who was removed or left comes back by an invite alone, and a full team or
 * a person of too many teams gets no more.
 */
export async function admitMember(
  tx: Transaction,
  { teamId, userId, email, role }: { teamId: string; userId: string; email: string; role: TeamRole },
  now: number,
): Promise<boolean> {
  if ((await holdTeam(tx, teamId)) === undefined) return false;
  if ((await findActiveMembership(tx, teamId, userId)) !== undefined) return true;
  if ((await listTeamIdsOf(tx, userId)).length >= limits.teamsPerPersonMax) return false;
  const invite = await findInviteOfAddress(tx, { teamId, email, now });
  if (invite !== undefined) {
    if (!(await claimInvite(tx, invite, userId, now))) return false;
  } else {
    if (await hasBeenMember(tx, teamId, userId)) return false;
    if ((await countMemberships(tx, teamId)) >= limits.teamMembersMax) return false;
    const row = { id: randomUUID(), teamId, userId, email, role, joinedAt: now, acceptedAt: now };
    if (!(await insertMembershipOfAddress(tx, row))) return false;
  }
  const detail = { role: invite?.role ?? role, by: 'sign-on' };
  await recordAudit(tx, now, { actorUserId: userId, action: 'member.join', entityId: userId, teamId, detail });
  await announceTeam(tx, teamId, [userId]);
  return true;
}
