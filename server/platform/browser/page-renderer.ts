import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { Clock } from '../clock.ts';
import type { Outbound } from '../outbound/index.ts';
import { PagePlaces } from './page-places.ts';
import { answerRequests, type PageTraffic, RenderError } from './page-traffic.ts';

export interface RenderOptions {
  /** Headers sent only to the page's own origin. */
  credentials?: Record<string, string>;
  signal?: AbortSignal;
}

export interface RenderedPage {
  /** The page's final address, without fragment; usually the requested address. */
  url: string;
  /** The document after its scripts have finished. */
  html: string;
}

export interface RendererOptions {
  /** Path of the Chromium program. */
  executablePath: string;
  userAgent: string;
  outbound: Outbound;
  clock: Clock;
  limits?: Partial<RenderLimits>;
}

export interface RenderLimits {
  /** Most pages open at once; each is a process of about 100 MB. */
  pagesAtOnce: number;
  /** After this many consecutive pages that reached `timeoutMs`, the origin is paused for ten minutes. */
  hangsMax: number;
  /** From the first request to the finished document. */
  timeoutMs: number;
  /** How long scripts may keep fetching before the document is taken as it is. */
  restMs: number;
  htmlCharactersMax: number;
  /** Most bytes that one page may fetch. */
  bytesMax: number;
  requestsMax: number;
  /** The browser is restarted after this many pages, to release leaked memory. */
  pagesPerBrowser: number;
  /** The browser is closed after this long without a request. */
  idleMs: number;
}

const renderLimits: RenderLimits = {
  pagesAtOnce: 2,
  hangsMax: 5,
  timeoutMs: 20_000,
  restMs: 8_000,
  htmlCharactersMax: 10_000_000,
  bytesMax: 30_000_000,
  requestsMax: 300,
  pagesPerBrowser: 200,
  idleMs: 30_000,
};

/**
 * Renders pages in Chromium and returns their documents. The browser has no network access: our guarded client serves
 * each request, so that scripts reach nothing that a crawl may not. Pages share nothing, not even cookies. The first
 * page starts the browser.
 */
export class PageRenderer {
  readonly #options: RendererOptions;
  readonly #limits: RenderLimits;
  readonly #places: PagePlaces;
  #served = 0;
  #browser: Promise<Browser> | undefined;
  #idle = new AbortController();
  #isClosed = false;

  constructor(options: RendererOptions) {
    this.#options = options;
    this.#limits = { ...renderLimits, ...options.limits };
    this.#places = new PagePlaces(this.#limits, options.clock);
  }

