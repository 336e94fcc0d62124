import { type Incident, incidentLimits, statusKept } from '#contract/status.ts';
import type { Context } from '#server/context.ts';
import type { StatusDependencies } from './dependencies.ts';
import { listIncidentRows } from './incident-store.ts';
import { presentIncidents } from './present-incident.ts';

const dayMs = 86_400_000;

/** Incidents and maintenance of the last 90 days, those that go on, and what is planned; newest first. Everyone may read them. */
export async function listIncidents(ctx: Context, { cache }: Pick<StatusDependencies, 'cache'>): Promise<Incident[]> {
  return cache.answer('incidents', ctx.clock.now(), async () => {
    const now = ctx.clock.now();
    const rows = await listIncidentRows(ctx.db.query, now - statusKept.hoursDays * dayMs, incidentLimits.listed);
    return presentIncidents(ctx.db.query, rows, now);
  });
}
