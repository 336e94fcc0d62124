import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { CreditAccount } from './store.ts';
import { findTeamPool, hasPaidSeat, lockTeamPool, type TeamPool } from './team-store.ts';

/** Whose credits a call takes: those of the person who calls, or the pool of the team they have a paid seat in. */
export interface Payer {
  account: CreditAccount | TeamPool;
  /** The team the call is made in. */
  team: TeamPool | undefined;
  isPool: boolean;
}

/**
 * Whose credits pay for a call of this person: in a team the pool where their seat is paid, else their own. Refuses
 * (`team-not-found`) who has been removed from the team since the call began.
 */
export function findPayer(queries: Queries, ctx: Context, caller: CreditAccount): Promise<Payer> {
  return payerOf(queries, ctx, caller, (teamId) => findTeamPool(queries, teamId));
}

/**
 * The same, with the pool locked where it pays. The caller's own account is locked before, always: every debit takes
 * its locks in this order, and calls of one person wait for each other the person who pays for them.
 */
export function lockPayer(tx: Transaction, ctx: Context, caller: CreditAccount): Promise<Payer> {
  return payerOf(tx, ctx, caller, (teamId, isPool) => (isPool ? lockTeamPool(tx, teamId) : findTeamPool(tx, teamId)));
}

async function payerOf(
  queries: Queries,
  ctx: Context,
  caller: CreditAccount,
  read: (teamId: string, isPool: boolean) => Promise<TeamPool | undefined>,
): Promise<Payer> {
  const teamId = ctx.membership?.teamId;
  if (teamId === undefined) return { account: caller, team: undefined, isPool: false };
  const isPool = await hasPaidSeat(queries, teamId, caller.id);
  const team = isPool === undefined ? undefined : await read(teamId, isPool);
  if (isPool === undefined || team === undefined) throw new AppError('team-not-found');
  return { account: isPool ? team : caller, team, isPool };
}
