import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';

/**
 * Reports a payment that has no effect here to the operator, in the log and in the installation's audit log: only they
 * can refund it. `paymentId` is the provider's id of the payment page, subscription, invoice or payment.
 */
export async function reportRefusal(
  { clock, log }: Pick<Context, 'clock' | 'log'>,
  tx: Transaction,
  { paymentId, why }: { paymentId: string; why: string },
): Promise<void> {
  log.error({ paymentId }, `a payment was refused: ${why}`);
  const detail = { name: paymentId, why };
  const entry = { actorUserId: null, entityId: paymentId, detail };
  await recordAudit(tx, clock.now(), { ...entry, action: 'payment.refuse' });
}
