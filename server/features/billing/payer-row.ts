import { holdUser } from '#server/features/accounts/index.ts';
import { holdTeam } from '#server/features/teams/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Payer } from '#server/platform/payments/payment-provider.ts';
import { teamIdOf } from './payer.ts';

/**
 * Holds the row of the person who pays until the transaction ends, always before their billing account, so that calls that are
 * charged meanwhile wait or are waited for. False when they are gone.
 */
export async function holdPayer(tx: Transaction, payer: Payer): Promise<boolean> {
  const teamId = teamIdOf(payer);
  const row = teamId === undefined ? await holdUser(tx, payer.slice('user:'.length)) : await holdTeam(tx, teamId);
  return row !== undefined;
}
