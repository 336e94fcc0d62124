import { inTurn } from '#server/platform/in-turn.ts';
import { CrawlError } from './crawl-error.ts';
import { CrawlState } from './crawl-state.ts';
import type { CrawlDeps, CrawlInput, CrawlRecord, CrawlReport, ParsedPage } from './crawl-types.ts';
import { discoverSite, type SiteMap } from './discovery.ts';
import { MarkdownTwins } from './markdown-twins.ts';
import { originOf } from './page-address.ts';
import { PageFetcher } from './page-fetcher.ts';
import { ParseTurns } from './parse-turns.ts';
import { Pipeline } from './pipeline.ts';
import { PoliteClient } from './polite-client.ts';
import { RobotsBook } from './robots-book.ts';
import { parseScope, type Scope, scopeOfStart } from './scope.ts';
import { openStartPage, parseStartUrl, type StartPage } from './start-page.ts';

/** Maximum queue length: a page with 200,000 links must not exhaust the process's memory. */
const queueBase = 20_000;
const queuePerPage = 5;
const listedBase = 20_000;
const listedPerPage = 3;

/**
 * Time limit for redirects and lists of pages, which every attempt repeats while it occupies a worker. The crawl
 * continues without lists not read by then.
 */
const beginningMsMax = 10 * 60_000;

/**
 * Crawls a site page by page and emits one record for each requested address. Obeys robots.txt, is polite to the host
 * together with all crawls that share `gates`, and is deterministic: the same site gives the same pages. A page that
 * fails is a record; the promise rejects only if the crawl as a whole cannot start or continue (CrawlError), is
 * cancelled (the signal's reason) or `onRecord` rejects. Memory grows with the number of known addresses (some 200
 * bytes each), not with the size of pages.
 */
export async function crawlSite<Page extends ParsedPage>(
  input: CrawlInput,
  deps: CrawlDeps<Page>,
): Promise<CrawlReport> {
  const over = new AbortController();
  const signal = AbortSignal.any([deps.signal, over.signal]);
  try {
    return await new SiteCrawl(input, { ...deps, signal }).run();
  } catch (error) {
    deps.signal.throwIfAborted();
    throw error;
  } finally {
    over.abort(new Error('the crawl has ended'));
  }
}

class SiteCrawl<Page extends ParsedPage> {
  readonly #input: CrawlInput;
  readonly #deps: CrawlDeps<Page>;
  readonly #start: string;
  readonly #client: PoliteClient;
  readonly #robots: RobotsBook;
  readonly #fetcher: PageFetcher<Page>;
  #twins: MarkdownTwins | undefined;

