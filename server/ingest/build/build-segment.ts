import {
  createByteCache,
  type FoundTerms,
  openSegment,
  type PageRecord,
  type Segment,
  SegmentBuilder,
} from '#server/engine/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import type { RecordLink } from '../crawl/crawl-types.ts';
import { isGone } from '../gone.ts';
import type { BuildResult, BuildTask } from './build-task.ts';
import { CrawlFileWriter } from './crawl-file.ts';
import { PreparedPages } from './prepared-pages.ts';
import { decodeSpoolChunk, readBlob, readSpoolLines, type SpoolRecord } from './spool.ts';

/** Cache size per base segment: each of its pages is read once, in order. */
const readOnceBytes = 4 * 1024 * 1024;

/**
 * Builds one segment from a run's records and stores it. Reads the chunks twice, one at a time: first to find each
 * address's last record and the texts of links between pages, then to add the pages. Calls `onStep` after each chunk.
 * `prepared` only affects the time, never the result. If it throws, no segment is stored.
 */
export async function buildSegment(
  blobs: Blobs,
  task: BuildTask,
  onStep: () => void = () => undefined,
  prepared = new PreparedPages(),
): Promise<BuildResult> {
  const inbound = createInboundAnchors();
  const lastAt = new Map<string, number>();
  for await (const { record, place } of recordsOf(blobs, task, onStep, prepared)) {
    lastAt.set(record.url, place);
    inbound.add(record);
  }
  const base = await openBase(blobs, task.baseKeys);
  try {
    const builder = new SegmentBuilder();
    const crawl = new CrawlFileWriter();
    const totals = { pageCount: 0, snippetCount: 0, tokenCount: 0 };
    for await (const { record, place, found } of recordsOf(blobs, task, onStep, prepared)) {
      if (lastAt.get(record.url) !== place) continue;
      const page = pageOf(record, base, task.kind);
      const isRead = record.status === 'page' || record.status === 'unchanged';
      // A failing page's hash and links are kept too, because the next run may need them.
      if (isRead || record.status === 'failed') crawl.add(record, page === undefined || page.snippets.length === 0);
      // A page without snippets hides the one in the base; a whole segment has no base, so it does not need it.
      if (page === undefined || (page.snippets.length === 0 && task.kind === 'whole')) continue;
      const anchors = inbound.of(page.url);
      builder.addPage(anchors.length > 0 ? { ...page, inboundAnchors: anchors } : page, found);
      if (page.snippets.length > 0) totals.pageCount += 1;
      totals.snippetCount += page.snippets.length;
      for (const snippet of page.snippets) totals.tokenCount += snippet.tokens;
    }
    const byteCount = await blobs.put(task.segmentKey, builder.finishChunks());
    onStep();
    if (task.crawlKey !== undefined) await blobs.put(task.crawlKey, crawl.finish());
    return { ...totals, byteCount };
  } finally {
    for (const { close } of base) close();
  }
}

interface OpenedBase {
  segment: Segment;
  close(): void;
}

/** Yields all records with their position in creation order. */
async function* recordsOf(
  blobs: Blobs,
  task: BuildTask,
  onStep: () => void,
  prepared: PreparedPages,
): AsyncGenerator<{ record: SpoolRecord; place: number; found: FoundTerms | undefined }> {
  let place = 0;
  for (const key of task.chunkKeys) {
    const lines = task.unwritten?.get(key);
    const records = lines === undefined ? decodeSpoolChunk(await readBlob(blobs, key)) : readSpoolLines(lines);
    for (const [index, record] of records.entries()) {
      place += 1;
      yield { record, place, found: prepared.of(key, index) };
    }
    onStep();
  }
}

async function openBase(blobs: Blobs, keys: string[]): Promise<OpenedBase[]> {
  const opened: OpenedBase[] = [];
  try {
    for (const key of [...keys].reverse()) {
      const blob = await blobs.open(key);
      opened.push({ segment: openSegment(blob, createByteCache(readOnceBytes)), close: () => blob.close() });
    }
    return opened;
  } catch (error) {
    for (const { close } of opened) close();
    throw error;
  }
}

/** Returns a record's page: its own, or the newest one in the base if it is unchanged or could not be read. */
function pageOf(record: SpoolRecord, base: OpenedBase[], kind: BuildTask['kind']): PageRecord | undefined {
  if (record.status === 'page') return record.page;
  if (kind === 'changes') return undefined;
  const isUnread = isInTrouble(record);
  if (record.status !== 'unchanged' && !isUnread) return undefined;
  for (const { segment } of base) {
    const index = segment.findPage(record.url);
    if (index === undefined) continue;
    const { url, title, contentHash, revision, ...page } = segment.page(index);
    return {
      url,
      title,
      // A page reused without a request has no read time in its record.
      fetchedAt: isUnread || record.fetchedAt === 0 ? page.fetchedAt : record.fetchedAt,
      etag: record.etag ?? page.etag,
      lastModified: record.lastModified ?? page.lastModified,
      contentHash,
      revision,
      snippets: segment.pageSnippets(index),
    };
  }
  return undefined;
}

function isInTrouble(record: SpoolRecord): boolean {
  return record.status === 'failed' && !isGone(record.reason);
}

const anchorsPerPageMax = 8;
const distinctTextsMax = 64;
const anchorCharactersMax = 80;
/** Link texts that do not name a subject. */
const emptyTexts = new Set([
  'here',
  'link',
  'next',
  'previous',
  'prev',
  'up',
  'home',
  'top',
  'index',
  'contents',
  'source',
  'more',
  'read more',
]);

/**
 * Collects the texts with which a module's other pages link to a page. Ignores navigation, which has the same links on
 * every page.
 */
function createInboundAnchors(): { add(record: SpoolRecord): void; of(url: string): string[] } {
  const texts = new Map<string, Map<string, number>>();
  return {
    add(record) {
      for (const link of record.links ?? []) {
        const target = withoutFragment(link.url);
        const text = nameIn(link);
        if (link.fromContent && target !== record.url && text !== undefined) count(texts, target, text);
      }
    },
    /** Returns the texts of links to the page, most frequent first. */
    of(url) {
      return [...(texts.get(url) ?? [])]
        .sort(([textA, a], [textB, b]) => b - a || (textA < textB ? -1 : 1))
        .slice(0, anchorsPerPageMax)
        .map(([text]) => text);
    },
  };
}

/** Returns undefined if the link text does not name the target. */
function nameIn({ text }: RecordLink): string | undefined {
  const name = text.trim().replace(/\s+/g, ' ');
  const isName = name.length >= 2 && name.length <= anchorCharactersMax && !emptyTexts.has(name.toLowerCase());
  return isName ? name : undefined;
}

function count(texts: Map<string, Map<string, number>>, target: string, text: string): void {
  const counts = texts.get(target) ?? new Map<string, number>();
  if (counts.has(text) || counts.size < distinctTextsMax) counts.set(text, (counts.get(text) ?? 0) + 1);
  texts.set(target, counts);
}

function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash < 0 ? url : url.slice(0, hash);
}
