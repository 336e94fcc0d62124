import { createHash, hash } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import { fileAddress } from '#server/features/catalog/index.ts';
import type { SpoolRecord } from '#server/ingest/build/spool.ts';
import { type FolderFile, type FolderPdf, includesOfFolder, walkFolder } from '#server/ingest/folder/index.ts';
import type { ReadIncluded } from '#server/ingest/formats/read-included.ts';
import { ParseError, type ParsePool } from '#server/ingest/parse/index.ts';
import { PdfError, type PdfParser } from '#server/ingest/pdf/index.ts';
import type { Collect, Coverage } from './collect.ts';
import type { PreviousVersion } from './previous-version.ts';
import { readPdfFile } from './read-pdf-file.ts';
import { createReasonCounts, sayLeftOut } from './reason-counts.ts';

const pdfLimits = { countMax: limits.pdfFilesPerSourceMax, bytesMax: limits.pdfFileBytesMax };
/** Files parsed concurrently: enough to keep the parser threads busy. */
const filesAtOnce = 8;

/**
 * Reads a folder's documentation files into the run's spool. A file with the same content as in the served version is
 * not parsed again; its links are taken from that version. Throws `source-refused` if the folder cannot be read or
 * contains no documentation.
 */
export const collectFolder: Collect = async (ctx, lease, { settings, previous, spool, log, deps }) => {
  const { url: root, maxPages } = settings.source;
  const reasons = createReasonCounts();
  const counts = { found: 0, fetched: 0, unchanged: 0, skipped: 0, failed: 0, contentBytes: 0 };
  let snippets = 0;
  const done = (): Omit<Coverage, 'skipReasons'> => ({ ...counts, skipped: reasons.total() - counts.failed });

  // Loaded when the first file is found.
  let included: Promise<ReadIncluded> | undefined;
  const withIncludes = async (file: Addressed<FolderFile>) => {
    included ??= includesOfFolder(root);
    return { ...file, bytes: await deps.parsePool.include({ ...file, read: await included }, lease.signal) };
  };
  const read = async (found: FolderFile | FolderPdf): Promise<void> => {
    const file = { ...found, url: fileAddress(lease.row.slug, found.path) };
    const reading = { previous, signal: lease.signal, now: ctx.clock.now() };
    const record =
      file.format === 'pdf'
        ? await recordOfPdf(file, deps.pdfParser, reading)
        : await recordOf(await withIncludes(file), deps.parsePool, reading);
    counts.contentBytes += record.contentBytes;
    if (record.status === 'page') counts.fetched += 1;
    else if (record.status === 'unchanged') counts.unchanged += 1;
    else {
      counts.failed += 1;
      const reason = record.reason ?? 'unreadable';
      reasons.add(reason, file.path);
      log.add({ address: file.path, status: 'failed', reason });
    }
    snippets += record.page?.snippets.length ?? 0;
    await spool.add(record);
    lease.report({ ...done(), snippets });
  };

  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let taken = 0;
  const onSkip = (path: string, reason: string) => {
    counts.found += 1;
    reasons.add(reason, path);
    log.add({ address: path, status: 'skipped', reason });
  };
  for await (const file of openFolder(root, { onSkip, signal: lease.signal, pdf: deps.pdfParser && pdfLimits })) {
    if (taken >= maxPages) {
      onSkip(file.path, 'page-limit');
      continue;
    }
    counts.found += 1;
    taken += 1;
    const reading: Promise<void> = read(file)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(reading));
    running.add(reading);
    if (running.size >= filesAtOnce) await Promise.race(running);
    if (failures.length > 0) break;
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
  if (counts.fetched + counts.unchanged === 0)
    throw refused(`There is no documentation in ${root}.${sayLeftOut(reasons.list())}`);
  return { ...done(), skipReasons: JSON.stringify(reasons.list()) };
};

async function* openFolder(
  root: string,
  options: Parameters<typeof walkFolder>[1],
): AsyncIterable<FolderFile | FolderPdf> {
  try {
    yield* walkFolder(root, options);
  } catch (error) {
    if (options?.signal?.aborted === true) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT') throw refused(`There is no folder ${root} on the server. Check its path.`, error);
    if (code === 'ENOTDIR')
      throw refused(`${root} is a file of a kind that can't be indexed alone. Give its folder.`, error);
    if (code === 'EACCES' || code === 'EPERM')
      throw refused(`The server's account cannot read the folder ${root}. Give it read access.`, error);
    throw error;
  }
}

type Addressed<File> = File & { url: string };

interface Reading {
  previous: PreviousVersion;
  signal: AbortSignal;
  now: number;
}

async function recordOf(
  file: Addressed<FolderFile>,
  parsePool: ParsePool,
  { previous, signal, now }: Reading,
): Promise<SpoolRecord> {
  const contentHash = hash('sha256', file.bytes, 'hex');
  const contentBytes = file.bytes.byteLength;
  const record = { url: file.url, depth: 0, contentHash, fetchedAt: now, contentBytes };
  const served = previous.recordOf(file.url);
  // Links are evidence for ranking other files: a file without stored links must be parsed again.
  if (served?.contentHash === contentHash && served.readBy === undefined && served.links !== undefined) {
    return { ...record, status: 'unchanged', links: [...served.links] };
  }
  try {
    const { url, bytes, format } = file;
    const { title, links, snippets } = await parsePool.parse({ url, bytes, format }, signal);
    const page = { url, title, fetchedAt: now, contentHash, snippets };
    return { ...record, status: 'page', title, links, page };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { ...record, status: 'failed', reason: error.code };
  }
}

/** Parses a PDF into a single page with an anchor for each PDF page. */
async function recordOfPdf(
  file: Addressed<FolderPdf>,
  parser: PdfParser | undefined,
  { previous, signal, now }: Reading,
): Promise<SpoolRecord> {
  const { url, path, byteLength, pieces } = file;
  const record = { url, depth: 0, fetchedAt: now, contentBytes: byteLength };
  try {
    const contentHash = await hashOf(pieces());
    const served = previous.recordOf(url);
    if (served?.contentHash === contentHash && served.readBy === undefined) {
      return { ...record, contentHash, status: 'unchanged', links: [] };
    }
    if (parser === undefined) return { ...record, status: 'failed', reason: 'unsupported-type' };
    const name = path.split('/').at(-1) ?? path;
    const { title, snippets } = await readPdfFile(parser, { url, name, byteLength, pieces, contentHash }, signal);
    const page = { url, title, fetchedAt: now, contentHash, snippets };
    return { ...record, contentHash, status: 'page', title, links: [], page };
  } catch (error) {
    if (error instanceof PdfError) return { ...record, status: 'failed', reason: error.code };
    const isFileError = error instanceof Error && 'code' in error && 'syscall' in error;
    if (!isFileError) throw error;
    return { ...record, status: 'failed', reason: 'unreadable' };
  }
}

async function hashOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const sha256 = createHash('sha256');
  for await (const piece of pieces) sha256.update(piece);
  return sha256.digest('hex');
}

function refused(reason: string, cause?: unknown): AppError {
  return new AppError('source-refused', { values: { reason }, cause });
}
