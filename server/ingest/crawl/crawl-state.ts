import type { SkipReason } from '#contract/skip-reasons.ts';
import { inTurn } from '#server/platform/in-turn.ts';
import type { Link } from '../document.ts';
import { Coverage } from './coverage.ts';
import type { CrawlCounts, CrawlRecord, ParsedPage, RecordLink } from './crawl-types.ts';
import { Frontier, type FrontierEntry, type FrontierRules, redirectHopsMax } from './frontier.ts';
import { docsifyFile } from './index-file.ts';
import { isCredibleCanonical } from './page-address.ts';
import type { PageOutcome } from './page-fetcher.ts';

/** Links followed per page; a page with more is a machine-made list. */
const linksPerPageMax = 20_000;
/** Links examined per page; most may lead elsewhere or be duplicates. */
const linksLookedAtMax = 60_000;
/** Cached results of resolving distinct link targets, which avoids parsing them again. */
const resolvedMax = 50_000;
const resolvedLengthMax = 500;
const docsifyMenu = '_sidebar.md';

/** Permanent failures, which a resumed run does not retry. */
const finalFailures = new Set(['http-401', 'http-403', 'http-404', 'http-405', 'http-406', 'http-410', 'http-451']);

/**
 * A crawl's state. It changes only through records and in their order, so replaying the records of an interrupted run
 * restores its state.
 */
export class CrawlState<Page extends ParsedPage> {
  readonly coverage = new Coverage();
  readonly frontier: Frontier;
  readonly #kept = new Set<string>();
  readonly #addressByHash = new Map<string, string>();
  /** Addresses replaced by a canonical one that has not been read yet. */
  readonly #foldedOnto = new Map<string, { address: string; depth: number }>();
  readonly #redirects = new Map<string, string>();
  readonly #resolved = new Map<string, string | undefined>();
  /** Folders of sites that Docsify shows from Markdown files. */
  readonly #docsifyFolders = new Set<string>();
  #pages = 0;
  #unchanged = 0;
  #fetched = 0;
  #bytes = 0;
  #hasText = false;

  constructor(rules: FrontierRules) {
    this.frontier = new Frontier(rules, this.coverage);
  }

  get keptCount(): number {
    return this.#pages + this.#unchanged;
  }

  get fetchedCount(): number {
    return this.#fetched;
  }

  /** True if a page with text was kept. */
  get hasText(): boolean {
    return this.#hasText;
  }

  counts(): CrawlCounts {
    return {
      found: this.frontier.foundCount,
      queued: this.frontier.pendingCount,
      fetched: this.#fetched,
      pages: this.#pages,
      unchanged: this.#unchanged,
      skipped: this.coverage.skippedCount,
      failed: this.coverage.failedCount,
      bytes: this.#bytes,
    };
  }

  readonly isKept = (address: string): boolean => this.#kept.has(address);

