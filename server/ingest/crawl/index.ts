export type { CrawlErrorCode } from './crawl-error.ts';
export { crawlSite } from './crawl-site.ts';
export type { ArrivingFile, CrawlCounts, CrawlDeps, CrawlRecord, CrawlReport, PreviousPage } from './crawl-types.ts';
export { HostGates } from './host-gate.ts';
