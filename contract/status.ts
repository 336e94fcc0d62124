import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { nameLine } from './name-line.ts';
import { type StatusPart, statusPartNames } from './status-parts.ts';

/** Retention of measurements: per minute, and per hour. */
export const statusKept = { minutesHours: 48, hoursDays: 90 } as const;
/** How long browsers and proxies may cache status responses. */
export const statusCacheSeconds = 15;

export const statusStates = ['operational', 'degraded', 'down', 'unknown'] as const;
export type StatusState = (typeof statusStates)[number];
const stateSchema = z.enum(statusStates);
const partSchema = z.enum(statusPartNames as [StatusPart, ...StatusPart[]]);

export const incidentStates = ['scheduled', 'investigating', 'identified', 'monitoring', 'resolved'] as const;
export type IncidentState = (typeof incidentStates)[number];
/** `minor`: announced only. `major`: the installation counts as degraded while it is open. `critical`: as down. */
export const incidentSeverities = ['minor', 'major', 'critical'] as const;
export type IncidentSeverity = (typeof incidentSeverities)[number];

export const incidentLimits = { titleCharactersMax: 120, bodyCharactersMax: 4_000, listed: 50 } as const;

export const incidentSchema = z.object({
  id: z.string(),
  kind: z.enum(['incident', 'maintenance']),
  title: z.string(),
  state: z.enum(incidentStates),
  severity: z.enum(incidentSeverities),
  parts: z.array(partSchema),
  /** In progress, upcoming or over. */
  phase: z.enum(['upcoming', 'current', 'past']),
  startsAt: z.int(),
  /** When maintenance is expected to end. */
  endsAt: z.int().nullable(),
  resolvedAt: z.int().nullable(),
  updatedAt: z.int(),
  /** Newest first; `body` is Markdown. */
  updates: z.array(z.object({ id: z.string(), state: z.enum(incidentStates), body: z.string(), createdAt: z.int() })),
});
export type Incident = z.infer<typeof incidentSchema>;

export const statusReportSchema = z.object({
  state: stateSchema,
  /** When the report was created. */
  at: z.int(),
  /** When anything was last measured; null if never. */
  measuredAt: z.int().nullable(),
  checks: z.array(
    z.object({
      part: partSchema,
      label: z.string(),
      state: stateSchema,
      measuredAt: z.int().nullable(),
      /** Duration of the last check. */
      tookMs: z.int().nullable(),
    }),
  ),
  /** Runs of all workspaces. */
  queue: z.object({ waiting: z.int(), running: z.int(), oldestWaitSeconds: z.int().nullable() }).nullable(),
  /** The public index's most recently updated modules, newest first. */
  index: z
    .object({
      modules: z.int(),
      lastIndexedAt: z.int().nullable(),
      latest: z.array(z.object({ moduleId: z.string(), displayName: z.string(), lastUpdatedAt: z.int() })),
    })
    .nullable(),
  /** Current and planned incidents. */
  incidents: z.array(incidentSchema),
});
export type StatusReport = z.infer<typeof statusReportSchema>;

export const statusHistorySchema = z.object({
  at: z.int(),
  /** Time of the oldest stored measurement; null if there is none. */
  since: z.int().nullable(),
  parts: z.array(
    z.object({
      part: partSchema,
      label: z.string(),
      /** Share of checks that did not fail; null without checks. */
      uptime: z.number().nullable(),
      /** Oldest first, one entry per UTC day, today last. */
      days: z.array(
        z.object({
          at: z.int(),
          state: stateSchema,
          /** Share of the day so far that was measured. */
          measured: z.number(),
          checks: z.int(),
          impaired: z.int(),
          failed: z.int(),
        }),
      ),
    }),
  ),
});
export type StatusHistory = z.infer<typeof statusHistorySchema>;

export const latencyRanges = ['24h', '7d', '90d'] as const;
export type LatencyRange = (typeof latencyRanges)[number];
const latencyPointSchema = z.object({
  at: z.int(),
  calls: z.int(),
  errors: z.int(),
  /** Milliseconds; null without calls. */
  p50: z.int().nullable(),
  p95: z.int().nullable(),
});
export type LatencyPoint = z.infer<typeof latencyPointSchema>;
export const statusLatencySchema = z.object({
  at: z.int(),
  stepMinutes: z.int(),
  search: z.array(latencyPointSchema),
  read: z.array(latencyPointSchema),
  /** Totals of the whole period. */
  total: z.object({ search: latencyPointSchema, read: latencyPointSchema }),
});
export type StatusLatency = z.infer<typeof statusLatencySchema>;

const titleSchema = z.string().overwrite(nameLine).min(1).max(incidentLimits.titleCharactersMax);
const bodySchema = z.string().trim().min(1).max(incidentLimits.bodyCharactersMax);
const incidentAnswer = z.object({ incident: incidentSchema });

export const statusEndpoints = {
  getStatus: endpoint('GET /api/status', {
    summary:
      'Returns the installation’s current state, for users and monitors. The HTTP status is 200 even if the state is `down`.',
    access: 'anyone',
    output: statusReportSchema,
    cacheSeconds: statusCacheSeconds,
  }),
  getStatusHistory: endpoint('GET /api/status/history', {
    summary: 'Returns the results of the checks for each of the last 90 days.',
    access: 'anyone',
    output: statusHistorySchema,
    cacheSeconds: statusCacheSeconds,
  }),
  getStatusLatency: endpoint('GET /api/status/latency', {
    summary: 'Returns the duration of searches and reads over time: median and 95th percentile.',
    access: 'anyone',
    input: z.object({ range: z.enum(latencyRanges).default('24h') }),
    output: statusLatencySchema,
    cacheSeconds: statusCacheSeconds,
  }),
  listIncidents: endpoint('GET /api/status/incidents', {
    summary: 'Lists incidents and maintenance, planned or of the last 90 days, newest first; at most 50.',
    access: 'anyone',
    output: z.object({ incidents: z.array(incidentSchema) }),
    cacheSeconds: statusCacheSeconds,
  }),
  openIncident: endpoint('POST /api/status/incidents', {
    summary: 'Operator: reports an incident, or maintenance if it has an end time.',
    access: 'operator',
    input: z.object({
      title: titleSchema,
      body: bodySchema,
      severity: z.enum(incidentSeverities).default('major'),
      parts: z.array(partSchema).default([]),
      state: z.enum(['investigating', 'identified', 'monitoring']).default('investigating'),
      /** Both for maintenance only. */
      startsAt: z.int().optional(),
      endsAt: z.int().optional(),
    }),
    output: incidentAnswer,
  }),
  updateIncident: endpoint('POST /api/status/incidents/:incidentId', {
    summary: 'Operator: adds an update to an incident, or corrects its texts.',
    access: 'operator',
    input: z.object({
      incidentId: z.string(),
      body: bodySchema.optional(),
      state: z.enum(['investigating', 'identified', 'monitoring']).optional(),
      title: titleSchema.optional(),
      severity: z.enum(incidentSeverities).optional(),
      parts: z.array(partSchema).optional(),
      startsAt: z.int().optional(),
      endsAt: z.int().optional(),
    }),
    output: incidentAnswer,
  }),
  resolveIncident: endpoint('POST /api/status/incidents/:incidentId/resolve', {
    summary: 'Operator: resolves an incident or ends maintenance. Repeated calls change nothing.',
    access: 'operator',
    input: z.object({ incidentId: z.string(), body: bodySchema.optional() }),
    output: incidentAnswer,
  }),
};
