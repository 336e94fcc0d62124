import { randomUUID } from 'node:crypto';
import type { Incident } from '#contract/status.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requireOperatorAccount } from '#server/features/accounts/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { addUpdate, changeIncident, holdIncident } from './incident-store.ts';
import { presentOne } from './open-incident.ts';
import { presentIncidents } from './present-incident.ts';

const resolvedText = 'This is resolved.';

/** Says that an incident, or maintenance, is over. What is over already stays as it is. The operator's alone. */
export async function resolveIncident(ctx: Context, input: { incidentId: string; body?: string }): Promise<Incident> {
  const actorUserId = await requireOperatorAccount(ctx);
  const { incidentId, body = resolvedText } = input;
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const before = await holdIncident(tx, incidentId);
    if (before === undefined) throw new AppError('incident-not-found');
    if (before.state === 'resolved') return presentOne(await presentIncidents(tx, [before], now));
    const row = await changeIncident(tx, incidentId, { state: 'resolved', resolvedAt: now, updatedAt: now });
    await addUpdate(tx, { id: randomUUID(), incidentId, state: 'resolved', body, createdAt: now });
    await recordAudit(tx, now, { actorUserId, action: 'incident.resolve', entityId: incidentId });
    return presentOne(await presentIncidents(tx, [row], now));
  });
}
