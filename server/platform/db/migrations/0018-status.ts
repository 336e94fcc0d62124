import type { Migration } from './migration.ts';

/**
 * Health of the installation: counts per minute and, for older data, per hour. Several processes add to the same rows;
 * check rows name the process, so that a single failing process is visible.
 */
export const status: Migration = {
  name: '0018-status',
  statements: [
    `create table status_samples (
      resolution text not null check (resolution in ('minute', 'hour')),
      at integer not null,
      part text not null,
      process text not null,
      good integer not null default 0,
      impaired integer not null default 0,
      bad integer not null default 0,
      took_ms integer not null default 0,
      minutes integer not null default 1,
      primary key (resolution, at, part, process)
    )`,
    `create table status_latency (
      resolution text not null check (resolution in ('minute', 'hour')),
      at integer not null,
      kind text not null check (kind in ('search', 'read')),
      bucket integer not null,
      calls integer not null default 0,
      errors integer not null default 0,
      primary key (resolution, at, kind, bucket)
    )`,
    `create table incidents (
      id text primary key,
      kind text not null check (kind in ('incident', 'maintenance')),
      title text not null,
      state text not null check (state in ('scheduled', 'investigating', 'identified', 'monitoring', 'resolved')),
      severity text not null check (severity in ('minor', 'major', 'critical')),
      parts text not null default '[]',
      opened_at integer not null,
      starts_at integer not null,
      ends_at integer,
      resolved_at integer,
      updated_at integer not null
    )`,
    'create index incidents_by_start on incidents (starts_at)',
    `create table incident_updates (
      id text primary key,
      incident_id text not null references incidents (id) on delete cascade,
      position integer not null,
      state text not null,
      body text not null,
      created_at integer not null,
      unique (incident_id, position)
    )`,
  ],
};
