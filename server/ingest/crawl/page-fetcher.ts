import { createHash } from 'node:crypto';
import type { SkipReason } from '#contract/skip-reasons.ts';
import { type BodySink, OutboundError, type OutboundResponse } from '#server/platform/outbound/index.ts';
import { isGone } from '../gone.ts';
import type { ArrivingFile, CrawlDeps, ParsedPage, PdfFiles, PreviousPage, RecordLink } from './crawl-types.ts';
import { isIndexFile } from './index-file.ts';
import type { MarkdownTwins } from './markdown-twins.ts';
import { normalizeAddress } from './page-address.ts';
import { isOtherData, isPdfAddress, isPdfType, isReadableType, looksBinary, looksHtml } from './page-kinds.ts';
import { codeOf } from './parse-turns.ts';
import type { PoliteClient } from './polite-client.ts';
import { parseRobotsTag } from './robots-rules.ts';

/** The outcome of requesting one address, before any decision about it. */
export type PageOutcome<Page extends ParsedPage> = { fetchedAt: number; contentBytes: number } & (
  | ({
      kind: 'page';
      parsed: Page;
      isNoindex: boolean;
      isNofollow: boolean;
      contentUrl?: string;
      needsScripts?: boolean;
    } & Validators)
  | ({
      kind: 'unchanged';
      contentHash: string;
      links: readonly RecordLink[] | Page['links'];
      isEmpty?: boolean | undefined;
      needsScripts?: boolean | undefined;
      readBy?: string | undefined;
    } & Validators)
  | { kind: 'redirect'; target: string }
  | { kind: 'skipped'; reason: SkipReason; detail: string; links?: readonly RecordLink[] | Page['links'] }
  | { kind: 'failed'; reason: string; status?: number; error?: OutboundError; told?: string; lastKnown?: PreviousPage }
);

export interface Validators {
  etag?: string;
  lastModified?: string;
  /** Value of the Vary header in lower case. */
  vary?: string;
}

export interface PageFetcherDeps<Page extends ParsedPage> {
  client: PoliteClient;
  parse: CrawlDeps<Page>['parse'];
  readList: CrawlDeps<Page>['readList'];
  render: CrawlDeps<Page>['render'];
  pdfFiles: PdfFiles<Page> | undefined;
  now: () => number;
  signal: AbortSignal;
  agent: string;
  previous: (url: string) => PreviousPage | undefined;
  isRetry: boolean;
  leavesGone: boolean;
  credentialsFor: (url: string) => Record<string, string> | undefined;
  twins: () => MarkdownTwins | undefined;
  warn: (details: Record<string, unknown>, message: string) => void;
}

const acceptPages = 'text/html,application/xhtml+xml;q=0.9,text/markdown;q=0.8,text/plain;q=0.7,*/*;q=0.1';
const redirectStatuses = [301, 302, 303, 307, 308];

/**
 * Fetches and parses single addresses. Failures of one page are outcomes; only failures of the whole crawl are thrown.
 */
export class PageFetcher<Page extends ParsedPage> {
  readonly #deps: PageFetcherDeps<Page>;

  constructor(deps: PageFetcherDeps<Page>) {
    this.#deps = deps;
  }

