import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { areMembers, assignSeats, changeTeam, countSeats, enterTeamAs } from '#server/features/teams/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { withClaim } from './change-claim.ts';
import { changeTerms, requireRunning } from './change-subscription.ts';
import type { BillingDependencies } from './dependencies.ts';
import { payerOf } from './payer.ts';
import { announceBilling } from './standing.ts';
import { writeStanding } from './store.ts';

interface SeatsInput {
  teamId: string;
  paidSeatMembershipIds: string[];
  updateSubscription: boolean;
}

/**
 * Gives exactly these members a paid seat, never more than the team pays for (`seats-exceeded`). With
 * `updateSubscription` the team then pays for as many as are given, at least 1: more are paid for before they are given,
 * and fewer only once they are free. Answers how many are paid for.
 */
export async function manageSeats(ctx: Context, input: SeatsInput, deps: BillingDependencies): Promise<number> {
  const membershipIds = [...new Set(input.paidSeatMembershipIds)];
  await enterTeamAs(ctx, input.teamId, 'seats.manage');
  if (!input.updateSubscription) return give(ctx, input.teamId, membershipIds);
  const who = await payerOf(ctx, input);
  const seats = Math.max(1, membershipIds.length);
  return withClaim(ctx, who.payer, deps, async () => {
    const running = await requireRunning(ctx, who.payer);
    const terms = { tier: running.tier, quantity: seats };
    if (seats > running.quantity) {
      // Before anything is paid for that could not be given.
      if (!(await areMembers(ctx.db.query, input.teamId, membershipIds))) throw new AppError('seat-not-assignable');
      await changeTerms(ctx, who, running, terms, deps);
      return give(ctx, input.teamId, membershipIds);
    }
    await give(ctx, input.teamId, membershipIds, seats);
    await changeTerms(ctx, who, running, terms, deps);
    return seats;
  });
}

/** Changes how many seats a team pays for; never below those that members have (`seats-in-use`). */
export async function changeSeatCount(
  ctx: Context,
  input: { teamId: string; numberOfSeats: number },
  deps: BillingDependencies,
): Promise<void> {
  await enterTeamAs(ctx, input.teamId, 'seats.manage');
  const who = await payerOf(ctx, input);
  const seats = input.numberOfSeats;
  await withClaim(ctx, who.payer, deps, async () => {
    const running = await requireRunning(ctx, who.payer);
    if (seats < running.quantity) {
      await changeTeam(ctx, input.teamId, 'seats.manage', async ({ tx }) => {
        const assigned = await countSeats(tx, input.teamId);
        if (assigned > seats) throw new AppError('seats-in-use', { values: { assigned, asked: seats } });
        await promiseSeats(tx, input.teamId, seats);
      });
    }
    await changeTerms(ctx, who, running, { tier: running.tier, quantity: seats }, deps);
  });
}

/** Gives the seats, one change of a team at a time; `lowerTo`: what the team is about to pay for. */
async function give(ctx: Context, teamId: string, membershipIds: string[], lowerTo?: number): Promise<number> {
  return changeTeam(ctx, teamId, 'seats.manage', async ({ tx, team, membership, now }) => {
    const paid = lowerTo ?? team.numberOfPaidSeats;
    if (membershipIds.length > Math.min(paid, team.numberOfPaidSeats)) {
      throw new AppError('seats-exceeded', { values: { paid, asked: membershipIds.length } });
    }
    if (!(await assignSeats(tx, teamId, membershipIds))) throw new AppError('seat-not-assignable');
    if (lowerTo !== undefined) await promiseSeats(tx, teamId, lowerTo);
    await recordAudit(tx, now, {
      ...{ actorUserId: membership.userId, action: 'seats.assign', entityId: teamId, teamId },
      detail: { membershipIds },
    });
    announceBilling(tx, `team:${teamId}`);
    return paid;
  });
}

/** From now on nobody is given a seat above this number, though the provider is told only after. */
async function promiseSeats(tx: Transaction, teamId: string, seats: number): Promise<void> {
  await writeStanding(tx, `team:${teamId}`, {}, { numberOfPaidSeats: seats });
}
