import { SearchClusterError } from './search-cluster.ts';

/** An error of the client: an unsuccessful response has a status, all other errors mean that there was no response. */
interface ClientFault {
  name: string;
  message: string;
  statusCode?: number | undefined;
  body?: { error?: { type?: string; reason?: string } | string } | undefined;
}

const unanswered = new Set(['ConnectionError', 'TimeoutError', 'NoLivingConnectionsError', 'RequestAbortedError']);

/** Reported with status 500 while a node is leaving: another copy serves the next request. */
const nodeGone = new Set([
  'node_closed_exception',
  'node_disconnected_exception',
  'node_not_connected_exception',
  'receive_timeout_transport_exception',
  'search_phase_execution_exception',
  'send_request_transport_exception',
]);

/** Returns the HTTP status of an error; undefined if there was no response. */
export function statusOf(error: unknown): number | undefined {
  return (error as ClientFault | undefined)?.statusCode;
}

/** Returns the cluster's error type, such as `index_not_found_exception`. */
export function typeOf(error: unknown): string | undefined {
  const named = (error as ClientFault | undefined)?.body?.error;
  return typeof named === 'object' ? named.type : undefined;
}

/** Returns true if the same request may succeed in a moment. */
export function isPassing(error: unknown): boolean {
  const status = statusOf(error);
  if (status === 500) return nodeGone.has(typeOf(error) ?? '');
  // Full disks are reported as 429, but stay full.
  if (isBlocked(error)) return false;
  if (status !== undefined) return status === 429 || status === 502 || status === 503 || status === 504;
  return unanswered.has((error as ClientFault).name);
}

/**
 * Returns true if the cluster refuses writes. The same error with 503 means that it has no manager and is unavailable.
 */
function isBlocked(error: unknown): boolean {
  return typeOf(error) === 'cluster_block_exception' && statusOf(error) !== 503;
}

/** Converts an error of the client or the cluster to one sentence; never contains a password. */
export function translateClusterError(error: unknown, hosts: string): SearchClusterError {
  if (error instanceof SearchClusterError) return error;
  const { name, message } = error as ClientFault;
  const status = statusOf(error);
  const type = typeOf(error);
  const cause = { cause: error };
  if (status === undefined && unanswered.has(name)) {
    return new SearchClusterError(
      'unreachable',
      `The search cluster at ${hosts} does not answer (${message.split('\n')[0]}). Start its nodes, or correct LECTERN_SEARCH_URL.`,
      cause,
    );
  }
  if (isBlocked(error)) {
    return new SearchClusterError(
      'full',
      `The search cluster at ${hosts} accepts no writes: its disks are nearly full, or it is read-only. Free some space.`,
      cause,
    );
  }
  if (status === 401 || status === 403) {
    return new SearchClusterError(
      'refused',
      `The search cluster at ${hosts} rejects the user in LECTERN_SEARCH_URL (HTTP ${status}). Let them read the cluster's health and manage the indexes named by LECTERN_SEARCH_INDEX.`,
      cause,
    );
  }
  if (isPassing(error)) {
    return new SearchClusterError(
      'overloaded',
      `The search cluster at ${hosts} is overloaded or lacks a part of the index (HTTP ${status}). Check its health, or give it more nodes.`,
      cause,
    );
  }
  return new SearchClusterError(
    'failed',
    `The search cluster at ${hosts} failed: ${type ?? message.split('\n')[0]}${status === undefined ? '' : ` (HTTP ${status})`}.`,
    cause,
  );
}
