import type { CrawlCounts, CrawlReport } from '#server/ingest/crawl/index.ts';
import type { CoverageChange } from './collect.ts';

const examplesMax = 5;

/** Counts of a crawl as a run's row keeps them, with the reasons once there is a report. */
export function coverageOf(counts: CrawlCounts, report?: Pick<CrawlReport, 'skipped' | 'failed'>): CoverageChange {
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
