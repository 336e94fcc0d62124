import { type AppError, sourceRefused } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type SourceOf, sourceOfKind } from '#server/features/catalog/index.ts';
import {
  type Collect,
  type CollectRun,
  type Coverage,
  createReasonCounts,
  type JobLease,
  type ReasonCount,
  readPdfFile,
  sayLeftOut,
} from '#server/features/indexing/index.ts';
import type { SpoolRecord } from '#server/ingest/build/spool.ts';
import { ParseError } from '#server/ingest/parse/index.ts';
import { PdfError } from '#server/ingest/pdf/index.ts';
import { type BlobReader, type FetchedTree, parseRemote } from '#server/platform/git/index.ts';
import { inTurn } from '#server/platform/in-turn.ts';
import { type ChosenFile, chooseFiles } from './choose-files.ts';
import type { RepositoryDependencies } from './dependencies.ts';
import { fetchIncluded } from './fetch-included.ts';
import { type Content, contentOf, hashOf } from './file-content.ts';
import { findPlace, remoteOf } from './find-place.ts';
import { checkEveryMs, noteFetched } from './store.ts';

/** Files parsed concurrently: enough to keep the parser threads busy. */
const filesAtOnce = 8;
const pieceBytes = 1_048_576;

/**
 * Creates the collector that reads the files of a repository's newest revision into the run's spool. Only contents
 * missing in the served version are fetched and parsed, determined by comparing trees: the history is irrelevant, and
 * may have been rewritten. Throws GitError, OutboundError, or `source-refused` if there is nothing to read.
 */
export function createRepositoryCollector(deps: RepositoryDependencies): Collect {
  return async (ctx, lease, run) => {
    const source = sourceOfKind(run.settings.source, 'git');
    const remote = await remoteOf(ctx, source, { workspace: lease.row.workspace, readsFiles: true }, deps);
    const place = await findPlace(remote, source, deps, lease.signal);
    const { ref, folder } = place;
    const tree = await deps.git.fetchTree(remote, { ref, folder, signal: lease.signal });
    try {
      const { moduleId } = lease.row;
      const { revision } = tree.ref;
      if (moduleId !== null) {
        const nextCheckAt = ctx.clock.now() + checkEveryMs;
        await noteFetched(ctx.db.query, { moduleId, source, revision, jobId: lease.row.id, nextCheckAt });
      }
      const addressOf = createPageAddresses(source.url, tree.ref, folder);
      return await readTree(ctx, lease, run, { tree, source, addressOf, folder });
    } finally {
      await tree.close();
    }
  };
}

interface Reading {
  tree: FetchedTree;
  source: SourceOf<'git'>;
  folder: string | undefined;
  addressOf(path: string): string;
}

