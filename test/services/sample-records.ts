import { createHash } from 'node:crypto';
import type { PageRecord, Snippet } from '#server/engine/index.ts';
import { joinSpoolLines, packSpoolLines, type SpoolRecord, toSpoolLine } from '#server/ingest/build/spool.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';

/** Test support: a page of one passage. An empty text makes a page without passages. */
export function samplePage(url: string, text: string): PageRecord {
  const contentHash = createHash('sha256').update(text).digest('hex');
  const snippet: Snippet = {
    id: `${url} ${contentHash}`,
    anchor: '',
    headingPath: [],
    kind: 'prose',
    identifiers: [],
    text,
    tokens: text.split(' ').length,
  };
  return { url, title: `Title of ${url}`, fetchedAt: 1, contentHash, snippets: text === '' ? [] : [snippet] };
}

/** Test support: the record of a fetched page. */
export function sampleRecord(url: string, text: string): SpoolRecord {
  const page = samplePage(url, text);
  const links = [{ url: 'https://docs.example/other', text: 'the other page', fromContent: true }];
  const { contentHash } = page;
  return { url, status: 'page', depth: 0, fetchedAt: 1, contentBytes: text.length, contentHash, links, page };
}

/** Test support: stores the records as one chunk and returns its key. */
export async function storeChunk(blobs: Blobs, key: string, records: SpoolRecord[]): Promise<string> {
  await blobs.put(key, await packSpoolLines(joinSpoolLines(records.map(toSpoolLine))));
  return key;
}
