import { nameLine } from '#contract/name-line.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { PageRecord } from '#server/engine/index.ts';
import { defaultModuleId, isPdfFile, type SourceOf, sourceOfKind } from '#server/features/catalog/index.ts';
import { openCredential } from '#server/features/source-credentials/index.ts';
import type { SpoolRecord } from '#server/ingest/build/spool.ts';
import {
  type CrawlCounts,
  type CrawlDeps,
  type CrawlRecord,
  type CrawlReport,
  crawlSite,
} from '#server/ingest/crawl/index.ts';
import type { Collect, CoverageChange, IndexJobDependencies } from './collect.ts';
import type { JobLease } from './job-lease.ts';
import { nameUnnamedJob } from './job-store.ts';
import { type ParsedFile, pdfFilesOfSite } from './read-pdf-file.ts';
import type { RunLog } from './run-log.ts';
import type { RunSpool } from './run-spool.ts';

const examplesMax = 5;

/** Returns a crawl's counts as stored in the run's row, with the reasons if there is a report. */
function coverageOf(counts: CrawlCounts, report?: Pick<CrawlReport, 'skipped' | 'failed'>): CoverageChange {
  const change: CoverageChange = {
    found: counts.found,
    fetched: counts.pages,
    unchanged: counts.unchanged,
    skipped: counts.skipped,
    failed: counts.failed,
    contentBytes: counts.bytes,
  };
  if (report !== undefined) change.skipReasons = reasonsOf(report);
  return change;
}

function reasonsOf(report: Pick<CrawlReport, 'skipped' | 'failed'>): string {
  const reasons = [...Object.entries(report.skipped), ...Object.entries(report.failed)]
    .map(([reason, { count, examples }]) => ({ reason, count, examples: examples.slice(0, examplesMax) }))
    .sort((a, b) => b.count - a.count);
  return JSON.stringify(reasons);
}

const siteNameCharactersMax = 80;

/** Crawls a site into the run's spool, resuming from the records of earlier attempts. */
export const collectSite: Collect = async (ctx, lease, { settings, previous, spool, log, deps }) => {
  const source = sourceOfKind(settings.source, 'site');
  const { url, credentialId } = source;
  const { workspace } = lease.row;
  const credential =
    credentialId === undefined ? undefined : await openCredential(ctx, { credentialId, workspace, url }, deps);
  const pdfFiles = pdfFilesOfSite(deps.pdfParser, lease.signal);
  let snippets = 0;
  const thinner = createLinkThinner();
  const report = await crawlSite<ParsedFile>(
    {
      startUrl: url,
      seeds: source.seeds,
      ...(isPdfFile(url)
        ? { isStartAlone: true, depthMax: 0, pagesMax: 1 }
        : { depthMax: source.depth, pagesMax: source.maxPages }),
      ...(credential === undefined ? {} : { credentials: credential.headers }),
      userAgent: deps.userAgent,
      previous: previous.recordOf,
      previousUrls: previous.urls,
      isRetry: settings.isRetry === true,
      leavesGone: settings.isRetry === true && (settings.retries ?? 0) > 0,
      resume: earlierRecords(spool, thinner, log),
    },
    {
      outbound: deps.outbound,
      ...(pdfFiles === undefined ? {} : { pdfFiles }),
      ...(source.rendersScripts === true ? { render: rendering(deps, lease.signal) } : {}),
      parse: (page) => deps.parsePool.parse(page, lease.signal),
      readList: (file) => deps.parsePool.list(file, lease.signal),
      whenParseRoom: () => deps.parsePool.whenRoom(),
      clock: ctx.clock,
      random: Math.random,
      signal: lease.signal,
      gates: deps.gates,
      log: ctx.log,
      onRecord: async (record) => {
        noteLeftOut(log, record);
        snippets += record.parsed?.snippets.length ?? 0;
        if (record.depth === 0 && record.url === url)
          await nameBySite(ctx, lease, source, record.parsed?.siteName ?? record.parsed?.title);
        await spool.add(toSpoolRecord({ ...record, links: thinner.thin(record.links) }));
      },
      onProgress: (counts) => lease.report({ ...coverageOf(counts), snippets }),
    },
  );
  // Of addresses that were never requested, such as those out of scope, the report lists the first few per reason.
  for (const status of ['skipped', 'failed'] as const) {
    for (const [reason, { examples }] of Object.entries(report[status])) {
      for (const address of examples) log.add({ address, status, reason });
    }
  }
  return coverageOf(report.counts, report);
};