  /** Renders a page. Rejects with RenderError, or with the signal's reason. */
  async render(url: string, options: RenderOptions = {}): Promise<RenderedPage> {
    const { origin } = new URL(url);
    await this.#places.enter(origin, options.signal);
    let isHung: boolean | undefined;
    try {
      // Not counted as a hang, which would prolong the pause.
      if (this.#places.isPaused(origin)) throw paused(url);
      const page = await this.#show(await this.#start(), url, options).catch((error: unknown) => {
        if (error instanceof RenderError && error.code === 'render-timeout') isHung = true;
        throw error;
      });
      isHung = false;
      return page;
    } finally {
      this.#leave(origin, isHung);
    }
  }

  /** Closes the browser with all its pages. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idle.abort();
    await this.#end();
  }

  async #show(browser: Browser, url: string, { credentials, signal }: RenderOptions): Promise<RenderedPage> {
    const { timeoutMs } = this.#limits;
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(timedOut(url, timeoutMs)), timeoutMs);
    const stop = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
    let context: BrowserContext | undefined;
    let session: CDPSession | undefined;
    try {
      context = await browser.newContext({
        userAgent: this.#options.userAgent,
        serviceWorkers: 'block',
        acceptDownloads: false,
        locale: 'en-US',
      });
      const page = await context.newPage();
      session = await context.newCDPSession(page);
      const { outbound } = this.#options;
      const traffic = await answerRequests(page, { url, credentials, outbound, signal: stop, limits: this.#limits });
      return await Promise.race([this.#take(page, url, traffic), rejectedBy(stop)]);
    } catch (error) {
      if (stop.aborted) throw stop.reason;
      if (error instanceof RenderError) throw error;
      throw new RenderError('render-failed', `${url} could not be shown in the browser.`, { cause: error });
    } finally {
      clearTimeout(timer);
      // Scripts that never finish would also block closing: this ends their process, and no other page's.
      if (stop.aborted) void session?.send('Page.crash').catch(() => undefined);
      over.abort(new Error('the page was left'));
      await this.#closeContext(context, browser);
    }
  }

  async #take(page: Page, url: string, traffic: PageTraffic): Promise<RenderedPage> {
    const { htmlCharactersMax, restMs, timeoutMs } = this.#limits;
    const crashed = new Promise<never>((_, reject) =>
      page.on('crash', () => reject(new RenderError('render-failed', `${url} made the browser fail.`))),
    );
    crashed.catch(() => undefined);
    const taken = (async () => {
      await page.goto(url, { waitUntil: 'domcontentloaded', timeout: timeoutMs });
      // If scripts never finish, the document is taken as it is by then.
      await page.waitForLoadState('networkidle', { timeout: restMs }).catch(() => undefined);
      traffic.check();
      const html = await page.content();
      if (html.length > htmlCharactersMax) {
        throw new RenderError('render-too-large', `${url} grows to over ${htmlCharactersMax} characters.`);
      }
      const shown = new URL(page.url());
      // After a failed navigation, Chromium shows a page of its own.
      if (!/^https?:$/.test(shown.protocol)) {
        throw new RenderError('render-failed', `${url} leads to an address that could not be shown.`);
      }
      shown.hash = '';
      return { url: shown.href, html };
    })();
    return Promise.race([taken, crashed]);
  }

  /** Ends the whole browser if a page cannot be closed; the next page gets a new one without waiting for that. */
  async #closeContext(context: BrowserContext | undefined, browser: Browser): Promise<void> {
    if (context === undefined) return;
    const closed = context.close().then(
      () => true,
      () => false,
    );
    const isClosed = await Promise.race([closed, this.#options.clock.sleep(3_000).then(() => false)]);
    if (!isClosed) void this.#discard(browser);
  }

  #start(): Promise<Browser> {
    if (this.#isClosed) throw new RenderError('browser-unusable', 'The browser was closed.');
    this.#idle.abort();
    this.#served += 1;
    if (this.#browser === undefined || this.#served > this.#limits.pagesPerBrowser) {
      const former = this.#browser;
      this.#served = 1;
      const started = launch(this.#options.executablePath);
      this.#browser = started;
      started.catch(() => {
        if (this.#browser === started) this.#browser = undefined;
      });
      // Pages that still use the old browser got it before this.
      if (former !== undefined) void former.then((browser) => this.#endWhenEmpty(browser)).catch(() => undefined);
    }
    return this.#browser;
  }

  async #endWhenEmpty(browser: Browser): Promise<void> {
    while (browser.contexts().length > 0 && browser.isConnected()) await this.#options.clock.sleep(200);
    await browser.close().catch(() => undefined);
  }

  async #discard(browser: Browser): Promise<void> {
    if ((await this.#browser?.catch(() => undefined)) === browser) this.#browser = undefined;
    await browser.close().catch(() => undefined);
  }

  async #end(): Promise<void> {
    const browser = await this.#browser?.catch(() => undefined);
    this.#browser = undefined;
    await browser?.close().catch(() => undefined);
  }

  #leave(origin: string, isHung: boolean | undefined): void {
    this.#places.leave(origin, { isHung });
    if (this.#places.open > 0 || this.#isClosed) return;
    const idle = new AbortController();
    this.#idle = idle;
    void this.#options.clock
      .sleep(this.#limits.idleMs, idle.signal)
      .then(() => (this.#places.open === 0 && !idle.signal.aborted ? this.#end() : undefined))
      .catch(() => undefined);
  }
}

/** Loaded lazily: the library is 14 MB. */
async function launch(executablePath: string): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  try {
    return await chromium.launch({
      executablePath,
      // Chromium's own sandbox does not start for root, as in most containers.
      chromiumSandbox: process.getuid?.() !== 0,
      // Requests that escape the interception cannot leave: no name resolves, and nothing listens at the proxy.
      proxy: { server: 'http://127.0.0.1:9' },
      args: [
        '--proxy-bypass-list=<-loopback>',
        '--host-resolver-rules=MAP * ~NOTFOUND',
        '--webrtc-ip-handling-policy=disable_non_proxied_udp',
        '--force-webrtc-ip-handling-policy',
        '--disable-quic',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-extensions',
        // The last two are pages that Chromium keeps ready in each window, at a cost.
        '--disable-features=Translate,OptimizationHints,MediaRouter,WebBluetooth,WebUSB,WebUIOmniboxPopup,WebUIOmniboxAimPopup',
        '--js-flags=--max-old-space-size=384',
      ],
    });
  } catch (error) {
    throw new RenderError(
      'browser-unusable',
      `The browser at ${executablePath} does not start. Set LECTERN_CHROMIUM to a Chromium that runs on this machine.`,
      { cause: error },
    );
  }
}

function timedOut(url: string, ms: number): RenderError {
  return new RenderError('render-timeout', `${url} was not shown within ${ms / 1000} s.`);
}

function paused(url: string): RenderError {
  return new RenderError('render-timeout', `${url} was not shown: too many pages of this site took too long.`);
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
