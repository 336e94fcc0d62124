import type { CrawlState } from './crawl-state.ts';
import type { CrawlCounts, CrawlRecord, ParsedPage } from './crawl-types.ts';
import type { FrontierEntry } from './frontier.ts';
import type { PageFetcher, PageOutcome } from './page-fetcher.ts';

/**
 * Pages in progress or waiting for an earlier one's record; large enough that one slow page does not block the others.
 */
const windowMax = 32;
/** Total bytes of fetched pages held at once. */
const heldBytesMax = 64_000_000;
// Bounds the requests to a site where hardly any address is a page.
const requestsBase = 500;
const requestsPerPage = 5;

export interface PipelineDeps<Page extends ParsedPage> {
  pagesMax: number;
  signal: AbortSignal;
  onRecord: (record: CrawlRecord<Page>) => Promise<void>;
  onProgress?: ((counts: CrawlCounts) => void) | undefined;
}

type Settled<Page extends ParsedPage> = { entry: FrontierEntry; outcome: PageOutcome<Page> } | { error: unknown };

/**
 * Processes the queue. Pages are fetched and parsed concurrently but recorded in queue order, so the crawl's result
 * does not depend on which response came first.
 */
export class Pipeline<Page extends ParsedPage> {
  readonly #state: CrawlState<Page>;
  readonly #fetcher: PageFetcher<Page>;
  readonly #deps: PipelineDeps<Page>;
  #heldBytes = 0;

  constructor(state: CrawlState<Page>, fetcher: PageFetcher<Page>, deps: PipelineDeps<Page>) {
    this.#state = state;
    this.#fetcher = fetcher;
    this.#deps = deps;
  }

  /**
   * Resolves when the queue is empty or a limit is reached. Rejects with the first error that concerns the whole crawl.
   */
  async run(): Promise<void> {
    const { frontier, isKept } = this.#state;
    const pending: Promise<Settled<Page>>[] = [];
    for (;;) {
      while (this.#hasRoom(pending.length)) {
        const entry = frontier.take(isKept, pending.length === 0);
        if (!entry) break;
        pending.push(this.#fetch(entry));
      }
      const settled = await pending.shift();
      if (!settled) break;
      if ('error' in settled) throw settled.error;
      this.#heldBytes -= settled.outcome.contentBytes;
      await this.commit(this.#state.recordOf(settled.entry, settled.outcome));
    }
    frontier.abandon(this.#state.keptCount >= this.#deps.pagesMax ? 'page-limit' : 'request-limit');
  }

  /** Emits a record, then applies it to the state. */
  async commit(record: CrawlRecord<Page>): Promise<void> {
    this.#deps.signal.throwIfAborted();
    await this.#deps.onRecord(record);
    await this.#state.apply(record);
    this.#deps.onProgress?.(this.#state.counts());
  }

  #hasRoom(pendingCount: number): boolean {
    const { pagesMax } = this.#deps;
    return (
      pendingCount < windowMax &&
      this.#heldBytes < heldBytesMax &&
      this.#state.keptCount + pendingCount < pagesMax &&
      this.#state.fetchedCount + pendingCount < requestsBase + pagesMax * requestsPerPage
    );
  }

  /** Never rejects: results are awaited in order, and an earlier rejection would count as unhandled. */
  async #fetch(entry: FrontierEntry): Promise<Settled<Page>> {
    try {
      const outcome = await this.#fetcher.fetch(entry.address);
      this.#heldBytes += outcome.contentBytes;
      return { entry, outcome };
    } catch (error) {
      return { error };
    }
  }
}
