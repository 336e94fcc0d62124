import type { Context } from '#server/context.ts';
import { holdUser, requirePerson } from '#server/features/accounts/index.ts';
import { enterTeamAs, holdTeam } from '#server/features/teams/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Payer } from '#server/platform/payments/payment-provider.ts';

/** The payer whose billing a request is about. */
export interface PayerOfRequest {
  payer: Payer;
  /** The caller. */
  userId: string;
  teamId: string | undefined;
}

/** Returns the caller or, if the input names one, a team whose billing they manage. */
export async function payerOf(ctx: Context, input: { teamId?: string }): Promise<PayerOfRequest> {
  const userId = requirePerson(ctx);
  const { teamId } = input;
  if (teamId === undefined) return { payer: `user:${userId}`, userId, teamId };
  await enterTeamAs(ctx, teamId, 'billing.manage');
  return { payer: `team:${teamId}`, userId, teamId };
}

export function teamIdOf(payer: Payer): string | undefined {
  return payer.startsWith('team:') ? payer.slice('team:'.length) : undefined;
}

/**
 * Locks the row of the paying user or team until the transaction ends; always before their billing account, so that
 * concurrent charges are serialized. Returns false if it no longer exists.
 */
export async function holdPayer(tx: Transaction, payer: Payer): Promise<boolean> {
  const teamId = teamIdOf(payer);
  const row = teamId === undefined ? await holdUser(tx, payer.slice('user:'.length)) : await holdTeam(tx, teamId);
  return row !== undefined;
}
