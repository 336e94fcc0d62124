import { OutboundError } from '#server/platform/outbound/index.ts';
import { CrawlError, startFailure } from './crawl-error.ts';
import type { HostGates } from './host-gate.ts';
import type { PoliteClient } from './polite-client.ts';
import { allowEverything, parseRobots, type RobotsRules } from './robots-rules.ts';

/** RFC 9309 requires at least 500 KiB; the rest is not read. */
const robotsBytesMax = 512_000;
/** With a longer delay between pages, a crawl would occupy its worker for days. */
const crawlDelaySecondsMax = 60;

/** The robots.txt of each of a crawl's origins, requested once. */
export class RobotsBook {
  readonly #client: PoliteClient;
  readonly #gates: HostGates;
  readonly #agent: string;
  readonly #rules = new Map<string, RobotsRules | undefined>();

  constructor(client: PoliteClient, gates: HostGates, agent: string) {
    this.#client = client;
    this.#gates = gates;
    this.#agent = agent;
  }

  /**
   * Returns the loaded rules; undefined if the origin's robots.txt is unreachable, in which case nothing may be read.
   */
  of(origin: string): RobotsRules | undefined {
    return this.#rules.get(origin);
  }

  /** Reads an origin's rules and sets its delay. Rejects with CrawlError if nothing there may be read for now. */
  async load(origin: string): Promise<RobotsRules> {
    const known = this.#rules.get(origin);
    if (known) return known;
    const url = `${origin}/robots.txt`;
    const rules = await this.#read(url);
    const seconds = rules.crawlDelaySeconds ?? 0;
    if (seconds > crawlDelaySecondsMax) {
      throw new CrawlError(
        'crawl-delay-too-long',
        url,
        `${url} asks for ${seconds} s between requests, which would take too long. Ask the site's owner for another way, or index a copy from a folder.`,
      );
    }
    this.#gates.of(origin).setDelay(seconds * 1_000);
    this.#rules.set(origin, rules);
    return rules;
  }

  async #read(url: string): Promise<RobotsRules> {
    try {
      const { status, body } = await this.#client.request(url, {
        bytesMax: robotsBytesMax,
        isCutAtBytesMax: true,
        redirectsMax: 10,
        onHead: (head) => (head.status === 200 ? 'read' : 'stop'),
      });
      if (status === 429 || status >= 500) throw unreadable(url, `answered with status ${status}`);
      // RFC 9309 "unavailable": everything may be read.
      if (status !== 200) return allowEverything;
      return parseRobots(new TextDecoder().decode(body), this.#agent);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      // A redirect to nowhere means that the file is missing; an unreachable host forbids everything.
      if (error.url !== url && !error.isTransient) return allowEverything;
      if (error.code === 'too-large' || error.code === 'decode-failed') throw unreadable(url, 'could not be read');
      throw startFailure(error);
    }
  }
}

function unreadable(url: string, what: string): CrawlError {
  return new CrawlError(
    'robots-unreachable',
    url,
    `${url} ${what}, so no pages are read. Try again later, or tell the site's owner.`,
  );
}
