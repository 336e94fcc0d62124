import { setTimeout as delay } from 'node:timers/promises';
import type { API, Client } from '@opensearch-project/opensearch';
import { isPassing, statusOf } from './cluster-errors.ts';
import { SearchClusterError, type WriteControl } from './search-cluster.ts';

/** A snippet in the bulk format: action and document. */
export type BulkEntry = [action: string, document: string];

export interface BulkLimits {
  entriesMax: number;
  entriesMin: number;
  bytesMax: number;
  /** Most attempts at one part before writing fails. */
  attemptsMax: number;
  pauseMs: number;
  pauseMsMax: number;
}

// Such clusters ingest a few megabytes per request fastest; a part that fails ten times over four minutes is not a load
// peak.
export const bulkLimits: BulkLimits = {
  entriesMax: 1_000,
  entriesMin: 25,
  bytesMax: 4_000_000,
  attemptsMax: 10,
  pauseMs: 500,
  pauseMsMax: 60_000,
};

const bulkTimeoutMs = 120_000;

/**
 * Sends all entries in parts, one request at a time. While the cluster is busy, the rest of a part waits, with growing
 * pauses, and is sent in smaller parts, which grow again as the cluster recovers. Throws for entries that cannot be
 * written.
 */
export async function writeBulk(
  client: Client,
  entries: Iterable<BulkEntry>,
  { signal, onProgress }: WriteControl = {},
  limits: BulkLimits = bulkLimits,
): Promise<number> {
  let size = limits.entriesMax;
  let written = 0;
  let pending: BulkEntry[] = [];
  const source = entries[Symbol.iterator]();
  let isExhausted = false;
  let failures = 0;
  while (!isExhausted || pending.length > 0) {
    signal?.throwIfAborted();
    isExhausted = fill(pending, source, size, limits.bytesMax, isExhausted);
    if (pending.length === 0) break;
    const part = takePart(pending, size, limits.bytesMax);
    const refused = await sendPart(client, part, signal);
    written += part.length - refused.length;
    pending = [...refused, ...pending.slice(part.length)];
    if (refused.length < part.length) {
      failures = 0;
      await onProgress?.(written);
    }
    if (refused.length === 0) {
      size = Math.min(limits.entriesMax, Math.ceil(size * 1.25));
      continue;
    }
    failures += 1;
    if (failures >= limits.attemptsMax) throw new SearchClusterError('overloaded', overloaded);
    size = Math.max(limits.entriesMin, Math.floor(size / 2));
    const pause = Math.min(limits.pauseMsMax, limits.pauseMs * 2 ** (failures - 1));
    await delay(pause * (0.5 + Math.random() / 2), undefined, signal === undefined ? {} : { signal });
  }
  return written;
}

const overloaded =
  'The search cluster accepts no more writes for now. They are retried; give it more nodes or faster disks if this continues.';

/** Reads ahead until a part is full; returns true if the source has ended. */
function fill(
  pending: BulkEntry[],
  source: Iterator<BulkEntry>,
  size: number,
  bytesMax: number,
  isExhausted: boolean,
): boolean {
  let bytes = pending.reduce((sum, entry) => sum + bytesOf(entry), 0);
  while (!isExhausted && pending.length < size && bytes < bytesMax) {
    const next = source.next();
    if (next.done === true) return true;
    pending.push(next.value);
    bytes += bytesOf(next.value);
  }
  return isExhausted;
}

function takePart(pending: readonly BulkEntry[], size: number, bytesMax: number): BulkEntry[] {
  const part: BulkEntry[] = [];
  let bytes = 0;
  for (const entry of pending) {
    bytes += bytesOf(entry);
    if (part.length === size || (part.length > 0 && bytes > bytesMax)) break;
    part.push(entry);
  }
  return part;
}

function bytesOf([action, document]: BulkEntry): number {
  return action.length + document.length;
}

interface BulkItem {
  index: { status: number; error?: { type: string; reason?: string } };
}

/** Sends a part; returns the entries that can be retried in a moment. */
async function sendPart(client: Client, part: BulkEntry[], signal: AbortSignal | undefined): Promise<BulkEntry[]> {
  let items: BulkItem[];
  try {
    // Preserialized lines are sent as they are, which the declared type does not allow for.
    const lines = part.flat() as unknown as API.Bulk_RequestBody;
    const { body } = await client.bulk({ body: lines }, { requestTimeout: bulkTimeoutMs, maxRetries: 2 });
    items = body.items as unknown as BulkItem[];
  } catch (error) {
    signal?.throwIfAborted();
    // A request that is too large succeeds in smaller parts.
    if (isPassing(error) || (statusOf(error) === 413 && part.length > 1)) return part;
    throw error;
  }
  return part.filter((_, at) => {
    const { status, error } = (items[at] as BulkItem).index;
    if (error === undefined) return false;
    const fault = Object.assign(new Error(error.reason ?? error.type), { statusCode: status, body: { error } });
    if (isPassing(fault)) return true;
    throw fault;
  });
}
