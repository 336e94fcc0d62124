import type { Incident, LatencyPoint, StatusHistory, StatusLatency, StatusReport } from '#contract/status.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const now = Date.UTC(2026, 10, 22, 12, 7);

/** Both texts are wider than a narrow screen. */
const reportedFault =
  '```\nENOSPC: no space left on device, write /var/lib/segments/9bab5383-89ff-49d0-81a4-6858d62d3e36\n```';
const affectedHosts = `| host | ${Array.from({ length: 9 }, (_, at) => `volume-${at}`).join(' | ')} |\n|${'---|'.repeat(10)}\n| a |${' 98 % |'.repeat(9)}`;

export function sampleIncident(severity: Incident['severity'], more: Partial<Incident> = {}): Incident {
  const startsAt = now - 90 * minuteMs;
  return {
    ...{
      id: `incident-${severity}`,
      kind: 'incident',
      title: 'Searches of long queries are slow',
      state: 'identified',
      severity,
    },
    ...{ parts: ['search', 'database'], phase: 'current', startsAt, endsAt: null, resolvedAt: null, updatedAt: now },
    updates: [
      {
        id: `${severity}-2`,
        state: 'identified',
        body: `A **full disk**. More space is on its way.\n\n${reportedFault}\n\n${affectedHosts}`,
        createdAt: now - 30 * minuteMs,
      },
      { id: `${severity}-1`, state: 'investigating', body: 'We are looking into it.', createdAt: startsAt },
    ],
    ...more,
  };
}

/** Returns everything the page can show: a bad day, days off, slow hours, an incident, maintenance and history. */
export function fullAnswers(): {
  report: StatusReport;
  history: StatusHistory;
  latency: StatusLatency;
  incidents: Incident[];
} {
  const incident = sampleIncident('major');
  const times = { startsAt: now + dayMs, endsAt: now + dayMs + 3_600_000 };
  const maintenance = sampleIncident('minor', {
    kind: 'maintenance',
    title: 'New disks',
    state: 'scheduled',
    phase: 'upcoming',
    ...times,
  });
  const past = sampleIncident('critical', {
    title: 'The file store was full',
    state: 'resolved',
    phase: 'past',
    resolvedAt: now,
  });
  const labels = {
    search: 'Search',
    database: 'Database',
    files: 'File store',
    jobs: 'Indexing',
    mail: 'Mail',
  } as const;
  const parts = Object.entries(labels) as [keyof typeof labels, string][];
  const report: StatusReport = {
    ...{ state: 'degraded', at: now, measuredAt: now - 20_000 },
    checks: parts.map(([part, label]) => ({
      part,
      label,
      state: part === 'mail' ? 'down' : 'operational',
      measuredAt: now,
      tookMs: 4,
    })),
    queue: { waiting: 3, running: 2, oldestWaitSeconds: 75 },
    index: {
      ...{ modules: 2, lastIndexedAt: now - 3_600_000 },
      latest: [
        { moduleId: 'django', displayName: 'Django', lastUpdatedAt: now - 3_600_000 },
        {
          moduleId: 'long',
          displayName: `Documentation with a long name ${'and more '.repeat(8)}`,
          lastUpdatedAt: now - dayMs,
        },
      ],
    },
    incidents: [maintenance, incident],
  };
  const history: StatusHistory = {
    at: now,
    since: now - 60 * dayMs,
    parts: parts.map(([part, label]) => ({ part, label, uptime: 0.99971, days: days() })),
  };
  const [search, read] = [points(14), points(45)];
  const latency = { at: now, stepMinutes: 15, search, read, total: { search: total(search), read: total(read) } };
  return { report, history, latency, incidents: [incident, maintenance, past] };
}

function days(): StatusHistory['parts'][number]['days'] {
  const today = now - (now % dayMs);
  return Array.from({ length: 90 }, (_, place) => {
    const at = today - (89 - place) * dayMs;
    if (place < 30 || place === 61) return { at, state: 'unknown', measured: 0, checks: 0, impaired: 0, failed: 0 };
    if (place === 88) return { at, state: 'degraded', measured: 1, checks: 1_440, impaired: 4, failed: 12 };
    if (place === 70) return { at, state: 'down', measured: 0.6, checks: 860, impaired: 0, failed: 200 };
    return { at, state: 'operational', measured: place === 62 ? 0.4 : 1, checks: 1_440, impaired: 0, failed: 0 };
  });
}

function points(baseMs: number): LatencyPoint[] {
  return Array.from({ length: 96 }, (_, place) => {
    const at = now - (now % (15 * minuteMs)) - (95 - place) * 15 * minuteMs;
    const isQuiet = place % 29 > 24;
    if (isQuiet) return { at, calls: 0, errors: 0, p50: null, p95: null };
    const p50 = baseMs + (place % 7);
    return { at, calls: 20 + (place % 11), errors: place === 40 ? 2 : 0, p50, p95: p50 * 2 + (place % 5) * 4 };
  });
}

function total(all: LatencyPoint[]): LatencyPoint {
  const calls = all.reduce((sum, point) => sum + point.calls, 0);
  return { at: all[0]?.at ?? 0, calls, errors: 2, p50: 16, p95: 41 };
}
