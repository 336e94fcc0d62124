import type { CollectRun } from '#server/features/indexing/index.ts';

/** What an attempt before this one has read of a file, which is in the spool. */
export interface ReadBefore {
  contentHash: string | undefined;
  snippets: number;
}

/**
 * The files that attempts before this one have read, by address: a large set is not read from its beginning again because the
 * server was restarted. What is not in the set any more is struck out of the spool, so that it does not get into the index.
 */
export async function findReadBefore(
  spool: CollectRun['spool'],
  isInSet: (url: string) => boolean,
  now: number,
): Promise<Map<string, ReadBefore>> {
  const read = new Map<string, ReadBefore>();
  const gone = new Set<string>();
  for await (const { url, status, contentHash, page } of spool.earlier()) {
    if (!isInSet(url)) gone.add(url);
    else if (status === 'page') read.set(url, { contentHash, snippets: page?.snippets.length ?? 0 });
    // The newest record of an address is the one that counts.
    else read.delete(url);
  }
  for (const url of gone) await spool.add({ url, status: 'skipped', depth: 0, fetchedAt: now, contentBytes: 0 });
  return read;
}
