import { Worker } from 'node:worker_threads';
import { type RankedSnippet, type SearchHit, type SegmentView, searchSegments, toHits } from '#server/engine/index.ts';
import { fromRows, type RankAnswer, type RankRequest, type RankThreadData, type SentView } from './rank-messages.ts';

/** Finds the best matching passages of the views: see `searchSegments`. */
export interface Ranker {
  rank<View extends SegmentView>(
    views: readonly View[],
    query: string,
    options: RankOptions,
  ): Promise<SearchHit<View>[]>;
}

export interface RankOptions {
  /** Most passages. */
  limit: number;
  /** Parts of the query that name the library. */
  names?: readonly string[];
}

/** Ranks on the caller's thread. */
export const rankHere: Ranker = { rank: async (views, query, options) => searchSegments(views, query, options) };

/** A search of so many modules goes to the thread even when it is the only one: here it would hold up other requests. */
const manyViewsMin = 200;
/** Concurrent searches counted before starting a thread is worth its startup time and memory. */
const crowdedMin = 8;
/** After a pause this long the count restarts. */
const crowdedPauseMs = 2_000;
/** Most requests queued for the thread; further ones are ranked on the caller's thread. */
const askedMax = 4;
const idleMsDefault = 60_000;
/** A segment unused this long is closed, since it may have been removed and its file must not be kept open. */
const unusedMsDefault = 60_000;
/** After the thread fails, none is started for this long. */
const failedPauseMs = 60_000;

export interface RankThreadOptions {
  /** Called if the thread ends with an error; its pending requests are still answered. */
  onFault(fault: unknown): void;
  /** The thread ends after this long without work. */
  idleMs?: number;
  /** The thread closes segments that were not searched for this long. */
  unusedMs?: number;
}

interface Asked {
  answer(ranked: RankedSnippet[] | undefined): void;
  request: RankRequest;
  views: readonly SegmentView[];
}

/**
 * Ranks on a second thread while several searches are in progress, or if many modules are searched, and on the caller's
 * thread otherwise: for a single search, messages to the thread would only add delay. The thread reads the segment files
 * itself and shares their tables. It starts when searches keep overlapping or one is large, and ends after a minute
 * without work; requests that it cannot handle are ranked here. Both rank identically.
 */
export class RankThread implements Ranker {
  readonly #onFault: (fault: unknown) => void;
  readonly #idleMs: number;
  readonly #unusedMs: number;
  #underWay = 0;
  #crowded = 0;
  #crowdedAt = Number.NEGATIVE_INFINITY;
  #worker: Worker | undefined;
  #isReady = false;
  #startAgainAt = Number.NEGATIVE_INFINITY;
  #idling: NodeJS.Timeout | undefined;
  /** Keys of segments that the thread has received. */
  readonly #told = new Set<string>();
  readonly #asked = new Map<number, Asked>();
  #lastId = 0;

  constructor({ onFault, idleMs = idleMsDefault, unusedMs = unusedMsDefault }: RankThreadOptions) {
    this.#onFault = onFault;
    this.#idleMs = idleMs;
    this.#unusedMs = unusedMs;
  }

  /** True if the thread is running and accepts requests. */
  get isHelping(): boolean {
    return this.#isReady;
  }

  /** Counts this work as a search in progress, from its request to its result. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
    }
  }

  async rank<View extends SegmentView>(
    views: readonly View[],
    query: string,
    options: RankOptions,
  ): Promise<SearchHit<View>[]> {
    const ranked = this.#mayAsk(views) ? await this.#ask(views, query, options) : undefined;
    return ranked === undefined ? rankHere.rank(views, query, options) : toHits(views, ranked);
  }

  /** Resolves when the thread has ended; its pending requests are ranked here. */
  async close(): Promise<void> {
    this.#startAgainAt = Number.POSITIVE_INFINITY;
    this.#isReady = false;
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.ref();
    worker.postMessage('close');
    await ended;
  }

