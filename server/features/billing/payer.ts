import type { Context } from '#server/context.ts';
import { holdUser, requirePerson } from '#server/features/accounts/index.ts';
import { enterTeamAs, holdTeam } from '#server/features/teams/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Payer } from '#server/platform/payments/payment-provider.ts';

/** Whose billing a request is about. */
export interface PayerOfRequest {
  payer: Payer;
  /** The acting person. */
  userId: string;
  teamId: string | undefined;
}

/** The acting person themselves or, where the input names one, a team whose billing they look after. */
export async function payerOf(ctx: Context, input: { teamId?: string }): Promise<PayerOfRequest> {
  const userId = requirePerson(ctx);
  const { teamId } = input;
  if (teamId === undefined) return { payer: `user:${userId}`, userId, teamId };
  await enterTeamAs(ctx, teamId, 'billing.manage');
  return { payer: `team:${teamId}`, userId, teamId };
}

/** The team of a payer; undefined for a person. */
export function teamIdOf(payer: Payer): string | undefined {
  return payer.startsWith('team:') ? payer.slice('team:'.length) : undefined;
}

/**
 * Holds the row of the person who pays until the transaction ends, always before their billing account, so that calls that are
 * charged meanwhile wait or are waited for. False when they are gone.
 */
export async function holdPayer(tx: Transaction, payer: Payer): Promise<boolean> {
  const teamId = teamIdOf(payer);
  const row = teamId === undefined ? await holdUser(tx, payer.slice('user:'.length)) : await holdTeam(tx, teamId);
  return row !== undefined;
}
