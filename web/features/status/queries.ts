import { queryOptions } from '@tanstack/react-query';
import type { Incident, LatencyRange } from '#contract/status.ts';
import { statusReadAgainSeconds } from '#contract/status-parts.ts';
import { callLater } from '../../lib/call-later.ts';
import { loadMarkdown } from './later-markdown.ts';

const contract = async () => (await import('#contract/status.ts')).statusEndpoints;

const readAgainMs = statusReadAgainSeconds * 1_000;

/** That the server is away is what this page is read for: it is reported at once, and asked on whatever the browser thinks. */
const always = { refetchInterval: readAgainMs, retry: false, networkMode: 'always' } as const;

/** What could not be read is asked for as often as the state itself. */
function every(ms: number) {
  return ({ state }: { state: { status: string } }) => (state.status === 'error' ? readAgainMs : ms);
}

/** Incidents are shown as they are meant at once, so that nothing moves afterwards. */
async function readable(incidents: Incident[]): Promise<void> {
  if (incidents.length > 0) await loadMarkdown();
}

export const statusOptions = queryOptions({
  queryKey: ['status'],
  queryFn: async ({ signal }) => {
    const report = await callLater(async () => (await contract()).getStatus, {}, signal);
    await readable(report.incidents);
    return report;
  },
  ...always,
});

export const historyOptions = queryOptions({
  queryKey: ['status', 'history'],
  queryFn: ({ signal }) => callLater(async () => (await contract()).getStatusHistory, {}, signal),
  ...always,
  refetchInterval: every(10 * readAgainMs),
});

export const incidentsOptions = queryOptions({
  queryKey: ['status', 'incidents'],
  queryFn: async ({ signal }) => {
    const { incidents } = await callLater(async () => (await contract()).listIncidents, {}, signal);
    await readable(incidents);
    return incidents;
  },
  ...always,
});

export function latencyOptions(range: LatencyRange) {
  return queryOptions({
    queryKey: ['status', 'latency', range],
    queryFn: ({ signal }) => callLater(async () => (await contract()).getStatusLatency, { range }, signal),
    ...always,
    refetchInterval: every(2 * readAgainMs),
  });
}
