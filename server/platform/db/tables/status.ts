import type { Generated } from 'kysely';

export interface StatusTables {
  statusSamples: StatusSamplesTable;
  statusLatency: StatusLatencyTable;
  incidents: IncidentsTable;
  incidentUpdates: IncidentUpdatesTable;
}

/** Results of the checks in one minute or hour. */
interface StatusSamplesTable {
  resolution: 'minute' | 'hour';
  /** Start of the minute or hour. */
  at: number;
  part: string;
  /** The process that ran the checks; empty once minutes are merged into hours. */
  process: string;
  good: Generated<number>;
  impaired: Generated<number>;
  bad: Generated<number>;
  /** Total time of all checks. */
  tookMs: Generated<number>;
  /** Number of minutes with checks. */
  minutes: Generated<number>;
}

/** Distribution of call durations in one minute or hour. */
interface StatusLatencyTable {
  resolution: 'minute' | 'hour';
  at: number;
  kind: 'search' | 'read';
  /** Upper bound in milliseconds; the lower bound is the next smaller bucket. */
  bucket: number;
  /** Includes failed calls. */
  calls: Generated<number>;
  errors: Generated<number>;
}

interface IncidentsTable {
  id: string;
  kind: 'incident' | 'maintenance';
  title: string;
  state: 'scheduled' | 'investigating' | 'identified' | 'monitoring' | 'resolved';
  severity: 'minor' | 'major' | 'critical';
  /** JSON array of parts. */
  parts: Generated<string>;
  openedAt: number;
  startsAt: number;
  /** Planned end of maintenance; null for an incident. */
  endsAt: number | null;
  resolvedAt: number | null;
  updatedAt: number;
}

interface IncidentUpdatesTable {
  id: string;
  incidentId: string;
  /** Counts from 0, oldest first. */
  position: number;
  state: string;
  /** Markdown. */
  body: string;
  createdAt: number;
}
