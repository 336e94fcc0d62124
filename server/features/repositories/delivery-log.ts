import { randomUUID } from 'node:crypto';
import type { DeliveryOutcome, DeliveryRefusal, RepositoryDelivery } from '#contract/repositories.ts';
import type { Queries } from '#server/platform/db/database.ts';

/** Entries kept per module. Refused ones are counted separately: anyone who knows the address can create any number. */
const kept = { taken: 30, refused: 20 };
/** Refusals for the same reason within this time count as one entry. */
const sameRefusalMs = 60_000;

interface ToldDelivery {
  moduleId: string;
  now: number;
  event: string | null;
  ref: string | null;
  outcome: Exclude<DeliveryOutcome, 'refused'>;
}

/** Logs the result of a delivery from a module's repository host. */
export async function logDelivery(db: Queries, { now, ...delivery }: ToldDelivery): Promise<void> {
  await db
    .insertInto('repositoryWebhookLog')
    .values({ id: randomUUID(), at: now, ...delivery, reason: null, times: 1 })
    .execute();
  await deleteBeyond(db, delivery.moduleId, 'taken');
}

/** Logs that a delivery was refused, and why. */
export async function logRefusal(
  db: Queries,
  { moduleId, reason, now }: { moduleId: string; reason: DeliveryRefusal; now: number },
): Promise<void> {
  const counted = await db
    .updateTable('repositoryWebhookLog')
    .set((expression) => ({ at: now, times: expression('times', '+', 1) }))
    .where('moduleId', '=', moduleId)
    .where('outcome', '=', 'refused')
    .where('reason', '=', reason)
    .where('at', '>', now - sameRefusalMs)
    .returning('id')
    .executeTakeFirst();
  if (counted !== undefined) return;
  const refusal = { moduleId, at: now, event: null, ref: null, outcome: 'refused' as const, reason, times: 1 };
  await db
    .insertInto('repositoryWebhookLog')
    .values({ id: randomUUID(), ...refusal })
    .execute();
  await deleteBeyond(db, moduleId, 'refused');
}

/** Returns the deliveries, newest first. */
export async function listDeliveries(db: Queries, moduleId: string): Promise<RepositoryDelivery[]> {
  return db
    .selectFrom('repositoryWebhookLog')
    .select(['id', 'at', 'event', 'ref', 'outcome', 'reason', 'times'])
    .where('moduleId', '=', moduleId)
    .orderBy('at', 'desc')
    .orderBy('id')
    .execute();
}

export async function forgetDeliveries(db: Queries, moduleId: string): Promise<void> {
  await db.deleteFrom('repositoryWebhookLog').where('moduleId', '=', moduleId).execute();
}

async function deleteBeyond(db: Queries, moduleId: string, group: keyof typeof kept): Promise<void> {
  const comparison = group === 'refused' ? '=' : '!=';
  const newest = await db
    .selectFrom('repositoryWebhookLog')
    .select('id')
    .where('moduleId', '=', moduleId)
    .where('outcome', comparison, 'refused')
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(kept[group])
    .execute();
  if (newest.length < kept[group]) return;
  await db
    .deleteFrom('repositoryWebhookLog')
    .where('moduleId', '=', moduleId)
    .where('outcome', comparison, 'refused')
    .where(
      'id',
      'not in',
      newest.map(({ id }) => id),
    )
    .execute();
}