  #mayAsk(views: readonly SegmentView[]): boolean {
    const isLarge = views.length >= manyViewsMin;
    if (this.#underWay < 2 && !isLarge) return false;
    if (views.some(({ segment }) => segment.shared === undefined)) return false;
    this.#noteCrowd(isLarge ? crowdedMin : 1);
    return this.#isReady && this.#asked.size < askedMax;
  }

  #noteCrowd(searches: number): void {
    const now = performance.now();
    this.#crowded = (now - this.#crowdedAt > crowdedPauseMs ? 0 : this.#crowded) + searches;
    this.#crowdedAt = now;
    if (this.#crowded >= crowdedMin && this.#worker === undefined && now >= this.#startAgainAt) this.#start();
  }

  #ask(
    views: readonly SegmentView[],
    query: string,
    { limit, names = [] }: RankOptions,
  ): Promise<RankedSnippet[] | undefined> {
    this.#lastId += 1;
    const request = { id: this.#lastId, views: views.map((view) => this.#sent(view)), query, names, limit };
    const { promise, resolve } = Promise.withResolvers<RankedSnippet[] | undefined>();
    this.#asked.set(request.id, { answer: resolve, request, views });
    this.#post(request);
    return promise;
  }

  #post(request: RankRequest): void {
    clearTimeout(this.#idling);
    this.#worker?.ref();
    this.#worker?.postMessage(request);
  }

  #sent({ segment, key, hiddenPages, onlyPages, name, boost }: SegmentView): SentView {
    const view: SentView = {
      key,
      ...(name === undefined ? {} : { name }),
      ...(hiddenPages === undefined ? {} : { hiddenPages }),
      ...(onlyPages === undefined ? {} : { onlyPages }),
      ...(boost === undefined ? {} : { boost }),
    };
    if (segment.shared === undefined || this.#told.has(key)) return view;
    this.#told.add(key);
    return { ...view, shared: segment.shared };
  }

  #start(): void {
    const worker = new Worker(new URL('./rank-worker.ts', import.meta.url), {
      name: 'rank',
      workerData: { unusedMs: this.#unusedMs } satisfies RankThreadData,
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 24 },
    });
    this.#worker = worker;
    worker.unref();
    worker.on('message', (said: RankAnswer) => this.#receive(said));
    worker.on('error', (error) => this.#failed(worker, error));
    worker.on('exit', (code) => {
      if (code === 0) this.#forget(worker);
      else this.#failed(worker, new Error(`The thread that ranks ended with code ${code}.`));
    });
  }

  #failed(worker: Worker, fault: unknown): void {
    if (this.#worker !== worker) return;
    this.#onFault(fault);
    this.#startAgainAt = Math.max(this.#startAgainAt, performance.now() + failedPauseMs);
    this.#forget(worker);
  }

  #receive(said: RankAnswer): void {
    if (said.kind === 'ready') {
      this.#isReady = true;
      return this.#rest();
    }
    const asked = this.#asked.get(said.id);
    if (asked === undefined) return;
    if (said.kind === 'unknown') return this.#tellAgain(asked);
    this.#asked.delete(said.id);
    if (this.#asked.size === 0) this.#rest();
    // On failure, rank on this thread, so that a segment's error reaches the caller.
    asked.answer(said.kind === 'ranked' ? fromRows(said.rows) : undefined);
  }

  #tellAgain({ request, views }: Asked): void {
    for (const { key } of views) this.#told.delete(key);
    this.#post({ ...request, views: views.map((view) => this.#sent(view)) });
  }

  #rest(): void {
    this.#worker?.unref();
    clearTimeout(this.#idling);
    this.#idling = setTimeout(() => this.#end(), this.#idleMs).unref();
  }

  #end(): void {
    this.#isReady = false;
    this.#worker?.postMessage('close');
  }

  #forget(worker: Worker): void {
    if (this.#worker !== worker) return;
    clearTimeout(this.#idling);
    this.#worker = undefined;
    this.#isReady = false;
    this.#told.clear();
    const asked = [...this.#asked.values()];
    this.#asked.clear();
    for (const { answer } of asked) answer(undefined);
  }
}
