import { randomUUID } from 'node:crypto';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { Incident, statusEndpoints } from '#contract/status.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requireOperatorAccount } from '#server/features/accounts/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import { addUpdate, changeIncident, holdIncident, type IncidentRow } from './incident-store.ts';
import { presentOne, requireTimes } from './open-incident.ts';
import { presentIncidents } from './present-incident.ts';

type UpdateInput = ParsedInputOf<typeof statusEndpoints.updateIncident>;

/**
 * Adds an update to an incident, or corrects its title, severity, parts or times; what it was before goes into the audit log. Another
 * state wants words. An incident that was resolved continues with it; maintenance has no state but by the clock. The operator's alone.
 */
export async function updateIncident(ctx: Context, input: UpdateInput): Promise<Incident> {
  const actorUserId = await requireOperatorAccount(ctx);
  const { incidentId, body } = input;
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const before = await holdIncident(tx, incidentId);
    if (before === undefined) throw new AppError('incident-not-found');
    const corrections = correctionsOf(before, input, now);
    const state = stateAfter(before, input);
    if (body === undefined && Object.keys(corrections).length === 0) {
      throw new AppError('invalid-input', { values: { reason: 'nothing is said and nothing is changed' } });
    }
    const resolvedAt = state === 'resolved' ? before.resolvedAt : null;
    const row = await changeIncident(tx, incidentId, { ...corrections, state, resolvedAt, updatedAt: now });
    if (body !== undefined) await addUpdate(tx, { id: randomUUID(), incidentId, state, body, createdAt: now });
    const detail = { state, ...changesIn(before, corrections) };
    await recordAudit(tx, now, { actorUserId, action: 'incident.update', entityId: incidentId, detail });
    return presentOne(await presentIncidents(tx, [row], now));
  });
}

function correctionsOf(before: IncidentRow, input: UpdateInput, now: number): Partial<NewRow<'incidents'>> {
  const { title, severity, parts, startsAt, endsAt } = input;
  if (startsAt !== undefined || endsAt !== undefined) {
    const times = { startsAt: startsAt ?? before.startsAt, endsAt: endsAt ?? before.endsAt ?? undefined };
    requireTimes({ kind: before.kind, ...times, now });
  }
  const given = { title, severity, parts: parts && JSON.stringify(parts), startsAt, endsAt };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function stateAfter(before: IncidentRow, { state, body }: UpdateInput): IncidentRow['state'] {
  if (state === undefined || state === before.state) return before.state;
  const refuse = (reason: string) => new AppError('invalid-input', { values: { reason } });
  if (before.kind === 'maintenance') throw refuse('maintenance begins and ends by the clock; it has no such state');
  if (body === undefined) throw refuse('another state wants an update that says why');
  return state;
}

/** What was corrected, as it was and as it is. */
function changesIn(before: IncidentRow, corrections: Partial<NewRow<'incidents'>>): Record<string, unknown> {
  const names = Object.keys(corrections) as (keyof IncidentRow)[];
  if (names.length === 0) return {};
  return { from: Object.fromEntries(names.map((name) => [name, before[name]])), to: corrections };
}
