import type { CrawlState } from './crawl-state.ts';
import type { CrawlCounts, CrawlRecord, ParsedPage } from './crawl-types.ts';
import type { FrontierEntry } from './frontier.ts';
import type { PageFetcher, PageOutcome } from './page-fetcher.ts';

/** Pages in progress or waiting for an earlier one to be recorded: enough that a slow page does not stop the others. */
const windowMax = 32;
/** Bytes of fetched pages held at once, whatever their number. */
const heldBytesMax = 64_000_000;
// A site that answers nearly every address with something other than a page is not asked for ever.
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
 * Works the queue off. Pages are fetched and parsed side by side but recorded in the order they were queued, so what
 * gets into a crawl does not depend on which answer came first.
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

  /** Ends when the queue is empty or a limit is reached. Rejects with the first fault that concerns the whole crawl. */
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

  /** Hands a record over, then takes it in. */
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

  /** Never rejects: results are looked at in order, and a rejection meanwhile would count as unhandled. */
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
