import type { Incident, IncidentState } from '#contract/status.ts';
import { type StatusPart, statusParts } from '#contract/status-parts.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { type IncidentRow, listUpdates } from './incident-store.ts';

/** Incidents with their updates, as everyone may read them. */
export async function presentIncidents(db: Queries, rows: IncidentRow[], now: number): Promise<Incident[]> {
  const ids = rows.map(({ id }) => id);
  const updates = await listUpdates(db, ids);
  return rows.map((row) => ({
    ...{ id: row.id, kind: row.kind, title: row.title, state: row.state, severity: row.severity },
    parts: partsOf(row),
    phase: phaseOf(row, now),
    ...{ startsAt: row.startsAt, endsAt: row.endsAt, resolvedAt: row.resolvedAt, updatedAt: row.updatedAt },
    updates: updates
      .filter(({ incidentId }) => incidentId === row.id)
      // Only states of this table are ever written.
      .map(({ id, state, body, createdAt }) => ({ id, state: state as IncidentState, body, createdAt })),
  }));
}

/** Maintenance begins and ends by the clock; an incident when the operator says so. */
export function phaseOf(
  { kind, state, startsAt, endsAt }: Pick<IncidentRow, 'kind' | 'state' | 'startsAt' | 'endsAt'>,
  now: number,
): Incident['phase'] {
  if (state === 'resolved') return 'past';
  if (kind === 'incident') return 'current';
  if (now < startsAt) return 'upcoming';
  return endsAt !== null && now >= endsAt ? 'past' : 'current';
}

function partsOf({ parts }: IncidentRow): StatusPart[] {
  const names = storedJson<string[]>(parts, []);
  return names.filter((name): name is StatusPart => Object.hasOwn(statusParts, name));
}
