import { randomUUID } from 'node:crypto';
import type { Transaction } from '#server/platform/db/database.ts';

/**
 * Takes a person out of the ledger, the usage and the receipts, for a deleted account: the rows and their sums stay
 * under a made-up id, without what was asked and who asked it.
 */
export async function anonymiseLedger(tx: Transaction, userId: string): Promise<void> {
  const nobody = `deleted-${randomUUID()}`;
  await tx
    .updateTable('creditTransactions')
    .set({ id: `initial:${nobody}`, requestId: `initial:${nobody}` })
    .where('id', '=', `initial:${userId}`)
    .execute();
  await tx
    .updateTable('creditTransactions')
    .set({ userId: nobody, fingerprint: null, details: '', metadata: '{}' })
    .where('userId', '=', userId)
    .execute();
  await tx.updateTable('callReceipts').set({ userId: nobody, keyId: null }).where('userId', '=', userId).execute();
  await tx
    .updateTable('monthlyUsage')
    .set({ workspace: `user:${nobody}` })
    .where('workspace', '=', `user:${userId}`)
    .execute();
}