async function readTree(ctx: Context, lease: JobLease, run: CollectRun, reading: Reading) {
  const { tree, source, addressOf, folder } = reading;
  const reasons = createReasonCounts();
  const counts = { found: 0, fetched: 0, unchanged: 0, skipped: 0, failed: 0, contentBytes: 0 };
  let snippets = 0;
  const done = (): Omit<Coverage, 'skipReasons'> => ({ ...counts, skipped: reasons.total() - counts.failed });
  const leave = (path: string, reason: string, status: 'skipped' | 'failed' = 'skipped') => {
    reasons.add(reason, path);
    run.log.add({ address: path, status, reason });
  };
  const chosen = await chooseFiles(tree.entries, leave);
  const files = chosen.slice(0, source.maxPages);
  for await (const { path } of inTurn(chosen.slice(source.maxPages))) leave(path, 'page-limit');
  counts.found = files.length + reasons.total();
  lease.report({ ...done(), snippets });

  const served = new Set(run.previous.urls());
  const changed: ChosenFile[] = [];
  const keep = async (file: ChosenFile, contentHash: string): Promise<boolean> => {
    const record = unchangedRecord(contentHash, addressOf(file.path), ctx.clock.now(), run);
    if (record === undefined) return false;
    const reason = passedOverFor(record);
    if (reason === undefined) counts.unchanged += 1;
    else leave(file.path, reason);
    await run.spool.add(record);
    return true;
  };
  for (const file of files) if (!(await keep(file, hashOf(file)))) changed.push(file);
  lease.report({ ...done(), snippets });
  await tree.fetchBlobs([...new Set(changed.map(({ id }) => id))]);
  const includes = await fetchIncluded(tree, folder, changed, { ...run.deps, signal: lease.signal });

  const read = async (file: ChosenFile, blobs: BlobReader) => {
    const content = await contentOf(file, blobs);
    if (typeof content === 'string') {
      leave(file.path, content);
      const url = addressOf(file.path);
      // Served pages must disappear; for other files, remember that they need not be fetched again.
      if (!served.has(url)) await run.spool.add(passedOver(file, url, ctx.clock.now(), content));
      return;
    }
    const take = async () => {
      const contentHash = await includes(file, content, blobs);
      if (await keep(file, contentHash)) return;
      const url = addressOf(file.path);
      const record = await parse(file, content, { ctx, lease, run, url, revision: tree.ref.revision, contentHash });
      counts.contentBytes += record.contentBytes;
      if (record.status === 'page') counts.fetched += 1;
      else {
        counts.failed += 1;
        leave(file.path, record.reason ?? 'unreadable', 'failed');
      }
      snippets += record.page?.snippets.length ?? 0;
      await run.spool.add(record);
      lease.report({ ...done(), snippets });
    };
    if (content.format !== 'pdf') return take;
    // One at a time: a large PDF stays in memory until its parser has it.
    await take();
  };
  await readAll(changed, tree, read, lease.signal);
  if (counts.fetched + counts.unchanged === 0) throw nothingToRead(source, reasons.list());
  return { ...done(), skipReasons: JSON.stringify(reasons.list()) };
}

/** Reads contents one after another, and parses several concurrently. */
async function readAll(
  files: ChosenFile[],
  tree: FetchedTree,
  read: (file: ChosenFile, blobs: BlobReader) => Promise<(() => Promise<void>) | void>,
  signal: AbortSignal,
): Promise<void> {
  if (files.length === 0) return;
  const blobs = tree.openBlobs();
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  try {
    for (const file of files) {
      signal.throwIfAborted();
      const work = await read(file, blobs);
      if (work === undefined) continue;
      const working: Promise<void> = work()
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(working));
      running.add(working);
      if (running.size >= filesAtOnce) await Promise.race(running);
      if (failures.length > 0) break;
    }
  } finally {
    await Promise.all(running);
    blobs.close();
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Returns the record of an unchanged file. Links are evidence for ranking other files: a file without stored links must
 * be parsed again.
 */
function unchangedRecord(
  contentHash: string,
  url: string,
  now: number,
  { previous }: CollectRun,
): SpoolRecord | undefined {
  const served = previous.recordOf(url);
  if (served?.contentHash !== contentHash || served.readBy !== undefined || served.links === undefined)
    return undefined;
  const record = { url, depth: 0, contentHash, fetchedAt: now, contentBytes: 0, etag: served.etag };
  return { ...record, status: 'unchanged', links: [...served.links] };
}

const passedOverPrefix = 'passed-over:';

/** Returns the record of a file that is in no segment; `etag`, the validator of site pages, holds the reason. */
function passedOver(file: ChosenFile, url: string, now: number, reason: string): SpoolRecord {
  const record = { url, depth: 0, contentHash: hashOf(file), fetchedAt: now, contentBytes: 0, links: [] };
  return { ...record, status: 'unchanged', etag: `${passedOverPrefix}${reason}` };
}

function passedOverFor({ etag }: SpoolRecord): string | undefined {
  return etag?.startsWith(passedOverPrefix) === true ? etag.slice(passedOverPrefix.length) : undefined;
}

async function parse(
  file: ChosenFile,
  { bytes, format }: Content,
  from: { ctx: Context; lease: JobLease; run: CollectRun; url: string; revision: string; contentHash: string },
): Promise<SpoolRecord> {
  const { ctx, lease, run, url, revision, contentHash } = from;
  const { parsePool, pdfParser } = run.deps;
  const now = ctx.clock.now();
  const record = { url, depth: 0, contentHash, fetchedAt: now, contentBytes: bytes.byteLength };
  try {
    if (format === 'pdf') {
      if (pdfParser === undefined) return { ...record, status: 'failed', reason: 'unsupported-type' };
      const pdf = { url, name: file.path.split('/').at(-1) ?? file.path, byteLength: bytes.byteLength, contentHash };
      const { title, snippets } = await readPdfFile(pdfParser, { ...pdf, pieces: () => piecesOf(bytes) }, lease.signal);
      const page = { url, title, fetchedAt: now, contentHash, revision, snippets };
      return { ...record, status: 'page', title, links: [], page };
    }
    const { title, links, snippets } = await parsePool.parse({ url, path: file.path, bytes, format }, lease.signal);
    const page = { url, title, fetchedAt: now, contentHash, revision, snippets };
    return { ...record, status: 'page', title, links, page };
  } catch (error) {
    if (!(error instanceof ParseError) && !(error instanceof PdfError)) throw error;
    return { ...record, status: 'failed', reason: error.code };
  }
}

/** Splits the bytes, because each piece is a message to the parser. */
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
}

