import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import * as limits from '#contract/limits.ts';
import { liveQueryNames } from '#contract/live.ts';
import { browserStorage, clearKept, keptStorageName } from './kept-storage.ts';

const saveAfterMs = 1_000;
// The session is never restored from the cache. All other cached queries are live and stay current.
const keptNames = new Set<unknown>(liveQueryNames.filter((name) => name !== 'session'));

type Entry = [key: readonly unknown[], data: unknown, updatedAt: number];

interface Kept {
  userId: string;
  /** Address of the program that wrote the entry: another version may use different response formats. */
  program: string;
  entries: Entry[];
}

/**
 * Shows cached data from this browser's storage until the server responds. Stores what the signed-in user reads, up to
 * `bytesMax`; 0 stores nothing. Keys and other secrets are never stored.
 */
export function useLocalCache(userId: string, bytesMax: number): void {
  const client = useQueryClient();
  useEffect(() => {
    const storage = browserStorage();
    if (storage === undefined) return;
    if (bytesMax === 0) return clearKept(storage);
    return keepLocally(client, storage, { userId, program: import.meta.url, bytesMax });
  }, [client, userId, bytesMax]);
}

/** Restores this user's cached data, then stores what they read; returns a function that stops it. */
export function keepLocally(
  client: QueryClient,
  storage: Storage,
  { userId, program, bytesMax }: { userId: string; program: string; bytesMax: number },
): () => void {
  const kept = readKept(storage);
  if (kept?.userId === userId && kept.program === program) {
    for (const [key, data, updatedAt] of kept.entries) {
      if (client.getQueryData(key) !== undefined) continue;
      client.setQueryData(key, data, { updatedAt });
      // The data may have changed since, and live events begin with this visit. A search costs credits, so it is
      // repeated only on request.
      const refetchType = key[0] === 'search' ? 'none' : 'active';
      void client.invalidateQueries({ queryKey: key, exact: true, refetchType }, { cancelRefetch: false });
    }
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = () => {
    timer = undefined;
    write(storage, { userId, program, entries: entriesOf(client, Math.max(bytesMax, limits.localCacheBytesMin)) });
  };
  const unsubscribe = client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && keptNames.has(query.queryKey[0])) timer ??= setTimeout(save, saveAfterMs);
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}

/** Returns the newest entries that fit. */
function entriesOf(client: QueryClient, bytesMax: number): Entry[] {
  const read = client
    .getQueryCache()
    .getAll()
    .filter(({ queryKey, state }) => keptNames.has(queryKey[0]) && state.status === 'success')
    .map(({ queryKey, state }): Entry => [queryKey, state.data, state.dataUpdatedAt])
    .sort(([, , one], [, , other]) => other - one);
  const entries: Entry[] = [];
  let bytes = 0;
  for (const entry of read) {
    bytes += new TextEncoder().encode(JSON.stringify(entry)).byteLength;
    if (bytes > bytesMax) break;
    entries.push(entry);
  }
  return entries;
}

function readKept(storage: Storage): Kept | undefined {
  try {
    return JSON.parse(storage.getItem(keptStorageName) ?? 'null') as Kept | undefined;
  } catch {
    // Overwritten by other code: treated as empty.
    return undefined;
  }
}

function write(storage: Storage, kept: Kept): void {
  try {
    storage.setItem(keptStorageName, JSON.stringify(kept));
  } catch {
    // Storage is full or disabled: an outdated copy would be worse than none.
    clearKept(storage);
  }
}