  async fetch(url: string): Promise<PageOutcome<Page>> {
    const known = this.#deps.previous(url);
    const reason = known?.goneFor;
    if (this.#deps.leavesGone && reason !== undefined)
      return { kind: 'failed', reason, fetchedAt: this.#deps.now(), contentBytes: 0 };
    const previous = reason === undefined ? known : undefined;
    const links = this.#deps.isRetry && previous?.isUnread !== true ? previous?.links : undefined;
    const alike = previous?.readBy === undefined ? previous : undefined;
    const outcome = previous && links ? takenOver<Page>(previous, links) : await this.#fetchOnce(url, alike);
    if (outcome.kind === 'unchanged')
      return { ...outcome, isEmpty: previous?.isEmpty, needsScripts: previous?.needsScripts };
    const isInTrouble = outcome.kind === 'failed' && !isGone(outcome.reason);
    return isInTrouble && previous ? { ...outcome, lastKnown: previous } : outcome;
  }

  async #fetchOnce(url: string, previous: PreviousPage | undefined): Promise<PageOutcome<Page>> {
    const arriving: { file?: ArrivingFile<Page> } = {};
    try {
      const response = await this.#get(url, acceptPages, previous, arriving);
      const { file } = arriving;
      return await (file === undefined
        ? this.#judge(url, response, previous)
        : this.#judgePdf(url, response, file, previous));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: 'failed', reason: error.code, error, fetchedAt: this.#deps.now(), contentBytes: 0 };
    } finally {
      await arriving.file?.close();
    }
  }

  /** Returns a page's parsed Markdown form; undefined if there is none with text. */
  async fetchMarkdown(url: string, pageUrl: string, accept: string): Promise<Page | undefined> {
    let response: OutboundResponse;
    try {
      response = await this.#get(url, accept, undefined);
    } catch (error) {
      if (error instanceof OutboundError) return undefined;
      throw error;
    }
    const type = response.headers['content-type'] ?? '';
    const isText = response.status === 200 && /^text\/(x-)?(markdown|plain|mdx)\b/i.test(type);
    if (!isText || looksBinary(response.body, type) || looksHtml(response.body)) return undefined;
    const contentType = 'text/markdown; charset=utf-8';
    try {
      const page = await this.#deps.parse({ url: pageUrl, baseUrl: url, bytes: response.body, contentType });
      return page.snippets.length > 0 ? page : undefined;
    } catch (error) {
      this.#deps.signal.throwIfAborted();
      if (codeOf(error) === 'parse-closed') throw error;
      this.#deps.warn({ url, err: error }, 'the Markdown form of a page could not be parsed');
      return undefined;
    }
  }

  async #get(
    url: string,
    accept: string,
    previous: PreviousPage | undefined,
    arriving?: { file?: ArrivingFile<Page> },
  ): Promise<OutboundResponse> {
    const headers: Record<string, string> = { accept, 'accept-language': 'en,*;q=0.5' };
    // A PDF is streamed to a file without decoding.
    if (isPdfAddress(url)) headers['accept-encoding'] = 'identity';
    // A "not modified" response has no links, so it helps only if they are known; and it does not cover data that
    // scripts would fetch.
    if (previous?.links && this.#deps.render === undefined) {
      if (previous.etag !== undefined) headers['if-none-match'] = previous.etag;
      if (previous.lastModified !== undefined) headers['if-modified-since'] = previous.lastModified;
    }
    const credentials = this.#deps.credentialsFor(url);
    return this.#deps.client.request(url, {
      headers,
      redirectsMax: 0,
      onHead: ({ status, headers: { 'content-type': contentType = '', 'x-robots-tag': tag } }) => {
        if (status !== 200) return 'stop';
        if (arriving !== undefined && this.#deps.pdfFiles !== undefined && isPdfType(contentType, url)) {
          if (parseRobotsTag(tag, this.#deps.agent).isNoindex) return 'stop';
          return this.#sinkFor(this.#deps.pdfFiles, arriving);
        }
        return isIndexFile(url) || isReadableType(contentType, url) ? 'read' : 'stop';
      },
      ...(credentials ? { credentials } : {}),
    });
  }

  /** Each attempt writes a new file. */
  #sinkFor({ bytesMax, timeoutMs, open }: PdfFiles<Page>, arriving: { file?: ArrivingFile<Page> }): BodySink {
    const earlier = arriving.file;
    const file = open();
    arriving.file = file;
    let closed = earlier?.close();
    return {
      bytesMax,
      timeoutMs,
      async take(chunk) {
        await closed;
        closed = undefined;
        await file.write(chunk);
      },
    };
  }