  constructor(input: CrawlInput, deps: CrawlDeps<Page>) {
    this.#input = input;
    this.#deps = deps;
    this.#start = parseStartUrl(input.startUrl);
    const agent = /^[a-z_-]+/i.exec(input.userAgent)?.[0] ?? '';
    this.#client = new PoliteClient(deps);
    this.#robots = new RobotsBook(this.#client, deps.gates, agent);
    const turns = new ParseTurns(deps);
    this.#fetcher = new PageFetcher({
      client: this.#client,
      parse: (page) => turns.parse(page),
      readList: deps.readList,
      render: deps.render,
      pdfFiles: deps.pdfFiles,
      now: () => deps.clock.now(),
      signal: deps.signal,
      agent,
      previous: (url) => input.previous?.(url),
      isRetry: input.isRetry === true,
      leavesGone: input.leavesGone === true,
      credentialsFor: this.#credentialsFor,
      twins: () => this.#twins,
      warn: this.#warn,
    });
  }

  async run(): Promise<CrawlReport> {
    const { clock } = this.#deps;
    const startedAt = clock.now();
    const beganAt = clock.elapsed();
    const isLate = () => clock.elapsed() - beganAt >= beginningMsMax;
    const given = parseGivenScope(this.#input.scope);
    const earlier = await readBeginning<Page>(this.#input.resume ?? []);
    const start = earlier ? undefined : await openStartPage(this.#start, given, this.#fetcher, this.#robots, isLate);
    const address = earlier?.address ?? start?.address ?? this.#start;
    const scope = given ?? scopeOfStart(this.#start, address);
    await this.#loadRobots(scope, originOf(address));
    const isAlone = this.#input.isStartAlone === true;
    const site = isAlone ? nothingListed() : await this.#discover(scope, isLate);
    const state = this.#createState(scope);
    const pipeline = new Pipeline(state, this.#fetcher, { ...this.#deps, pagesMax: this.#input.pagesMax });

    if (earlier) {
      this.#twins = twinsOf(site, earlier.contentUrl, earlier.address);
      for (const record of earlier.beginning) await state.replay(record);
    } else if (start) {
      await this.#probeMarkdown(start, site);
      for (const record of start.redirects) await pipeline.commit(record);
      await pipeline.commit(state.recordOf({ address, depth: 0, isCanonicalIgnored: false }, start.outcome));
    }
    if (!isAlone) await this.#offerListed(state, site);
    if (earlier) for await (const record of earlier.rest) await state.replay(record);
    await pipeline.run();
    if (state.keptCount <= 1 && !isAlone) await this.#readLlmsFull(site, state, pipeline);
    if (!state.hasText) throw emptySite(address, state);
    const durationMs = clock.now() - startedAt;
    return { ...state.coverage.report(), counts: state.counts(), startUrl: address, scope, durationMs };
  }

  #createState(scope: Scope): CrawlState<Page> {
    const { depthMax = Number.POSITIVE_INFINITY, pagesMax } = this.#input;
    return new CrawlState({
      scope,
      depthMax,
      pdfFilesMax: this.#deps.pdfFiles?.countMax ?? 0,
      queueMax: queueBase + pagesMax * queuePerPage,
      robotsOf: (origin) => this.#robots.of(origin),
    });
  }

  /**
   * Loads the robots.txt of all hosts in scope. Throws if the start address's host fails; other hosts are then left
   * out.
   */
  async #loadRobots(scope: Scope, startOrigin: string): Promise<void> {
    for (const origin of new Set([startOrigin, ...scope.map(originOf)])) {
      try {
        await this.#robots.load(origin);
      } catch (error) {
        if (origin === startOrigin || !(error instanceof CrawlError)) throw error;
        this.#warn({ origin, code: error.code }, 'a host of the scope cannot be read');
      }
    }
  }

  #discover(scope: Scope, isLate: () => boolean): Promise<SiteMap> {
    return discoverSite(scope, listedBase + this.#input.pagesMax * listedPerPage, {
      client: this.#client,
      robots: this.#robots,
      readList: this.#deps.readList,
      isLate,
      signal: this.#deps.signal,
      credentialsFor: this.#credentialsFor,
      warn: this.#warn,
    });
  }

  /** Determines with one request how the site offers Markdown, and uses the Markdown for the start page's content. */
  async #probeMarkdown(start: StartPage<Page>, site: SiteMap): Promise<void> {
    const { outcome, address } = start;
    const isPage = outcome.kind === 'page' && !outcome.isNoindex;
    const ways = {
      listed: site.markdown,
      isDeclared: isPage && outcome.parsed.markdownUrl !== undefined,
      isNegotiated: isPage && (outcome.vary ?? '').split(/[\s,]+/).includes('accept'),
    };
    const probe = new MarkdownTwins(ways);
    const twin = isPage
      ? await probe.contentFor(address, outcome.parsed, (url, accept) =>
          this.#fetcher.fetchMarkdown(url, address, accept),
        )
      : undefined;
    if (twin && outcome.kind === 'page')
      Object.assign(outcome, { parsed: twin.page, contentUrl: twin.url, needsScripts: false });
    this.#twins = twinsOf(site, twin?.url, address);
  }

  async #offerListed(state: CrawlState<Page>, site: SiteMap): Promise<void> {
    for (const href of this.#input.seeds ?? []) {
      const address = state.frontier.resolve(href, true);
      if (address !== undefined) state.frontier.offer(address, 0);
    }
    for await (const address of inTurn(site.pages)) state.frontier.offer(address, 1);
    if (site.unread.size === 0) return;
    for await (const href of inTurn(this.#input.previousUrls?.() ?? [])) {
      const address = state.frontier.resolve(href);
      if (address !== undefined) state.frontier.offer(address, 1);
    }
  }

  /** Reads the whole documentation from a single file, for sites where that is all there is. */
  async #readLlmsFull(site: SiteMap, state: CrawlState<Page>, pipeline: Pipeline<Page>): Promise<void> {
    for (const address of site.llmsFullCandidates) {
      const outcome = await this.#fetcher.fetch(address);
      if (outcome.kind !== 'page' || outcome.parsed.snippets.length === 0) continue;
      await pipeline.commit(state.recordOf({ address, depth: 1, isCanonicalIgnored: true }, outcome));
      return;
    }
  }

  /**
   * Returns the credentials if the address has the start address's origin, or the same host over https instead of http.
   */
  readonly #credentialsFor = (url: string): Record<string, string> | undefined => {
    const { credentials } = this.#input;
    if (!credentials) return undefined;
    const own = new URL(this.#start);
    const to = new URL(url);
    const isUpgrade = own.protocol === 'http:' && to.protocol === 'https:' && own.hostname === to.hostname;
    return own.origin === to.origin || isUpgrade ? credentials : undefined;
  };

  readonly #warn = (details: Record<string, unknown>, message: string): void => {
    this.#deps.log?.warn(details, message);
  };
}

