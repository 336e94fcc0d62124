export { createAnswerCache } from './answer-cache.ts';
export type { StatusDependencies } from './dependencies.ts';
export { getStatus } from './get-status.ts';
export { getStatusHistory } from './get-status-history.ts';
export { getStatusLatency } from './get-status-latency.ts';
export { listIncidents, openIncident, resolveIncident, updateIncident } from './incidents.ts';
export { measureStatus } from './measure-status.ts';
export type { Status } from './open-status.ts';
export { pruneStatus } from './prune-status.ts';