  async #judgePdf(
    url: string,
    response: OutboundResponse,
    file: ArrivingFile<Page>,
    previous: PreviousPage | undefined,
  ): Promise<PageOutcome<Page>> {
    const base = { ...validatorsOf(response), fetchedAt: this.#deps.now(), contentBytes: file.byteLength() };
    const contentHash = file.contentHash();
    if (previous?.contentHash === contentHash) return { ...base, kind: 'unchanged', contentHash, links: [] };
    try {
      return { ...base, kind: 'page', parsed: await file.parse(url), isNoindex: false, isNofollow: false };
    } catch (error) {
      this.#deps.signal.throwIfAborted();
      const code = codeOf(error);
      if (code === undefined) throw error;
      this.#deps.warn({ url, err: error }, 'a PDF could not be read');
      return { ...base, kind: 'failed', reason: code, ...(error instanceof Error ? { told: error.message } : {}) };
    }
  }

  async #judge(
    url: string,
    response: OutboundResponse,
    previous: PreviousPage | undefined,
  ): Promise<PageOutcome<Page>> {
    const { status, headers, body } = response;
    const base = { fetchedAt: this.#deps.now(), contentBytes: body.length };
    const isKeptOut = parseRobotsTag(headers['x-robots-tag'], this.#deps.agent).isNoindex;
    const known = (links: readonly RecordLink[], contentHash: string, was?: PreviousPage): PageOutcome<Page> =>
      isKeptOut
        ? { ...base, kind: 'skipped', reason: 'noindex', detail: '', links }
        : { ...base, ...validatorsOf(response, was), kind: 'unchanged', contentHash, links };
    if (status === 304 && previous?.links) return known(previous.links, previous.contentHash, previous);
    if (redirectStatuses.includes(status)) {
      const target = redirectTarget(headers['location'], url);
      return target === undefined
        ? { ...base, kind: 'failed', reason: 'bad-url' }
        : { ...base, kind: 'redirect', target };
    }
    const contentType = headers['content-type'] ?? '';
    if (isIndexFile(url) && (status === 200 || isGone(`http-${status}`))) {
      // Many sites return a page for any address.
      const links = status !== 200 || looksHtml(body) ? [] : await this.#linksOfIndexFile(url, body);
      return { ...base, kind: 'skipped', reason: 'site-index', detail: contentType, links };
    }
    if (status !== 200) return { ...base, kind: 'failed', reason: `http-${status}`, status };
    if (this.#deps.pdfFiles !== undefined && isPdfType(contentType, url) && isKeptOut) {
      return { ...base, kind: 'skipped', reason: 'noindex', detail: contentType };
    }
    if (!isReadableType(contentType, url) || isOtherData(body, contentType, url))
      return { ...base, kind: 'skipped', reason: 'content-type', detail: contentType };
    if (looksBinary(body, contentType)) return { ...base, kind: 'skipped', reason: 'binary', detail: contentType };
    if (this.#deps.render !== undefined && isHtml(contentType, body)) return this.#show(url, response, previous, base);
    if (previous?.links && previous.contentHash === createHash('sha256').update(body).digest('hex'))
      return known(previous.links, previous.contentHash);
    return this.#parse(url, response, previous, base);
  }

  async #linksOfIndexFile(url: string, bytes: Uint8Array): Promise<Page['links']> {
    try {
      const { pages } = await this.#deps.readList({ kind: 'index', url, bytes });
      return pages.map((page) => ({ ...page, fromContent: false, isNofollow: false }));
    } catch (error) {
      this.#deps.signal.throwIfAborted();
      if (codeOf(error) === 'parse-closed') throw error;
      this.#deps.warn({ url, err: error }, 'a file that lists pages could not be read');
      return [];
    }
  }

  /** Renders the page with its scripts and parses the result. */
  async #show(
    url: string,
    response: OutboundResponse,
    previous: PreviousPage | undefined,
    base: { fetchedAt: number; contentBytes: number },
  ): Promise<PageOutcome<Page>> {
    try {
      const shown = await this.#deps.render?.(url, this.#deps.credentialsFor(url));
      if (shown === undefined) return await this.#parse(url, response, previous, base);
      const target = normalizeAddress(shown.url);
      if (target !== undefined && target !== url) return { ...base, kind: 'redirect', target };
      const { etag: _etag, 'last-modified': _lastModified, ...headers } = response.headers;
      const body = new TextEncoder().encode(shown.html);
      const contentType = 'text/html; charset=utf-8';
      return await this.#parse(
        url,
        { ...response, body, headers: { ...headers, 'content-type': contentType } },
        previous,
        base,
      );
    } catch (error) {
      this.#deps.signal.throwIfAborted();
      const code = codeOf(error);
      if (code === undefined || code === 'browser-unusable' || code === 'parse-closed') throw error;
      this.#deps.warn({ url, err: error }, 'a page could not be shown in the browser');
      return { ...base, kind: 'failed', reason: code };
    }
  }

  async #parse(
    url: string,
    response: OutboundResponse,
    previous: PreviousPage | undefined,
    base: { fetchedAt: number; contentBytes: number },
  ): Promise<PageOutcome<Page>> {
    const contentType = response.headers['content-type'] ?? '';
    let parsed: Page;
    try {
      parsed = await this.#deps.parse({ url, bytes: response.body, contentType });
    } catch (error) {
      this.#deps.signal.throwIfAborted();
      const code = codeOf(error);
      if (code === 'parse-closed') throw error;
      if (code === 'unsupported-type') return { ...base, kind: 'skipped', reason: code, detail: contentType };
      this.#deps.warn({ url, err: error }, 'a page could not be parsed');
      return { ...base, kind: 'failed', reason: code ?? 'unreadable' };
    }
    const target = parsed.refreshUrl === undefined ? undefined : normalizeAddress(parsed.refreshUrl);
    if (target !== undefined && target !== url) return { ...base, kind: 'redirect', target };
    const tag = parseRobotsTag(response.headers['x-robots-tag'], this.#deps.agent);
    const page = {
      ...base,
      ...validatorsOf(response),
      kind: 'page' as const,
      parsed,
      isNoindex: tag.isNoindex || parsed.isNoindex,
      isNofollow: tag.isNofollow,
      needsScripts: parsed.needsScripts === true && this.#deps.render === undefined,
    };
    if (previous?.contentHash === parsed.contentHash && !tag.isNoindex) {
      const { contentHash, links } = parsed;
      return { ...base, ...validatorsOf(response), kind: 'unchanged', contentHash, links: tag.isNofollow ? [] : links };
    }
    if (page.isNoindex) return page;
    const twin = await this.#deps
      .twins()
      ?.contentFor(url, parsed, (from, accept) => this.fetchMarkdown(from, url, accept));
    return twin ? { ...page, parsed: twin.page, contentUrl: twin.url, needsScripts: false } : page;
  }
}

/**
 * Returns the outcome for a page reused without a request; a `fetchedAt` of 0 means that the time of the earlier read
 * applies.
 */
function takenOver<Page extends ParsedPage>(
  { etag, lastModified, contentHash, readBy }: PreviousPage,
  links: readonly RecordLink[],
): PageOutcome<Page> {
  const validators = {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
  };
  return { kind: 'unchanged', ...validators, contentHash, links, readBy, fetchedAt: 0, contentBytes: 0 };
}

function validatorsOf({ headers }: OutboundResponse, previous?: PreviousPage): Validators {
  const etag = headers['etag'] ?? previous?.etag;
  const lastModified = headers['last-modified'] ?? previous?.lastModified;
  const vary = headers['vary']?.toLowerCase();
  return {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
    ...(vary === undefined ? {} : { vary }),
  };
}

function redirectTarget(location: string | undefined, url: string): string | undefined {
  if (location === undefined) return undefined;
  const text = /[\x80-\xff]/.test(location) ? Buffer.from(location, 'latin1').toString('utf8') : location;
  return normalizeAddress(text, url);
}

function isHtml(contentType: string, body: Uint8Array): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType) || (contentType === '' && looksHtml(body));
}
