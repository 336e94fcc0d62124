import type { Clock } from '#server/platform/clock.ts';
import type { Outbound } from '#server/platform/outbound/index.ts';
import type { Link } from '../document.ts';
import type { CoverageReport } from './coverage.ts';
import type { HostGates } from './host-gate.ts';
import type { Listed, ListFile } from './list-file.ts';

export interface CrawlInput {
  startUrl: string;
  /** Nothing but the start address is read. */
  isStartAlone?: boolean;
  /** Further addresses to begin from, for example the pages of the previous version. Those out of scope are left out. */
  seeds?: readonly string[];
  /** Address prefixes that belong to the site. Default: the directory of the address the start address ends at. */
  scope?: readonly string[];
  /** Pages kept (new and unchanged) before the crawl ends. */
  pagesMax: number;
  /** Links followed from the start page to a page; pages of sitemaps count as one away. */
  depthMax?: number;
  /** Full User-Agent; its first word, up to a slash, is the name that robots.txt rules are matched with. */
  userAgent: string;
  /** Headers only the start address's origin may see. */
  credentials?: Record<string, string>;
  /** What the previous version knows of a page, by normalised address. */
  previous?: (url: string) => PreviousPage | undefined;
  /** Pages that the previous version knows are taken over without asking for them: only what failed or is new is read. */
  isRetry?: boolean;
  /** A retry leaves out pages that were gone: it was not a person who asked for it. */
  leavesGone?: boolean;
  /** Addresses of the previous version: asked for when what lists the pages of the site cannot be read this time. */
  previousUrls?: () => Iterable<string>;
  /** The records of an interrupted run of the same crawl, in the order they were given. */
  resume?: Iterable<CrawlRecord> | AsyncIterable<CrawlRecord>;
}

export interface PreviousPage {
  etag?: string;
  lastModified?: string;
  contentHash: string;
  /** In-scope links of that version. Without them an unchanged page must be parsed again to find its links. */
  links?: readonly RecordLink[];
  /** The last crawl could not read it. */
  isUnread?: boolean;
  /** There was nothing to be found on it. */
  isEmpty?: boolean;
  /** Text was missing that scripts would have added. */
  needsScripts?: boolean;
  /** Why it was gone when the last crawl asked for it; nothing else is known of it. */
  goneFor?: string;
  /** Version of the program that read it, where that is another one: it is read anew, and kept where that fails. */
  readBy?: string;
}

/** What the crawl reads of a parsed page. The parser may give more. */
export interface ParsedPage {
  title: string;
  canonicalUrl?: string;
  isNoindex: boolean;
  refreshUrl?: string;
  markdownUrl?: string;
  needsScripts?: boolean | undefined;
  links: Link[];
  snippets: unknown[];
  /** SHA-256 (hex) of the bytes received. */
  contentHash: string;
}

export interface FetchedPage {
  /** The address the page is known by. */
  url: string;
  /** Where the bytes came from when that is not `url`: what relative links are relative to. */
  baseUrl?: string;
  /** Owns its ArrayBuffer, so it may be transferred. */
  bytes: Uint8Array;
  contentType: string;
}

/** Where PDF files are put while they arrive, and what reads them. */
export interface PdfFiles<Page extends ParsedPage> {
  countMax: number;
  bytesMax: number;
  timeoutMs: number;
  open(): ArrivingFile<Page>;
}

/** A file that is too large to be kept in memory. */
export interface ArrivingFile<Page extends ParsedPage> {
  write(chunk: Uint8Array): Promise<void>;
  byteLength(): number;
  /** SHA-256 (hex) of the bytes. */
  contentHash(): string;
  /** Rejects as `parse` does. */
  parse(url: string): Promise<Page>;
  close(): Promise<void>;
}

export interface CrawlDeps<Page extends ParsedPage> {
  outbound: Outbound;
  /**
   * A rejection makes the page fail, with the error's `code` as the reason where it has one. Three codes mean more:
   * `unsupported-type` skips the page, `parse-busy` waits for `whenParseRoom`, `parse-closed` ends the crawl.
   */
  parse: (page: FetchedPage) => Promise<Page>;
  /** Reads a file that lists pages. A rejection makes that file list nothing, save `parse-closed`, which ends the crawl. */
  readList: (file: ListFile) => Promise<Listed>;
  /**
   * Shows a page of HTML in a browser: its document when the scripts have come to rest, and the address they led to. A
   * rejection makes the page fail, with the error's `code` as the reason. Left out: pages are read as they are sent.
   */
  render?: (url: string, credentials: Record<string, string> | undefined) => Promise<{ url: string; html: string }>;
  /** Resolves when `parse` takes another page. At most eight pages of a crawl are being parsed at once. */
  whenParseRoom?: () => Promise<void>;
  clock: Clock;
  /** Takes PDF files. Left out: they are not asked for. */
  pdfFiles?: PdfFiles<Page>;
  /** Uniform in [0, 1); spreads retries. */
  random: () => number;
  /** Cancels the crawl: it rejects with the signal's reason and gives no more records. */
  signal: AbortSignal;
  /** Shared by all crawls of the process, so that together they are polite to a host. */
  gates: HostGates;
  /** Awaited before the next record: a slow receiver slows the crawl down. A rejection ends the crawl. */
  onRecord: (record: CrawlRecord<Page>) => Promise<void>;
  onProgress?: (counts: CrawlCounts) => void;
  log?: { warn: (details: Record<string, unknown>, message: string) => void };
}

/** A link to another page of the site. */
export interface RecordLink {
  /** Normalised, without fragment. */
  url: string;
  text: string;
  fromContent: boolean;
}

export type RecordStatus = 'page' | 'unchanged' | 'redirect' | 'canonical' | 'skipped' | 'failed';

/** What became of one address that was asked for. Serialisable but for `parsed`. */
export interface CrawlRecord<Page extends ParsedPage = ParsedPage> {
  /** Normalised address. */
  url: string;
  status: RecordStatus;
  /** The address that stands for this one: of a redirect, a canonical link, or the page with the same content. */
  target?: string;
  /** Why it was skipped or failed: one of the words the coverage report counts by. */
  reason?: string;
  depth: number;
  etag?: string;
  lastModified?: string;
  contentHash?: string;
  /** Epoch milliseconds. */
  fetchedAt: number;
  contentBytes: number;
  title?: string;
  /** Only links in scope, one for each address, at most 5,000. Of a page in trouble: those of its last version. */
  links?: RecordLink[];
  /** Address of the Markdown form the content was taken from. */
  contentUrl?: string;
  /** A page without anything to be found: a frame, or a menu. */
  isEmpty?: true;
  /** Text is missing that scripts would have added, and they were not run. */
  needsScripts?: true;
  /** Version of the program that read it, where it is kept as another one read it. */
  readBy?: string;
  /** Present when the status is `page`. */
  parsed?: Page;
}

/** Running totals. `found` = addresses of the site met so far; `queued` of them are still to be asked for. */
export interface CrawlCounts {
  found: number;
  queued: number;
  fetched: number;
  pages: number;
  unchanged: number;
  skipped: number;
  failed: number;
  bytes: number;
}

export interface CrawlReport extends CoverageReport {
  counts: CrawlCounts;
  /** Where the start address ended. */
  startUrl: string;
  scope: readonly string[];
  durationMs: number;
}