function nothingListed(): SiteMap {
  return { pages: [], markdown: new Set(), unread: new Set(), llmsFullCandidates: [] };
}

function twinsOf(site: SiteMap, contentUrl: string | undefined, pageUrl: string): MarkdownTwins | undefined {
  const isNegotiated = contentUrl === pageUrl;
  const isDeclared = contentUrl !== undefined && !isNegotiated && !site.markdown.has(contentUrl);
  if (!isNegotiated && !isDeclared && site.markdown.size === 0) return undefined;
  return new MarkdownTwins({ listed: site.markdown, isDeclared, isNegotiated });
}

function parseGivenScope(prefixes: readonly string[] | undefined): Scope | undefined {
  if (!prefixes || prefixes.length === 0) return undefined;
  try {
    return parseScope(prefixes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CrawlError('bad-address', prefixes[0] ?? '', `The site's scope is not valid: ${error.message}.`);
  }
}

function emptySite<Page extends ParsedPage>(address: string, state: CrawlState<Page>): CrawlError {
  const { fetched } = state.counts();
  return new CrawlError(
    'empty-site',
    address,
    `No text was found from ${address} (${fetched === 1 ? '1 address' : `${fetched} addresses`} read). If the site builds its pages in the browser, index it with its scripts (--scripts), or a folder of its sources.`,
  );
}

/** The records of an interrupted run, split after its start page. */
interface EarlierRun<Page extends ParsedPage> {
  /** The start address after redirects. */
  address: string;
  /** Address of the start page's Markdown form, if its content came from there. */
  contentUrl?: string | undefined;
  /** Records of the start address's redirects and of the start page. */
  beginning: CrawlRecord<Page>[];
  /** The remaining records; can be read only once. */
  rest: AsyncIterable<CrawlRecord<Page>>;
}

/** Returns undefined if the run did not reach its start page: then there is nothing to resume. */
async function readBeginning<Page extends ParsedPage>(
  records: Iterable<CrawlRecord> | AsyncIterable<CrawlRecord>,
): Promise<EarlierRun<Page> | undefined> {
  const iterator = iterate(records) as AsyncGenerator<CrawlRecord<Page>>;
  const beginning: CrawlRecord<Page>[] = [];
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    beginning.push(next.value);
    const { status, url, contentUrl } = next.value;
    if (status !== 'redirect') return { address: url, contentUrl, beginning, rest: iterator };
  }
  return undefined;
}

async function* iterate<T>(records: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  yield* records;
}
