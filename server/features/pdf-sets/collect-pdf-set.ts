import * as limits from '#contract/limits.ts';
import { countOf } from '#contract/quantities.ts';
import { sourceRefused } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { sourceOfKind } from '#server/features/catalog/index.ts';
import { type Collect, type CollectRun, createReasonCounts } from '#server/features/indexing/index.ts';
import type { SpoolRecord } from '#server/ingest/build/spool.ts';
import { PdfError, type PdfParser } from '#server/ingest/pdf/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { blobPieces } from './blob-pieces.ts';
import { addressOf } from './names.ts';
import { findSet, listFiles, type Owner, type PdfFileRow, type PdfSetRow, writeFileOutcome } from './store.ts';

/** Files passed to the parser concurrently; the parser has its own limit for all runs of the process. */
const filesAtOnce = 2;
/** How often a long file's progress is stored. */
const progressEveryMs = 2_000;

/** Creates the collector of PDF sets, with a parser shared by all runs of the process. */
export function createPdfCollector({ parser }: { parser: PdfParser }): Collect {
  return async (ctx, lease, { settings, previous, spool, log, deps }) => {
    const { setId } = sourceOfKind(settings.source, 'pdf');
    const workspace = lease.row.workspace as Owner;
    const set = await findSet(ctx.db.query, workspace, setId);
    const files = set === undefined ? [] : await listFiles(ctx.db.query, [set.id]);
    if (set === undefined || files.length === 0) throw sourceRefused('The PDF set is empty or was removed.');
    const reasons = createReasonCounts();
    const counts = { found: files.length, fetched: 0, unchanged: 0, skipped: 0, failed: 0, contentBytes: 0 };
    let snippets = 0;
    const addresses = new Set(files.map(({ slug }) => addressOf(set.slug, slug)));
    const readBefore = await findReadBefore(spool, (url) => addresses.has(url), ctx.clock.now());
    const announce = () => announceChange(ctx.db, { collection: 'pdfSets', audience: workspace });
    const read = async (file: PdfFileRow): Promise<void> => {
      const before = readBefore.get(addressOf(set.slug, file.slug));
      if (before?.contentHash === file.contentHash && file.status === 'indexed') {
        counts.fetched += 1;
        counts.contentBytes += file.sizeBytes;
        snippets += before.snippets;
        return;
      }
      const parse = {
        parser,
        blobs: deps.blobs,
        signal: lease.signal,
        announce,
        owner: lease.row.startedByUserId ?? workspace,
      };
      const record = await recordOf(ctx, set, file, previous.recordOf, parse);
      counts.contentBytes += file.sizeBytes;
      if (record.status === 'page') counts.fetched += 1;
      else if (record.status === 'unchanged') counts.unchanged += 1;
      else {
        counts.failed += 1;
        const reason = record.reason ?? 'unreadable';
        reasons.add(reason, file.name);
        log.add({ address: file.name, status: 'failed', reason });
      }
      snippets += record.page?.snippets.length ?? 0;
      await spool.add(record);
      lease.report({ ...counts, snippets });
      announce();
    };
    await inTurns(files, filesAtOnce, read);
    if (counts.fetched + counts.unchanged === 0) throw sourceRefused(await whyNone(ctx, set));
    return { ...counts, skipReasons: JSON.stringify(reasons.list()) };
  };
}

interface Parse {
  parser: PdfParser;
  blobs: Parameters<typeof blobPieces>[0];
  signal: AbortSignal;
  announce: () => void;
  /** The owner whose share of the parser is used. */
  owner: string;
}

