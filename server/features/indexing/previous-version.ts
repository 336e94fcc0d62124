import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import { isHidden, type Segment } from '#server/engine/index.ts';
import {
  findSegments,
  hiddenPagesOf,
  isDamage,
  type ModuleRow,
  type OpenShelf,
  segmentIdsOf,
} from '#server/features/catalog/index.ts';
import { type CrawlFile, openCrawlFile } from '#server/ingest/build/crawl-file.ts';
import type { PreviousPage } from '#server/ingest/crawl/index.ts';
import { parserVersion } from '#server/ingest/parser-version.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';

/** The served version of a module, as a refresh needs it. */
export interface PreviousVersion {
  isServed: boolean;
  /** Number of pages that a refresh without changes finds unchanged: those served, and those without text. */
  knownCount: number;
  /** Blob keys of the segments, oldest first. */
  blobKeys: string[];
  /** Returns a page's record from the last crawl, only if exactly that version of the page is served. */
  recordOf(url: string): PreviousPage | undefined;
  /** Addresses of all pages served. */
  urls(): string[];
  /** Closes its files. */
  close(): void;
}

/** A few milliseconds of work. */
const pagesAtOnce = 200;

/** Returns the blob key of the records (without texts) of a module's last complete crawl. */
export function crawlKeyOf(moduleRowId: string): string {
  return `crawls/${moduleRowId}.zst`;
}

/** Returns an empty version for a module without a usable one: everything is read again. */
export function noPreviousVersion(): PreviousVersion {
  return {
    isServed: false,
    knownCount: 0,
    blobKeys: [],
    recordOf: () => undefined,
    urls: () => [],
    close: () => undefined,
  };
}

/**
 * Opens the served version of a module. Keeps each page's address and hash in memory, but no text. Damaged segments
 * count as missing, so that indexing the module again repairs it.
 */
export async function openPreviousVersion(
  ctx: Context,
  module: ModuleRow,
  blobs: Blobs,
  shelf: OpenShelf,
): Promise<PreviousVersion> {
  const segmentIds = segmentIdsOf(module);
  if (segmentIds.length === 0) return noPreviousVersion();
  try {
    const rows = new Map((await findSegments(ctx.db.query, segmentIds)).map((row) => [row.id, row.blobKey]));
    const segments = await shelf.openSegments(segmentIds, rows);
    const served = await hashesOf(segments);
    const crawl = await openCrawl(ctx, blobs, crawlKeyOf(module.id));
    return versionOf({ served, crawl, blobKeys: segmentIds.flatMap((id) => rows.get(id) ?? []) });
  } catch (error) {
    if (!isDamage(error)) throw error;
    ctx.log.warn(
      { err: error, moduleId: module.slug },
      'the served version of a module is damaged; all pages are read again',
    );
    return noPreviousVersion();
  }
}

function versionOf(parts: {
  served: Map<string, string>;
  crawl: CrawlFile | undefined;
  blobKeys: string[];
}): PreviousVersion {
  const { served, crawl, blobKeys } = parts;
  const recordOf = (url: string) => {
    const page = crawl?.find(url);
    const isCurrent =
      page?.isEmpty === true || page?.goneFor !== undefined ? !served.has(url) : page?.contentHash === served.get(url);
    return page !== undefined && isCurrent ? page : undefined;
  };
  return {
    isServed: served.size > 0,
    knownCount: served.size + (crawl?.emptyCount ?? 0),
    blobKeys,
    recordOf(url) {
      const page = recordOf(url);
      if (page === undefined) return undefined;
      const { etag, lastModified, contentHash, links, isEmpty, needsScripts, isUnread, goneFor } = page;
      const readBy = page.readBy === parserVersion() ? undefined : (page.readBy ?? '');
      return { etag, lastModified, contentHash, links, isEmpty, needsScripts, isUnread, goneFor, readBy };
    },
    urls: () => [...served.keys()],
    close: () => crawl?.close(),
  };
}

async function hashesOf(segments: Segment[]): Promise<Map<string, string>> {
  const hidden = hiddenPagesOf(segments);
  const served = new Map<string, string>();
  for (const [index, segment] of segments.entries()) {
    for (let page = 0; page < segment.pageCount; page += 1) {
      if (isHidden(hidden[index], page)) continue;
      const { url, contentHash, snippetCount } = segment.page(page);
      if (snippetCount > 0) served.set(url, contentHash);
      // There may be thousands of pages; let requests run in between.
      if (page % pagesAtOnce === pagesAtOnce - 1) await yieldToOthers();
    }
  }
  return served;
}

/**
 * Opens the records of the last crawl; without them every page is requested as if it were new, which is only slower.
 */
async function openCrawl(ctx: Context, blobs: Blobs, key: string): Promise<CrawlFile | undefined> {
  if (!(await blobs.exists(key))) return undefined;
  const blob = await blobs.open(key);
  try {
    return openCrawlFile(blob);
  } catch (error) {
    blob.close();
    ctx.log.warn({ err: error, key }, 'the records of the last crawl are damaged');
    return undefined;
  }
}
