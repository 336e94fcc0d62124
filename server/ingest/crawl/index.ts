export type { CoverageReport, ReasonCount } from './coverage.ts';
export type { CrawlError, CrawlErrorCode } from './crawl-error.ts';
export { crawlSite } from './crawl-site.ts';
export type {
  ArrivingFile,
  CrawlCounts,
  CrawlDeps,
  CrawlInput,
  CrawlRecord,
  CrawlReport,
  FetchedPage,
  ParsedPage,
  PreviousPage,
  RecordLink,
  RecordStatus,
} from './crawl-types.ts';
export { HostGates } from './host-gate.ts';