/** Names an unnamed site after its start page as soon as that page is read. */
async function nameBySite(
  ctx: Context,
  { row }: JobLease,
  source: SourceOf<'site'>,
  title: string | undefined,
): Promise<void> {
  const name = siteNameOf(title ?? '');
  if (row.slug === defaultModuleId(source) && name !== '') await nameUnnamedJob(ctx.db.query, row.id, name);
}

/** Returns the part of a page's title that names the site: "Deploying · Tidewater" is a page of Tidewater. */
export function siteNameOf(title: string): string {
  const parts = nameLine(title).split(/\s+[—–|·»:-]\s+/);
  return (parts.at(-1) ?? '').trim().slice(0, siteNameCharactersMax);
}

/**
 * Returns the renderer; throws `browser-missing` if the installation has lost its browser since the source was added.
 */
function rendering(deps: IndexJobDependencies, signal: AbortSignal): NonNullable<CrawlDeps<ParsedFile>['render']> {
  const { renderer } = deps;
  if (renderer === undefined) throw new AppError('browser-missing');
  return (url, credentials) => renderer.render(url, { signal, ...(credentials === undefined ? {} : { credentials }) });
}

function noteLeftOut(log: RunLog, { url, status, reason }: CrawlRecord): void {
  if (status === 'skipped' || status === 'failed') log.add({ address: url, status, reason: reason ?? status });
}

/** The length of about 200,000 typical link addresses. */
const seenCharactersMax = 20_000_000;

type RecordLinks = CrawlRecord['links'];

interface LinkThinner {
  /** Notes links that were kept before. */
  note(links: RecordLinks): void;
  thin(links: RecordLinks): RecordLinks;
}

/**
 * Keeps the links in a page's text and those navigation links that no earlier page had. Otherwise a menu with thousands
 * of entries on each of thousands of pages would be most of the run's data.
 */
function createLinkThinner(): LinkThinner {
  const seen = new Set<string>();
  let characters = 0;
  const note = (links: RecordLinks) => {
    for (const { url } of links ?? []) {
      if (seen.has(url)) continue;
      // A site may have endless links; after clearing, the menu links are soon noted again.
      if (characters >= seenCharactersMax) seen.clear();
      if (seen.size === 0) characters = 0;
      seen.add(url);
      characters += url.length;
    }
  };
  return {
    note,
    thin(links) {
      const kept = links?.filter(({ url, fromContent }) => fromContent || !seen.has(url));
      note(kept);
      return kept;
    },
  };
}

async function* earlierRecords(
  spool: RunSpool,
  thinner: LinkThinner,
  log: RunLog,
): AsyncIterable<CrawlRecord<ParsedFile>> {
  for await (const { page: _page, ...record } of spool.earlier()) {
    noteLeftOut(log, record);
    thinner.note(record.links);
    yield record;
  }
}

function toSpoolRecord({ parsed, ...record }: CrawlRecord<ParsedFile>): SpoolRecord {
  return parsed === undefined || record.status !== 'page' ? record : { ...record, page: pageOf(record, parsed) };
}

function pageOf(record: CrawlRecord, parsed: ParsedFile): PageRecord {
  return {
    url: record.url,
    title: parsed.title,
    fetchedAt: record.fetchedAt,
    etag: record.etag,
    lastModified: record.lastModified,
    contentHash: parsed.contentHash,
    snippets: parsed.snippets,
  };
}