async function recordOf(
  ctx: Context,
  set: PdfSetRow,
  file: PdfFileRow,
  servedAs: (url: string) => { contentHash?: string; readBy?: string } | undefined,
  parse: Parse,
): Promise<SpoolRecord> {
  const { contentHash, sizeBytes } = file;
  const url = addressOf(set.slug, file.slug);
  const now = ctx.clock.now();
  const record = { url, depth: 0, contentHash, fetchedAt: now, contentBytes: sizeBytes };
  const served = servedAs(url);
  const isServed = served?.contentHash === contentHash && served.readBy === undefined;
  if (isServed && file.status === 'indexed') return { ...record, status: 'unchanged', links: [] };
  try {
    const parsed = await parseFile(ctx, file, url, parse);
    const { title, snippets } = parsed;
    return { ...record, status: 'page', title, links: [], page: { url, title, fetchedAt: now, contentHash, snippets } };
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    await writeFileOutcome(ctx.db.query, file.id, { status: 'failed', indexedPages: 0, lastError: error.message });
    return { ...record, status: 'failed', reason: error.code };
  }
}

async function parseFile(ctx: Context, file: PdfFileRow, url: string, { parser, blobs, announce, ...whose }: Parse) {
  let toldAt = ctx.clock.now();
  const onPage = (page: number, pageCount: number) => {
    if (ctx.clock.now() - toldAt < progressEveryMs) return;
    toldAt = ctx.clock.now();
    writeFileOutcome(ctx.db.query, file.id, { pageCount, indexedPages: page }).then(announce, (error: unknown) =>
      ctx.log.warn({ err: error }, 'the progress of a PDF file could not be written'),
    );
  };
  const task = {
    bytes: () => blobPieces(blobs, file.blobKey),
    byteLength: file.sizeBytes,
    options: { url, fileName: file.name, pagesMax: limits.pdfPagesPerFileMax },
  };
  const parsed = await parser.parse(task, { onPage, ...whose });
  const { title, language = null, pageCount, indexedPages } = parsed;
  const lastError = indexedPages >= pageCount ? null : whyNotWhole(pageCount, indexedPages);
  await writeFileOutcome(ctx.db.query, file.id, {
    ...{ status: 'indexed', title, language, pageCount, indexedPages, lastError },
  });
  return parsed;
}

function whyNotWhole(pageCount: number, indexedPages: number): string {
  const last = limits.pdfPagesPerFileMax;
  const isOver = pageCount > last;
  const causes = ['damaged', 'images, such as scans', ...(isOver ? [`after page ${last}, the limit`] : [])];
  return `${pageCount - indexedPages} of its ${countOf(pageCount, 'page')} could not be read. Causes: ${causes.join(' or ')}.`;
}

/**
 * Runs the work for all items with limited concurrency; after a failure no further ones start, and it throws once the
 * active ones have ended.
 */
async function inTurns<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const failures: unknown[] = [];
  const lane = async () => {
    for (let one = waiting.shift(); one !== undefined && failures.length === 0; one = waiting.shift()) {
      await work(one).catch((error: unknown) => void failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  if (failures.length > 0) throw failures[0];
}

async function whyNone(ctx: Context, set: PdfSetRow): Promise<string> {
  const [first] = (await listFiles(ctx.db.query, [set.id])).filter(({ lastError }) => lastError !== null);
  return first === undefined ? 'No file of the PDF set can be read.' : `${first.name}: ${first.lastError ?? ''}`;
}

/** A file that an earlier attempt has read into the spool. */
interface ReadBefore {
  contentHash: string | undefined;
  snippets: number;
}

/**
 * Returns the files that earlier attempts have read, by address, so that a restart of the server does not start a large
 * set over. Files no longer in the set are marked as skipped in the spool, so that they are not indexed.
 */
async function findReadBefore(
  spool: CollectRun['spool'],
  isInSet: (url: string) => boolean,
  now: number,
): Promise<Map<string, ReadBefore>> {
  const read = new Map<string, ReadBefore>();
  const gone = new Set<string>();
  for await (const { url, status, contentHash, page } of spool.earlier()) {
    if (!isInSet(url)) gone.add(url);
    else if (status === 'page') read.set(url, { contentHash, snippets: page?.snippets.length ?? 0 });
    // Only the newest record of an address counts.
    else read.delete(url);
  }
  for (const url of gone) await spool.add({ url, status: 'skipped', depth: 0, fetchedAt: now, contentBytes: 0 });
  return read;
}
