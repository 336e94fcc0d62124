import { queryOptions } from '@tanstack/react-query';
import type { Incident, LatencyRange } from '#contract/status.ts';
import { statusReadAgainSeconds } from '#contract/status-parts.ts';
import { callLater } from '../../lib/call-later.ts';
import { loadMarkdown } from './later-markdown.ts';

const contract = async () => (await import('#contract/status.ts')).statusEndpoints;

const readAgainMs = statusReadAgainSeconds * 1_000;

/**
 * Users open this page when the server may be down: a failure is shown immediately, and polling continues even if the
 * browser reports being offline.
 */
const always = { refetchInterval: readAgainMs, retry: false, networkMode: 'always' } as const;

/** After a failure, polls as often as the current state is polled. */
function every(ms: number) {
  return ({ state }: { state: { status: string } }) => (state.status === 'error' ? readAgainMs : ms);
}

/** Loads the Markdown component before incidents are shown, so that the layout does not shift. */
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
