import { randomUUID } from 'node:crypto';
import { errorTable } from '#contract/errors.ts';
import * as limits from '#contract/limits.ts';
import { tierOf } from '#contract/plans.ts';
import type { InviteOutcome, TeamRole } from '#contract/teams.ts';
import { AppError, rateLimited } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import {
  type Attempt,
  actingUser,
  countAttempts,
  hashToken,
  newToken,
  normalizeEmail,
  takeBack,
  unmistakable,
} from '#server/features/accounts/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { announceTeam } from './announce-team.ts';
import type { TeamDependencies } from './dependencies.ts';
import type { InviteMail } from './invite-mails.ts';
import { listMembershipsOfAddresses, listVerifiedUserIds } from './invite-store.ts';
import { inviterNamed } from './present.ts';
import { countMemberships, insertMembership, type MembershipRow, updateMembership } from './store.ts';
import { findTeams, type TeamRow } from './team-store.ts';

const dayMs = 86_400_000;

export interface Invitee {
  email: string;
  role: TeamRole;
}

/** People to invite, each address once in stored form, and the outcomes of invalid addresses. */
export interface Guests {
  people: Invitee[];
  invalid: InviteOutcome[];
}

/** Returns a new link's token with the change of its row. */
export function newInviteLink(now: number) {
  const token = newToken();
  const inviteExpiresAt = now + limits.inviteLifetimeDays * dayMs;
  return { token, change: { inviteTokenHash: hashToken(token), inviteExpiresAt, lastInviteSentAt: now } };
}

/** Parses a list of people to invite. Of duplicate addresses the first counts. */
export function readGuests(members: Invitee[]): Guests {
  const people = new Map<string, Invitee>();
  const invalid: InviteOutcome[] = [];
  for (const { email: text, role } of members) {
    try {
      const email = normalizeEmail(text);
      if (!people.has(email)) people.set(email, { email, role });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      invalid.push({ email: text, outcome: 'invalid', message: errorTable[error.code].sentence });
    }
  }
  return { people: [...people.values()], invalid };
}

/**
 * Throws if the inviter's address is unverified (`email-not-verified`) or the limit of emails is exceeded
 * (`rate-limited`). Must not be called inside a transaction.
 */
export async function requireMayInvite(
  ctx: Context,
  emails: string[],
  teamId?: string,
): Promise<{ invitedBy: string }> {
  const user = await actingUser(ctx);
  if (user === undefined) throw new AppError('unauthenticated');
  if (emails.length > 0 && user.emailVerifiedAt === null) throw new AppError('email-not-verified');
  const paysNothing = ctx.hasPlanLimits === true && (await isFree(ctx, user, teamId));
  const attempts = emails.flatMap((email): Attempt[] => [
    ['invite-account', user.id],
    ['invite-recipient', email],
    ...(ctx.address === undefined ? [] : [['invite-address', ctx.address] satisfies Attempt]),
    ...(paysNothing ? [['invite-free', user.id] satisfies Attempt] : []),
    ...(teamId === undefined ? [] : [['invite-team', teamId] satisfies Attempt]),
  ]);
  const seconds = attempts.length === 0 ? undefined : await countAttempts(ctx, attempts);
  if (seconds !== undefined) {
    // No email is sent, so the next call may use the remaining ones.
    await takeBack(ctx, attempts);
    throw rateLimited(seconds);
  }
  return { invitedBy: inviterNamed(user.displayName, user.email) ?? 'Someone' };
}

/** Returns true if neither the inviter nor the team has a paid plan. */
async function isFree(ctx: Context, user: Row<'users'>, teamId: string | undefined): Promise<boolean> {
  if (user.isOperator === 1 || tierOf(user.tier) !== 'Free') return false;
  const [team] = teamId === undefined ? [] : await findTeams(ctx.db.query, [teamId]);
  return team === undefined || tierOf(team.tier) === 'Free';
}

/**
 * Invites people into a locked team. Members and people with a pending invite stay unchanged and are reported; an
 * expired invite is renewed. Returns the emails to send after the commit.
 */
export async function invitePeople(
  tx: Transaction,
  invitation: { team: TeamRow; userId: string; invitedBy: string; now: number },
  people: Invitee[],
): Promise<{ outcomes: InviteOutcome[]; mails: InviteMail[] }> {
  const { team, userId, invitedBy, now } = invitation;
  if (people.length === 0) return { outcomes: [], mails: [] };
  const emails = people.map(({ email }) => email);
  const before = await listMembershipsOfAddresses(tx, team.id, emails);
  let places = limits.teamMembersMax - (await countMemberships(tx, team.id));
  const outcomes: InviteOutcome[] = [];
  const mails: InviteMail[] = [];
  for (const person of people) {
    const known = before.find((row) => row.personEmail === person.email || row.email === person.email);
    const refusal = known && refusalOf(known, person.email, now);
    if (refusal !== undefined) {
      outcomes.push(refusal);
      continue;
    }
    if (known === undefined && places-- <= 0) {
      throw new AppError('team-full', { values: { limit: limits.teamMembersMax } });
    }
    const { token, change } = newInviteLink(now);
    const invite = { ...change, role: person.role, invitedByUserId: userId };
    const id = known?.id ?? randomUUID();
    if (known !== undefined) await updateMembership(tx, id, invite);
    else {
      const row = { id, teamId: team.id, email: person.email, state: 'invited' as const, joinedAt: now };
      await insertMembership(tx, { ...row, ...invite });
    }
    const detail = { role: person.role };
    await recordAudit(tx, now, { actorUserId: userId, action: 'invite.create', entityId: id, teamId: team.id, detail });
    outcomes.push({
      email: person.email,
      outcome: 'invited',
      message: `An invitation is on its way to ${unmistakable(person.email)}.`,
    });
    mails.push({ to: person.email, token, teamName: team.name, invitedBy });
  }
  if (mails.length > 0) {
    await announceTeam(
      tx,
      team.id,
      await listVerifiedUserIds(
        tx,
        mails.map(({ to }) => to),
      ),
    );
  }
  return { outcomes, mails };
}

function refusalOf(known: MembershipRow, email: string, now: number): InviteOutcome | undefined {
  if (known.state === 'accepted') {
    return { email, outcome: 'already-member', message: `${email} is already a member of this team.` };
  }
  if ((known.inviteExpiresAt ?? 0) <= now) return undefined;
  const message = `${email} already has an invitation. Resend it if it did not arrive.`;
  return { email, outcome: 'already-invited', message };
}

/** Sends invites in the background, one after the other; failures are logged and do not stop the others. */
export function sendInvites(mails: InviteMail[], deps: Pick<TeamDependencies, 'inviteMails' | 'background'>): void {
  let previous = Promise.resolve();
  for (const mail of mails) {
    const turn = previous;
    const sent = turn.then(() => deps.inviteMails.sendInvite(mail));
    previous = sent.catch(() => undefined);
    deps.background.run('the mail with an invite', () => sent);
  }
}