  /** Returns the record for an address, from its outcome and the state so far. */
  recordOf({ address, depth, isCanonicalIgnored }: FrontierEntry, outcome: PageOutcome<Page>): CrawlRecord<Page> {
    const base = { url: address, depth, fetchedAt: outcome.fetchedAt, contentBytes: outcome.contentBytes };
    switch (outcome.kind) {
      case 'failed': {
        const failed = { ...base, status: outcome.kind, reason: outcome.reason };
        if (outcome.lastKnown === undefined) return failed;
        const { contentHash, links = [], readBy } = outcome.lastKnown;
        return {
          ...failed,
          contentHash,
          links: this.#linksOf(links, address),
          ...(readBy !== undefined && { readBy }),
        };
      }
      case 'skipped': {
        const links = outcome.links === undefined ? {} : { links: this.#linksOf(outcome.links, address) };
        return { ...base, status: outcome.kind, reason: outcome.reason, ...links };
      }
      case 'redirect': {
        const target = this.frontier.resolve(outcome.target);
        if (target !== undefined) return { ...base, status: 'redirect', target };
        return { ...base, status: 'redirect', target: outcome.target, reason: 'redirect-out-of-scope' };
      }
      case 'unchanged':
        return {
          ...base,
          ...validators(outcome),
          status: 'unchanged',
          contentHash: outcome.contentHash,
          links: this.#linksOf(outcome.links, address),
          ...(outcome.isEmpty === true ? { isEmpty: true } : {}),
          ...(outcome.needsScripts === true ? { needsScripts: true } : {}),
          ...(outcome.readBy !== undefined && { readBy: outcome.readBy }),
        };
      case 'page':
        return this.#pageRecord(base, outcome, isCanonicalIgnored);
    }
  }

  /** Applies a record: counts it and queues the addresses it leads to. */
  async apply(record: CrawlRecord<Page>): Promise<void> {
    const { url, depth } = record;
    this.frontier.markDone(url);
    this.#fetched++;
    this.#bytes += record.contentBytes;
    switch (record.status) {
      case 'page':
      case 'unchanged':
        await this.#keep(record);
        break;
      case 'redirect':
        this.coverage.redirects++;
        this.coverage.skip(record.reason ?? this.#reasonOfRedirect(url, record.target), url);
        if (record.reason === undefined && record.target !== undefined)
          this.frontier.offerRedirect(url, record.target, depth);
        break;
      case 'canonical':
        this.coverage.canonical++;
        this.coverage.skip('canonical', url);
        if (record.target !== undefined) {
          if (!this.#foldedOnto.has(record.target)) this.#foldedOnto.set(record.target, { address: url, depth });
          this.frontier.offer(record.target, depth);
        }
        break;
      case 'skipped':
        this.coverage.skip(record.reason ?? 'skipped', url);
        await this.#follow(record.links, depth);
        this.#unfold(url);
        break;
      case 'failed':
        this.coverage.fail(record.reason ?? 'failed', url);
        // Pages that only a failing page linked to still exist, so its last version's links are followed.
        await this.#follow(record.links, depth);
        this.#unfold(url);
        break;
    }
  }

  /** Applies a record of an interrupted run. Temporary failures are skipped, so that they are retried. */
  async replay(record: CrawlRecord<Page>): Promise<void> {
    if (record.status === 'failed' && !finalFailures.has(record.reason ?? '')) return;
    await this.apply(record);
  }

  #pageRecord(
    base: Pick<CrawlRecord<Page>, 'url' | 'depth' | 'fetchedAt' | 'contentBytes'>,
    outcome: PageOutcome<Page> & { kind: 'page' },
    isCanonicalIgnored: boolean,
  ): CrawlRecord<Page> {
    const { parsed } = outcome;
    const { contentHash, title } = parsed;
    const links = outcome.isNofollow ? [] : this.#linksOf(parsed.links, base.url);
    if (outcome.isNoindex) return { ...base, status: 'skipped', reason: 'noindex', contentHash, links };
    const twin = this.#addressByHash.get(contentHash);
    if (twin !== undefined && twin !== base.url) {
      return { ...base, status: 'skipped', reason: 'duplicate-content', contentHash, target: twin };
    }
    const canonical = isCanonicalIgnored ? undefined : this.#canonicalOf(base.url, parsed, base.depth);
    if (canonical !== undefined) return { ...base, status: 'canonical', contentHash, target: canonical };
    const contentUrl = outcome.contentUrl === undefined ? {} : { contentUrl: outcome.contentUrl };
    const marks = {
      ...contentUrl,
      ...(parsed.snippets.length === 0 ? { isEmpty: true as const } : {}),
      ...(outcome.needsScripts === true ? { needsScripts: true as const } : {}),
    };
    return { ...base, ...validators(outcome), ...marks, status: 'page', contentHash, title, links, parsed };
  }

  /** Returns `redirect-loop` if the redirects return to an address of their chain, so that no page is read. */
  #reasonOfRedirect(url: string, target: string | undefined): SkipReason {
    if (target === undefined) return 'redirected';
    this.#redirects.set(url, target);
    let at: string | undefined = target;
    for (let hop = 0; hop <= redirectHopsMax && at !== undefined; hop++) {
      if (at === url) return 'redirect-loop';
      at = this.#redirects.get(at);
    }
    return 'redirected';
  }

  /** Returns the page's canonical address if it is in scope, credible, and already kept or still queued. */
  #canonicalOf(address: string, { canonicalUrl }: ParsedPage, depth: number): string | undefined {
    const canonical = canonicalUrl === undefined ? undefined : this.frontier.resolve(canonicalUrl);
    if (canonical === undefined || canonical === address || !isCredibleCanonical(address, canonical)) return undefined;
    this.frontier.offer(canonical, depth);
    return this.#kept.has(canonical) || this.frontier.isPending(canonical) ? canonical : undefined;
  }