function nothingToRead({ url, folder }: SourceOf<'git'>, leftOut: ReasonCount[]): AppError {
  const where = folder === undefined ? url : `the folder ${folder} of ${url}`;
  const reason = `There is nothing to read in ${where}: no documentation and no text.${sayLeftOut(leftOut)}`;
  return sourceRefused(reason);
}

/** Formats of file addresses at known hosts. */
const forms: { matches: RegExp; address: (repository: string, ref: string, path: string) => string }[] = [
  { matches: /^github\.com$/, address: (repository, ref, path) => `${repository}/blob/${ref}/${path}` },
  { matches: /^gitlab\./, address: (repository, ref, path) => `${repository}/-/blob/${ref}/${path}` },
  { matches: /^bitbucket\.org$/, address: (repository, ref, path) => `${repository}/src/${ref}/${path}` },
];
const byBranchOrTag = /^(?:codeberg\.org|(?:gitea|forgejo)\..+)$/;

/**
 * Returns a function for files' addresses: the page at the host if its format is known, else
 * `https://host/path.git/ref/file`, which is as stable and readable, and which a read finds in the index.
 */
function createPageAddresses(
  url: string,
  ref: { kind: 'branch' | 'tag'; name: string },
  folder: string | undefined,
): (path: string) => string {
  const remote = parseRemote(url);
  const host = remote.kind === 'web' ? remote.url.host : remote.hostname;
  const bare = (remote.kind === 'web' ? remote.url.pathname : encoded(remote.path))
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.git$/, '');
  const scheme = remote.kind === 'web' ? remote.url.protocol : 'https:';
  const repository = `${scheme}//${host}/${bare}`;
  const name = encoded(ref.name);
  const place = folder === undefined ? '' : `${encoded(folder)}/`;
  const form = forms.find(({ matches }) => matches.test(host));
  if (form) return (path) => form.address(repository, name, `${place}${encoded(path)}`);
  if (byBranchOrTag.test(host)) return (path) => `${repository}/src/${ref.kind}/${name}/${place}${encoded(path)}`;
  return (path) => `${repository}.git/${name}/${place}${encoded(path)}`;
}

/** Escapes characters that would end a path; all others stay readable. */
function encoded(path: string): string {
  return encodeURI(path).replace(/[?#]/g, encodeURIComponent);
}
