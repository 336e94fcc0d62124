import type { Incident } from '#contract/status.ts';
import { statusEndpoints } from '#contract/status.ts';
import {
  getStatus,
  getStatusHistory,
  getStatusLatency,
  listIncidents,
  openIncident,
  resolveIncident,
  type StatusDependencies,
  updateIncident,
} from '#server/features/status/index.ts';
import { type Call, call } from './call-table.ts';

export interface StatusCallDependencies {
  status: StatusDependencies;
}

/** How the installation is, for everybody; incidents, written by the operator. */
export function statusCalls({ status }: StatusCallDependencies): Call[] {
  const told = async (writing: Promise<Incident>) => {
    const incident = await writing;
    status.cache.clear();
    return { incident };
  };
  return [
    call(statusEndpoints.getStatus, (ctx) => getStatus(ctx, status)),
    call(statusEndpoints.getStatusHistory, (ctx) => getStatusHistory(ctx, status)),
    call(statusEndpoints.getStatusLatency, (ctx, input) => getStatusLatency(ctx, input, status)),
    call(statusEndpoints.listIncidents, async (ctx) => ({ incidents: await listIncidents(ctx, status) })),
    call(statusEndpoints.openIncident, (ctx, input) => told(openIncident(ctx, input))),
    call(statusEndpoints.updateIncident, (ctx, input) => told(updateIncident(ctx, input))),
    call(statusEndpoints.resolveIncident, (ctx, input) => told(resolveIncident(ctx, input))),
  ];
}