  #linksOf(links: readonly (Link | RecordLink)[], pageAddress: string): RecordLink[] {
    const byAddress = new Map<string, RecordLink>();
    const isMarkdown = pageAddress.endsWith('.md');
    const folder = isMarkdown ? [...this.#docsifyFolders].find((start) => pageAddress.startsWith(start)) : undefined;
    for (const link of links.slice(0, linksLookedAtMax)) {
      const url = this.#resolve(folder === undefined ? link.url : docsifyFile(link.url, folder));
      if (url === undefined || url === pageAddress) continue;
      if ('isNofollow' in link && link.isNofollow) {
        this.coverage.mention('nofollow', url);
        continue;
      }
      const known = byAddress.get(url);
      const text = link.text.slice(0, 300);
      if (!known) {
        if (byAddress.size >= linksPerPageMax) continue;
        byAddress.set(url, { url, text, fromContent: link.fromContent });
        continue;
      }
      if (text !== '' && (known.text === '' || (link.fromContent && !known.fromContent))) {
        known.text = text;
        known.fromContent = link.fromContent;
      }
    }
    return [...byAddress.values()];
  }

  /** Caches results, because a site's pages link to the same few targets. */
  #resolve(href: string): string | undefined {
    const fragment = href.indexOf('#');
    const key = fragment < 0 ? href : href.slice(0, fragment);
    if (this.#resolved.has(key)) return this.#resolved.get(key);
    const address = this.frontier.resolve(key);
    if (key.length > resolvedLengthMax) return address;
    if (this.#resolved.size >= resolvedMax) this.#resolved.clear();
    this.#resolved.set(key, address);
    return address;
  }

  async #keep(record: CrawlRecord<Page>): Promise<void> {
    const { url, contentHash, contentUrl, depth } = record;
    this.#kept.add(url);
    this.#foldedOnto.delete(url);
    if (contentHash !== undefined && !this.#addressByHash.has(contentHash)) this.#addressByHash.set(contentHash, url);
    if (contentUrl !== undefined && contentUrl !== url && !this.frontier.isSettled(contentUrl)) {
      this.frontier.markDone(contentUrl);
      this.coverage.skip('text-twin', contentUrl);
    }
    if (record.needsScripts) this.coverage.skip('needs-scripts', url);
    if (record.status === 'unchanged') this.#unchanged++;
    else if (record.isEmpty) this.coverage.skip('empty', url);
    else this.#pages++;
    if (!record.isEmpty) this.#hasText = true;
    await this.#follow(record.links, depth);
  }

  async #follow(links: readonly RecordLink[] | undefined, depth: number): Promise<void> {
    for await (const { url } of inTurn(links ?? [])) {
      if (url.endsWith(`/${docsifyMenu}`)) this.#docsifyFolders.add(url.slice(0, -docsifyMenu.length));
      this.frontier.offer(url, depth + 1);
    }
  }

  /** Queues an earlier page again, to be kept this time, because its canonical address turned out to hold no page. */
  #unfold(canonical: string): void {
    const folded = this.#foldedOnto.get(canonical);
    if (!folded) return;
    this.#foldedOnto.delete(canonical);
    this.coverage.takeBackSkip('canonical', folded.address);
    this.frontier.offerAgain(folded.address, folded.depth);
  }
}

function validators({ etag, lastModified }: { etag?: string; lastModified?: string }): {
  etag?: string;
  lastModified?: string;
} {
  return { ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) };
}
