import type { Clock } from '#server/platform/clock.ts';
import {
  type Outbound,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
} from '#server/platform/outbound/index.ts';
import { CrawlError } from './crawl-error.ts';
import type { HostGate, HostGates, HostVerdict } from './host-gate.ts';
import { originOf } from './page-address.ts';

/**
 * The longest wait within a crawl. If a host asks for more, the crawl ends and reports when to come back. Other crawls
 * wait at most this long too and then ask the host themselves, because its request may only concern the first crawl's
 * addresses.
 */
const waitMaxMs = 120_000;
/** The crawl ends if a host has only failed for this long and this many times. */
const failingMs = 60_000;
const failingRequests = 8;
const retryBudgetBase = 30;
const retryBudgetShare = 0.2;
const attemptsForStatus: Record<number, number> = { 429: 5, 503: 5, 500: 3, 502: 4, 504: 3, 408: 3 };

export interface PoliteClientDeps {
  outbound: Outbound;
  gates: HostGates;
  clock: Clock;
  random: () => number;
  signal: AbortSignal;
}

/**
 * Sends requests through the host's gate and retries temporary failures: 429 and 503 (respecting Retry-After), other
 * 5xx, broken connections. A crawl's retries are limited to 30 plus a fifth of its requests. Rejects with OutboundError
 * if there is still no response, with CrawlError if the host as a whole is unavailable.
 */
export class PoliteClient {
  readonly #deps: PoliteClientDeps;
  #requestCount = 0;
  #retryCount = 0;
  readonly #askedOrigins = new Set<string>();
  readonly #answeredOrigins = new Set<string>();
  /** For each origin, the time (`clock.now`) until which it asked this crawl to stay away. */
  readonly #awayUntil = new Map<string, number>();

  constructor(deps: PoliteClientDeps) {
    this.#deps = deps;
  }

  async request(url: string, options: OutboundRequest): Promise<OutboundResponse> {
    const gate = this.#deps.gates.of(originOf(url));
    for (let attempt = 1; ; attempt++) {
      this.#checkPause(url);
      this.#checkFailing(gate, url);
      const outcome = await this.#tryOnce(gate, url, options);
      const waitMs = this.#retryWait(outcome, attempt, url);
      if (waitMs === undefined) {
        if ('error' in outcome) throw outcome.error;
        return outcome.response;
      }
      this.#retryCount++;
      // Also if the gate paces the retry: it then queues behind requests already waiting.
      if (waitMs > 0) await this.#deps.clock.sleep(waitMs, this.#deps.signal);
    }
  }

  async #tryOnce(gate: HostGate, url: string, options: OutboundRequest): Promise<Outcome> {
    const { clock, outbound, signal } = this.#deps;
    const permit = await gate.enter(signal, this);
    const startedAt = clock.now();
    let headAt: number | undefined;
    let verdict: HostVerdict = 'ok';
    try {
      this.#requestCount++;
      this.#askedOrigins.add(originOf(url));
      const response = await outbound.request(url, {
        ...options,
        signal,
        onHead: (head) => {
          headAt = clock.now();
          return isWorthRetrying(head.status) ? 'stop' : (options.onHead?.(head) ?? 'read');
        },
      });
      this.#answeredOrigins.add(originOf(url));
      if (response.status === 429 || (response.status >= 502 && response.status <= 504)) verdict = 'overloaded';
      if (verdict !== 'ok') this.#noteRetryAfter(response);
      return { response };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OutboundError)) throw error;
      if (error.isTransient) verdict = 'unreachable';
      return { error, hasBegun: headAt !== undefined };
    } finally {
      permit.release(verdict, (headAt ?? clock.now()) - startedAt);
    }
  }

  /** Applies Retry-After to the host that sent it, which may be a redirect's target rather than the requested host. */
  #noteRetryAfter({ url, headers }: OutboundResponse): void {
    const now = this.#deps.clock.now();
    const retryAt = retryAfter(headers['retry-after'], now);
    if (retryAt === undefined) return;
    this.#awayUntil.set(originOf(url), retryAt);
    this.#deps.gates.of(originOf(url)).pauseFor(Math.min(retryAt - now, waitMaxMs));
  }

  /**
   * Returns the milliseconds to wait before the next attempt in addition to the gate's pause; undefined for no further
   * attempt.
   */
  #retryWait(outcome: Outcome, attempt: number, url: string): number | undefined {
    const attemptsMax =
      'error' in outcome ? this.#attemptsFor(outcome, url) : (attemptsForStatus[outcome.response.status] ?? 1);
    if (attempt >= attemptsMax) return undefined;
    if (this.#retryCount >= retryBudgetBase + this.#requestCount * retryBudgetShare) return undefined;
    // Only the page fails here, not the host, so the gate stays open and only this page waits.
    const isPageAlone = 'response' in outcome && (outcome.response.status === 500 || outcome.response.status === 408);
    if (isPageAlone) return 1_000 * 2 ** (attempt - 1) * (0.5 + this.#deps.random() / 2);
    if ('error' in outcome || originOf(outcome.response.url) === originOf(url)) return 0;
    this.#checkPause(outcome.response.url);
    return this.#deps.gates.of(originOf(outcome.response.url)).pausedForMs;
  }

  #attemptsFor({ error, hasBegun }: FailedOutcome, url: string): number {
    if (!error.isTransient) return 1;
    const isKnownHost = this.#answeredOrigins.has(originOf(url));
    if (error.code === 'timeout') return isKnownHost ? 2 : 1;
    if (hasBegun) return 4;
    // A host that responded earlier in this crawl gets time to recover.
    return isKnownHost ? 7 : 3;
  }

  #checkPause(url: string): void {
    const retryAt = this.#awayUntil.get(originOf(url)) ?? 0;
    if (retryAt - this.#deps.clock.now() <= waitMaxMs) return;
    const at = new Date(retryAt).toISOString();
    throw new CrawlError(
      'rate-limited',
      url,
      `${new URL(url).host} asks not to be contacted before ${at}. Start again after that; pages already read are kept.`,
      { retryAt },
    );
  }

  #checkFailing(gate: HostGate, url: string): void {
    // Failures seen by earlier crawls do not count until this crawl has sent a request; otherwise no crawl would notice
    // a recovery.
    const isAsked = this.#askedOrigins.has(originOf(url));
    if (
      isAsked &&
      gate.failuresInARow >= failingRequests &&
      this.#deps.clock.elapsed() - gate.lastGoodAt >= failingMs
    ) {
      throw new CrawlError(
        'host-failing',
        url,
        `${new URL(url).host} stopped responding and did not recover within ${failingMs / 1000} s. Start again later; pages already read are kept.`,
      );
    }
  }
}

interface FailedOutcome {
  error: OutboundError;
  /** True if the connection broke after the response started. */
  hasBegun: boolean;
}

type Outcome = { response: OutboundResponse } | FailedOutcome;

function isWorthRetrying(status: number): boolean {
  return status in attemptsForStatus;
}

/** Maximum pause, regardless of what the host asks for. */
const pauseMsMax = 86_400_000;

/**
 * Returns the time a Retry-After header allows the next request, at most a day from now; undefined if missing or
 * invalid.
 */
function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const date = /^\s*\d+\s*$/.test(header) ? now + Number(header) * 1_000 : Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.min(date, now + pauseMsMax);
}
