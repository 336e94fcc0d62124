import type { AgreedPrice, billingAdministration } from '#contract/billing.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
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

type SeatsInput = ParsedInputOf<typeof billingAdministration.manageSeats>;

/**
 * Assigns paid seats to exactly these members, never more than the team pays for (`seats-exceeded`). With
 * `updateSubscription` the team then pays for this number of seats, at least 1: additional seats are paid for before
 * they are assigned, fewer apply from the next period on. Returns the number currently paid for.
 */
export async function manageSeats(ctx: Context, input: SeatsInput, deps: BillingDependencies): Promise<number> {
  const membershipIds = [...new Set(input.paidSeatMembershipIds)];
  await enterTeamAs(ctx, input.teamId, 'seats.manage');
  // Checked before any payment, which the limit on audit entries must not undo.
  await requireWithinRate(ctx, [['repeated-change', requirePerson(ctx)]]);
  if (!input.updateSubscription) return give(ctx, input.teamId, membershipIds);
  const who = await payerOf(ctx, input);
  const seats = Math.max(1, membershipIds.length);
  const asked = { quantity: seats };
  return withClaim(ctx, who.payer, deps, async () => {
    const running = await readRunning(ctx, who.payer, deps);
    // Checked before seats are assigned or removed for a change that is then refused.
    await requireAgreed(running, asked, input.agreedPrice, deps);
    if (seats > running.held.quantity) {
      // Checked before paying for seats that could not be assigned.
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
 * Changes the number of seats a team pays for: more at once, fewer from the next period on, and never below the number
 * assigned to members (`seats-in-use`).
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

/** Assigns the seats; changes of one team are serialized. */
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
