import { randomUUID } from 'node:crypto';
import type { Probe } from '#contract/probes.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';

/** Returns a module's questions: user-given ones first, each origin in its order. */
export async function listProbeRows(db: Queries, moduleRowId: string): Promise<Probe[]> {
  const rows = await db
    .selectFrom('moduleProbes')
    .select(['question', 'address', 'origin'])
    .where('moduleId', '=', moduleRowId)
    .orderBy('origin', 'desc')
    .orderBy('createdAt')
    .execute();
  return rows;
}

/** Replaces the questions of one origin. */
export async function replaceProbes(
  tx: Transaction,
  moduleRowId: string,
  change: { origin: Probe['origin']; probes: { question: string; address: string }[]; now: number },
): Promise<void> {
  const { origin, probes, now } = change;
  await tx.deleteFrom('moduleProbes').where('moduleId', '=', moduleRowId).where('origin', '=', origin).execute();
  if (probes.length === 0) return;
  const rows = probes.map(({ question, address }, at) => ({
    ...{ id: randomUUID(), moduleId: moduleRowId, question, address, origin },
    // Distinct times preserve the order.
    createdAt: now + at,
  }));
  await tx.insertInto('moduleProbes').values(rows).execute();
}
