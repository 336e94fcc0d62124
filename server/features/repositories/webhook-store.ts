import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { deleteOldest } from '#server/platform/db/delete-oldest.ts';
import type { Row } from '#server/platform/db/schema.ts';

export type WebhookRow = Row<'repositoryWebhooks'>;

export async function findWebhook(db: Queries, moduleId: string): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('repositoryWebhooks')
    .selectAll()
    .where('moduleId', '=', moduleId)
    .where('removedAt', 'is', null)
    .executeTakeFirst();
}

/** Creates a module's webhook, or a new generation of it; returns the generation. */
export async function renewWebhook(tx: Transaction, { moduleId, now }: { moduleId: string; now: number }) {
  const fresh = { createdAt: now, receivedAt: null, receivedEvent: null, removedAt: null };
  const { generation } = await tx
    .insertInto('repositoryWebhooks')
    .values({ moduleId, generation: 1, ...fresh })
    .onConflict((conflict) =>
      conflict
        .column('moduleId')
        .doUpdateSet((expression) => ({ ...fresh, generation: expression('repositoryWebhooks.generation', '+', 1) })),
    )
    .returning('generation')
    .executeTakeFirstOrThrow();
  return generation;
}

/**
 * Removes a module's webhook. Its row stays, so that a later webhook gets another secret. Returns false if there is
 * none.
 */
export async function markWebhookRemoved(tx: Transaction, moduleId: string, now: number): Promise<boolean> {
  const removed = await tx
    .updateTable('repositoryWebhooks')
    .set({ removedAt: now })
    .where('moduleId', '=', moduleId)
    .where('removedAt', 'is', null)
    .returning('moduleId')
    .executeTakeFirst();
  return removed !== undefined;
}

/** Returns a webhook with the address of its module's repository; undefined if there is none. */
export async function findWebhookWithUrl(
  db: Queries,
  moduleId: string,
): Promise<{ generation: number; url: string | null } | undefined> {
  return db
    .selectFrom('repositoryWebhooks')
    .leftJoin('repositories', 'repositories.moduleId', 'repositoryWebhooks.moduleId')
    .select(['repositoryWebhooks.generation', 'repositories.url'])
    .where('repositoryWebhooks.moduleId', '=', moduleId)
    .where('repositoryWebhooks.removedAt', 'is', null)
    .executeTakeFirst();
}

/** Records a delivery; returns false if it was received before. */
export async function noteDelivery(
  db: Queries,
  delivery: { moduleId: string; deliveryId: string; receivedAt: number },
): Promise<boolean> {
  const made = await db
    .insertInto('repositoryDeliveries')
    .values(delivery)
    .onConflict((conflict) => conflict.columns(['moduleId', 'deliveryId']).doNothing())
    .returning('deliveryId')
    .executeTakeFirst();
  return made !== undefined;
}

export async function noteReceived(
  db: Queries,
  { moduleId, event, now }: { moduleId: string; event: string; now: number },
): Promise<void> {
  await db
    .updateTable('repositoryWebhooks')
    .set({ receivedAt: now, receivedEvent: event })
    .where('moduleId', '=', moduleId)
    .execute();
}

export async function deleteOldDeliveries(db: Queries, before: number): Promise<void> {
  await deleteOldest(db, 'repositoryDeliveries', { key: ['moduleId', 'deliveryId'], column: 'receivedAt', before });
}
