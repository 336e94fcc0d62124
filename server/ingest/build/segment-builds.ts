import type { BlobConfig } from '#server/platform/blobs/index.ts';
import type { FailPoint } from '#server/platform/fail-point.ts';
import type { BuildResult, BuildTask } from './build-task.ts';
import { BuildThread } from './build-thread.ts';

/** The largest module of the reference set (2,763 pages, 125 MB of HTML) builds under this. */
const heapMegabytesDefault = 768;
/** A thread that built something keeps some 100 MB; starting one takes half a second. */
const idleMsDefault = 60_000;
/** The longest step without a sign of life takes seconds; 20,000 pages as a whole take less than a minute. */
const silenceMsDefault = 10 * 60_000;

export interface SegmentBuilds {
  /**
   * Runs one build on a thread of its own, so that searches are answered meanwhile; one at a time, in order. Rejects
   * with BuildError or BlobError, or with the signal's reason, and then nothing is stored under the segment's key
   * unless the abort came after the last byte.
   */
  run(task: BuildTask, signal?: AbortSignal): Promise<BuildResult>;
  /** Starts the thread: there will be something to build. Never fails. */
  warm(): void;
  /** Says that a chunk is there which will be part of a build: its slow half is done meanwhile. Never fails. */
  prepare(chunkKey: string): void;
  /** Gives up what was prepared of these chunks: their run is over. */
  forget(chunkKeys: string[]): void;
  /** Ends the thread; builds that wait or run are refused. */
  close(): Promise<void>;
}

export interface SegmentBuildsOptions {
  /** What the thread runs. */
  workerFile?: URL;
  /** How long a thread at work may say nothing. */
  silenceMsMax?: number;
  heapMegabytesMax?: number;
  /** How long a thread is kept that has nothing to build and has prepared nothing. */
  idleMs?: number;
  failPoint?: FailPoint | undefined;
}

/** Starts the build thread when it is needed, keeps it for a while, and replaces one that has ended. */
export function createSegmentBuilds(blobConfig: BlobConfig, options: SegmentBuildsOptions = {}): SegmentBuilds {
  const limits = {
    silenceMsMax: options.silenceMsMax ?? silenceMsDefault,
    heapMegabytesMax: options.heapMegabytesMax ?? heapMegabytesDefault,
  };
  const workerFile = options.workerFile ?? new URL('./build-worker.ts', import.meta.url);
  const closed = new AbortController();
  let thread: BuildThread | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const uses = new Uses(options.idleMs ?? idleMsDefault, () => {
    void thread?.close(new Error('the build thread had nothing to do'));
  });

  const threadAtHand = () => {
    if (thread === undefined || thread.isGone)
      thread = new BuildThread(workerFile, { blobConfig, failPoint: options.failPoint }, limits);
    return thread;
  };

  const runOne = async (task: BuildTask, signal: AbortSignal | undefined): Promise<BuildResult> => {
    closed.signal.throwIfAborted();
    signal?.throwIfAborted();
    const isFresh = thread === undefined || thread.isGone;
    const current = threadAtHand();
    try {
      return await current.run(task, signal);
    } catch (error) {
      if (isFresh || current.hasTakenTask) throw error;
      // It ended of its last task, in the moment this one was given to it.
      return runOne(task, signal);
    }
  };

  return {
    run(task, signal) {
      uses.add(task);
      const result = last.then(() => runOne(task, signal)).finally(() => uses.remove([task]));
      last = result.catch(() => undefined);
      return signal === undefined ? result : orAborted(result, signal);
    },
    warm() {
      if (closed.signal.aborted || (thread !== undefined && !thread.isGone)) return;
      threadAtHand();
      uses.remove([]);
    },
    prepare(chunkKey) {
      if (closed.signal.aborted) return;
      uses.add(chunkKey);
      threadAtHand().tell({ kind: 'prepare', chunkKey });
    },
    forget(chunkKeys) {
      if (chunkKeys.length === 0) return;
      thread?.tell({ kind: 'forget', chunkKeys });
      uses.remove(chunkKeys);
    },
    async close() {
      uses.stopWaiting();
      const reason = new Error('building was stopped');
      closed.abort(reason);
      await thread?.close(reason);
      await last;
    },
  };
}

/** What the thread is needed for: builds, and chunks prepared for one. Calls `onIdle` when there has been none for a while. */
class Uses {
  readonly #uses = new Set<BuildTask | string>();
  readonly #idleMs: number;
  readonly #onIdle: () => void;
  #idling: NodeJS.Timeout | undefined;

  constructor(idleMs: number, onIdle: () => void) {
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
  }

  add(use: BuildTask | string): void {
    this.#uses.add(use);
    this.stopWaiting();
  }

  remove(uses: readonly (BuildTask | string)[]): void {
    for (const use of uses) this.#uses.delete(use);
    this.stopWaiting();
    if (this.#uses.size === 0) this.#idling = setTimeout(this.#onIdle, this.#idleMs).unref();
  }

  stopWaiting(): void {
    clearTimeout(this.#idling);
  }
}

/** An abort is answered at once, also while others have their turn. */
function orAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
