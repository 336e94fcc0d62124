import { randomUUID } from 'node:crypto';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { Incident, statusEndpoints } from '#contract/status.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requireOperatorAccount } from '#server/features/accounts/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { addUpdate, type IncidentRow, insertIncident } from './incident-store.ts';
import { presentIncidents } from './present-incident.ts';

/**
 * Tells everyone of an incident; with a time at which it ends, of maintenance, which begins and ends by the clock. The operator's
 * alone. Refuses maintenance that ends before it begins, and one that says when it begins but not when it ends.
 */
export async function openIncident(
  ctx: Context,
  input: ParsedInputOf<typeof statusEndpoints.openIncident>,
): Promise<Incident> {
  const actorUserId = await requireOperatorAccount(ctx);
  const { title, body, severity, parts, state: told, endsAt } = input;
  const now = ctx.clock.now();
  const startsAt = input.startsAt ?? now;
  requireTimes({ kind: endsAt === undefined ? 'incident' : 'maintenance', startsAt: input.startsAt, endsAt, now });
  const isMaintenance = endsAt !== undefined;
  const state = isMaintenance ? 'scheduled' : told;
  const id = randomUUID();
  return ctx.db.transaction(async (tx) => {
    const row = await insertIncident(tx, {
      ...{ id, kind: isMaintenance ? 'maintenance' : 'incident', title, state, severity },
      parts: JSON.stringify(parts),
      ...{ openedAt: now, startsAt, endsAt: endsAt ?? null, resolvedAt: null, updatedAt: now },
    });
    await addUpdate(tx, { id: randomUUID(), incidentId: id, state, body, createdAt: now });
    const detail = { kind: row.kind, title, severity, parts };
    await recordAudit(tx, now, { actorUserId, action: 'incident.open', entityId: id, detail });
    return presentOne(await presentIncidents(tx, [row], now));
  });
}

/** Throws `invalid-input` for times that cannot be meant. */
export function requireTimes({
  kind,
  startsAt,
  endsAt,
  now,
}: Pick<IncidentRow, 'kind'> & { startsAt: number | undefined; endsAt: number | undefined; now: number }): void {
  if (kind === 'incident' && (startsAt !== undefined || endsAt !== undefined)) {
    throw new AppError('invalid-input', { values: { reason: 'only maintenance has times: say also when it ends' } });
  }
  if (endsAt !== undefined && endsAt <= (startsAt ?? now)) {
    throw new AppError('invalid-input', { values: { reason: 'maintenance ends after it begins' } });
  }
}

export function presentOne([incident]: Incident[]): Incident {
  if (incident === undefined) throw new Error('an incident that was just written is not there');
  return incident;
}
