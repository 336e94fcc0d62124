import type { AgreedPrice } from '#contract/billing.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson, requireWithinRate } from '#server/features/accounts/index.ts';
import { areMembers, assignSeats, changeTeam, countSeats, enterTeamAs } from '#server/features/teams/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { withClaim } from './ask-provider.ts';
import { changeTerms, readRunning, requireAgreed } from './change-subscription.ts';
import type { BillingDependencies } from './dependencies.ts';
import { payerOf } from './payer.ts';
import { announceBilling } from './write-subscription.ts';

interface SeatsInput {
  teamId: string;
  paidSeatMembershipIds: string[];
  updateSubscription: boolean;
  agreedPrice?: AgreedPrice | undefined;
}

/**
 * Gives exactly these members a paid seat, never more than the team pays for (`seats-exceeded`). With
 * `updateSubscription` the team then pays for as many as are given, at least 1: more are paid for before they are given,
 * fewer from the next period on. Returns how many are paid for now.
 */
export async function manageSeats(ctx: Context, input: SeatsInput, deps: BillingDependencies): Promise<number> {
  const membershipIds = [...new Set(input.paidSeatMembershipIds)];
  await enterTeamAs(ctx, input.teamId, 'seats.manage');
  // Before anything is paid for, which the entry in the audit log must not undo.
  await requireWithinRate(ctx, [['repeated-change', requirePerson(ctx)]]);
  if (!input.updateSubscription) return give(ctx, input.teamId, membershipIds);
  const who = await payerOf(ctx, input);
  const seats = Math.max(1, membershipIds.length);
  const asked = { quantity: seats };
  return withClaim(ctx, who.payer, deps, async () => {
    const running = await readRunning(ctx, who.payer, deps);
    // Before seats are given or taken for a change that does not come.
    await requireAgreed(running, asked, input.agreedPrice, deps);
    if (seats > running.held.quantity) {
      // Before anything is paid for that could not be given.
      if (!(await areMembers(ctx.db.query, input.teamId, membershipIds))) throw new AppError('seat-not-assignable');
      await changeTerms(ctx, who, running, asked, deps);
      return give(ctx, input.teamId, membershipIds);
    }
    const paid = await give(ctx, input.teamId, membershipIds);
    await changeTerms(ctx, who, running, asked, deps);
    return paid;
  });
}

/**
 * Changes how many seats a team pays for: more at once, fewer from the next period on, and never below those that members
 * have (`seats-in-use`).
 */
export async function changeSeatCount(
  ctx: Context,
  input: { teamId: string; numberOfSeats: number; agreedPrice?: AgreedPrice | undefined },
  deps: BillingDependencies,
): Promise<void> {
  await enterTeamAs(ctx, input.teamId, 'seats.manage');
  const who = await payerOf(ctx, input);
  const seats = input.numberOfSeats;
  await withClaim(ctx, who.payer, deps, async () => {
    const running = await readRunning(ctx, who.payer, deps);
    const assigned = seats < running.held.quantity ? await countSeats(ctx.db.query, input.teamId) : 0;
    if (assigned > seats) throw new AppError('seats-in-use', { values: { assigned, asked: seats } });
    const asked = { quantity: seats };
    await requireAgreed(running, asked, input.agreedPrice, deps);
    await changeTerms(ctx, who, running, asked, deps);
  });
}

/** Gives the seats, one change of a team at a time. */
async function give(ctx: Context, teamId: string, membershipIds: string[]): Promise<number> {
  return changeTeam(ctx, teamId, 'seats.manage', async ({ tx, team, membership, now }) => {
    const paid = team.numberOfPaidSeats;
    if (membershipIds.length > paid) {
      throw new AppError('seats-exceeded', { values: { paid, asked: membershipIds.length } });
    }
    if (!(await assignSeats(tx, teamId, membershipIds))) throw new AppError('seat-not-assignable');
    await recordAudit(tx, now, {
      ...{ actorUserId: membership.userId, action: 'seats.assign', entityId: teamId, teamId },
      detail: { membershipIds },
    });
    await announceBilling(tx, `team:${teamId}`);
    return paid;
  });
}
