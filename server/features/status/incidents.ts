import { randomUUID } from 'node:crypto';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import {
  type Incident,
  type IncidentState,
  incidentLimits,
  type statusEndpoints,
  statusKept,
} from '#contract/status.ts';
import { type StatusPart, statusParts } from '#contract/status-parts.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requireOperatorAccount } from '#server/features/accounts/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import type { StatusDependencies } from './dependencies.ts';
import {
  addUpdate,
  changeIncident,
  holdIncident,
  type IncidentRow,
  insertIncident,
  listIncidentRows,
  listUpdates,
} from './incident-store.ts';

/**
 * Publishes an incident or, with an end time, maintenance, which begins and ends by the clock. Operators only. Throws
 * for maintenance that ends before it begins, and for a start time without an end time.
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

/** Throws `invalid-input` for implausible times. */
function requireTimes({
  kind,
  startsAt,
  endsAt,
  now,
}: Pick<IncidentRow, 'kind'> & { startsAt: number | undefined; endsAt: number | undefined; now: number }): void {
  if (kind === 'incident' && (startsAt !== undefined || endsAt !== undefined)) {
    throw new AppError('invalid-input', { values: { reason: 'only maintenance has times; give its end too' } });
  }
  if (endsAt !== undefined && endsAt <= (startsAt ?? now)) {
    throw new AppError('invalid-input', { values: { reason: 'maintenance must end after it begins' } });
  }
}

function presentOne([incident]: Incident[]): Incident {
  if (incident === undefined) throw new Error('an incident that was just written is not there');
  return incident;
}

type UpdateInput = ParsedInputOf<typeof statusEndpoints.updateIncident>;

/**
 * Adds an update to an incident, or corrects its title, severity, parts or times; the former values go into the audit
 * log. Another state requires a text. A resolved incident is reopened by it; maintenance has no state except by the
 * clock. Operators only.
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
      throw new AppError('invalid-input', { values: { reason: 'give an update, or a text to correct' } });
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
  if (before.kind === 'maintenance') throw refuse('maintenance has no such state; it begins and ends at its times');
  if (body === undefined) throw refuse('a new state needs an update that says why');
  return state;
}

/** Returns the corrected fields with their old and new values. */
function changesIn(before: IncidentRow, corrections: Partial<NewRow<'incidents'>>): Record<string, unknown> {
  const names = Object.keys(corrections) as (keyof IncidentRow)[];
  if (names.length === 0) return {};
  return { from: Object.fromEntries(names.map((name) => [name, before[name]])), to: corrections };
}

const resolvedText = 'This is resolved.';

/** Resolves an incident or maintenance; resolved ones stay unchanged. Operators only. */
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

const dayMs = 86_400_000;

/**
 * Returns the incidents and maintenance of the last 90 days, including ongoing and planned ones; newest first. Readable
 * by everyone.
 */
export async function listIncidents(ctx: Context, { cache }: Pick<StatusDependencies, 'cache'>): Promise<Incident[]> {
  return cache.answer('incidents', ctx.clock.now(), async () => {
    const now = ctx.clock.now();
    const rows = await listIncidentRows(ctx.db.query, now - statusKept.hoursDays * dayMs, incidentLimits.listed);
    return presentIncidents(ctx.db.query, rows, now);
  });
}

/** Returns incidents with their updates, as shown to everyone. */
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

/** Returns the phase: maintenance begins and ends by the clock, an incident ends when the operator resolves it. */
function phaseOf(
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
