import type { Clock } from '#server/platform/clock.ts';
import type { Outbound } from '#server/platform/outbound/index.ts';
import type { Link } from '../document.ts';
import type { CoverageReport } from './coverage.ts';
import type { HostGates } from './host-gate.ts';
import type { Listed, ListFile } from './list-file.ts';

export interface CrawlInput {
  startUrl: string;
  /** Reads only the start address. */
  isStartAlone?: boolean;
  /** Additional start addresses, such as the pages of the previous version. Those out of scope are skipped. */
  seeds?: readonly string[];
  /** Address prefixes that belong to the site. Default: the directory of the start address after redirects. */
  scope?: readonly string[];
  /** Pages to keep (new and unchanged) before the crawl ends. */
  pagesMax: number;
  /** Maximum number of links from the start page to a page; sitemap pages count as one link away. */
  depthMax?: number;
  /** Full User-Agent; its first word, up to a slash, is the name matched against robots.txt rules. */
  userAgent: string;
  /** Headers sent only to the start address's origin. */
  credentials?: Record<string, string>;
  /** Returns the previous version's data about a page, by normalised address. */
  previous?: (url: string) => PreviousPage | undefined;
  /** Reuses pages of the previous version without requesting them, so that only failed and new pages are read. */
  isRetry?: boolean;
  /** In a retry, skips pages that were gone, because no person asked for it. */
  leavesGone?: boolean;
  /** Addresses of the previous version, requested if the site's lists of pages cannot be read this time. */
  previousUrls?: () => Iterable<string>;
  /** Records of an interrupted run of the same crawl, in their original order. */
  resume?: Iterable<CrawlRecord> | AsyncIterable<CrawlRecord>;
}

export interface PreviousPage {
  etag?: string;
  lastModified?: string;
  contentHash: string;
  /** In-scope links of the previous version. Without them, an unchanged page must be parsed again for its links. */
  links?: readonly RecordLink[];
  /** True if the last crawl could not read it. */
  isUnread?: boolean;
  /** True if it had no searchable text. */
  isEmpty?: boolean;
  /** True if text was missing that scripts would have added. */
  needsScripts?: boolean;
  /** Why the page was gone in the last crawl; nothing else is known about it. */
  goneFor?: string;
  /** `parserVersion` of the code that read the page, if different: the page is read anew, or kept if that fails. */
  readBy?: string;
}

/** The part of a parsed page that the crawl uses. The parser may return more. */
export interface ParsedPage {
  title: string;
  canonicalUrl?: string;
  isNoindex: boolean;
  refreshUrl?: string;
  markdownUrl?: string;
  needsScripts?: boolean | undefined;
  links: Link[];
  snippets: unknown[];
  /** SHA-256 (hex) of the received bytes. */
  contentHash: string;
}

export interface FetchedPage {
  /** The page's address in the index. */
  url: string;
  /** The address that the bytes came from, if different from `url`; relative links are resolved against it. */
  baseUrl?: string;
  /** Owns its ArrayBuffer, so it can be transferred. */
  bytes: Uint8Array;
  contentType: string;
}

/** Stores PDF files while they arrive, and reads them. */
export interface PdfFiles<Page extends ParsedPage> {
  countMax: number;
  bytesMax: number;
  timeoutMs: number;
  open(): ArrivingFile<Page>;
}

/** A file too large to keep in memory. */
export interface ArrivingFile<Page extends ParsedPage> {
  write(chunk: Uint8Array): Promise<void>;
  byteLength(): number;
  /** Returns the SHA-256 (hex) of the bytes. */
  contentHash(): string;
  /** Rejects like `CrawlDeps.parse`. */
  parse(url: string): Promise<Page>;
  close(): Promise<void>;
}

export interface CrawlDeps<Page extends ParsedPage> {
  outbound: Outbound;
  /**
   * A rejection marks the page as failed, with the error's `code` as the reason if there is one. Three codes are
   * special: `unsupported-type` skips the page, `parse-busy` waits for `whenParseRoom`, `parse-closed` ends the crawl.
   */
  parse: (page: FetchedPage) => Promise<Page>;
  /**
   * Reads a file that lists pages. If it rejects, the file counts as empty, except that `parse-closed` ends the crawl.
   */
  readList: (file: ListFile) => Promise<Listed>;
  /**
   * Renders an HTML page in a browser: returns the document after its scripts have settled, and the final address. A
   * rejection marks the page as failed, with the error's `code` as the reason. If omitted, pages are read as sent.
   */
  render?: (url: string, credentials: Record<string, string> | undefined) => Promise<{ url: string; html: string }>;
  /** Resolves when `parse` can take another page. A crawl parses at most eight pages at once. */
  whenParseRoom?: () => Promise<void>;
  clock: Clock;
  /** Accepts PDF files. If omitted, they are not requested. */
  pdfFiles?: PdfFiles<Page>;
  /** Uniform in [0, 1); spreads retries. */
  random: () => number;
  /** Cancels the crawl: it rejects with the signal's reason and emits no more records. */
  signal: AbortSignal;
  /** Shared by all crawls of the process, so that together they are polite to each host. */
  gates: HostGates;
  /** Awaited before the next record, so a slow consumer slows the crawl down. A rejection ends the crawl. */
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

/** The outcome of one requested address. Serialisable except for `parsed`. */
export interface CrawlRecord<Page extends ParsedPage = ParsedPage> {
  /** Normalised address. */
  url: string;
  status: RecordStatus;
  /** The address used instead of this one: of a redirect, a canonical link, or a page with the same content. */
  target?: string;
  /** Why it was skipped or failed, as counted in the coverage report. */
  reason?: string;
  depth: number;
  etag?: string;
  lastModified?: string;
  contentHash?: string;
  /** Epoch milliseconds. */
  fetchedAt: number;
  contentBytes: number;
  title?: string;
  /** In-scope links, each address once, at most 20,000. For a failing page, the links of its last version. */
  links?: RecordLink[];
  /** Address of the Markdown form that the content came from. */
  contentUrl?: string;
  /** True if the page has no searchable text: a frame or a menu. */
  isEmpty?: true;
  /** True if text is missing that scripts would have added, and they were not run. */
  needsScripts?: true;
  /** `parserVersion` of the code that read the page, if a page read by other code was kept. */
  readBy?: string;
  /** Present if the status is `page`. */
  parsed?: Page;
}

/**
 * Running totals. `found` is the number of the site's addresses found so far; `queued` of them are still to be
 * requested.
 */
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
  /** The start address after redirects. */
  startUrl: string;
  scope: readonly string[];
  durationMs: number;
}
