import type { Generated } from 'kysely';

export interface StatusTables {
  statusSamples: StatusSamplesTable;
  statusLatency: StatusLatencyTable;
  incidents: IncidentsTable;
  incidentUpdates: IncidentUpdatesTable;
}

/** What checks found in one minute or hour. */
interface StatusSamplesTable {
  resolution: 'minute' | 'hour';
  /** Where the minute or hour begins. */
  at: number;
  part: string;
  /** Which process looked; empty once minutes have become hours. */
  process: string;
  good: Generated<number>;
  impaired: Generated<number>;
  bad: Generated<number>;
  /** All of them together. */
  tookMs: Generated<number>;
  /** In how many minutes someone looked. */
  minutes: Generated<number>;
}

/** How many calls took how long in one minute or hour. */
interface StatusLatencyTable {
  resolution: 'minute' | 'hour';
  at: number;
  kind: 'search' | 'read';
  /** The calls took at most so many milliseconds, and more than the bucket below. */
  bucket: number;
  /** With those that failed. */
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
  /** When maintenance is meant to be over; null for an incident. */
  endsAt: number | null;
  resolvedAt: number | null;
  updatedAt: number;
}

interface IncidentUpdatesTable {
  id: string;
  incidentId: string;
  /** From 0, oldest first. */
  position: number;
  state: string;
  /** Markdown. */
  body: string;
  createdAt: number;
}
