import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { CreditAccount } from './store.ts';
import { findTeamPool, hasPaidSeat, lockTeamPool, type TeamPool } from './team-store.ts';

/** The payer of a call: the caller, or the pool of the team in which they have a paid seat. */
export interface Payer {
  account: CreditAccount | TeamPool;
  /** The team the call is made in. */
  team: TeamPool | undefined;
  isPool: boolean;
}

/**
 * Returns the payer of a user's call: in a team with a paid seat its pool, else their own account. Throws
 * `team-not-found` if the user was removed from the team since the call began.
 */
export function findPayer(queries: Queries, ctx: Context, caller: CreditAccount): Promise<Payer> {
  return payerOf(queries, ctx, caller, (teamId) => findTeamPool(queries, teamId));
}

/**
 * Like `findPayer`, and locks the pool if it pays. The caller's account must be locked before: every debit takes its
 * locks in this order, and calls of one user are serialized even if a pool pays.
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
