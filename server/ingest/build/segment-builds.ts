import type { BlobConfig } from '#server/platform/blobs/index.ts';
import type { FailPoint } from '#server/platform/fail-point.ts';
import type { BuildResult, BuildTask } from './build-task.ts';
import { BuildThread } from './build-thread.ts';

/** Enough for the largest module of the reference set (2,763 pages, 125 MB of HTML). */
const heapMegabytesDefault = 768;
/** A used thread keeps some 100 MB; starting one takes half a second. */
const idleMsDefault = 60_000;
/** The longest step without a message takes seconds; 20,000 pages take less than a minute in total. */
const silenceMsDefault = 10 * 60_000;

export interface SegmentBuilds {
  /**
   * Runs one build in a separate thread, so that searches continue meanwhile; one at a time, in order. Rejects with
   * BuildError or BlobError, or with the signal's reason; then nothing is stored under the segment's key, unless the
   * abort came after the last byte.
   */
  run(task: BuildTask, signal?: AbortSignal): Promise<BuildResult>;
  /** Starts the thread for an upcoming build. Never fails. */
  warm(): void;
  /** Announces a stored chunk of an upcoming build, so that its terms are computed in advance. Never fails. */
  prepare(chunkKey: string): void;
  /** Discards prepared data of these chunks, because their run is over. */
  forget(chunkKeys: string[]): void;
  /** Ends the thread; waiting and running builds are rejected. */
  close(): Promise<void>;
}

export interface SegmentBuildsOptions {
  /** The thread's program. */
  workerFile?: URL;
  /** Maximum time without a message from a working thread. */
  silenceMsMax?: number;
  heapMegabytesMax?: number;
  /** How long a thread without builds or prepared chunks is kept. */
  idleMs?: number;
  failPoint?: FailPoint | undefined;
}

/** Starts the build thread on demand, keeps it for a while, and replaces it if it has ended. */
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
      // The previous task ended the thread just as this one was posted.
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

/** Tracks what the thread is needed for: builds and prepared chunks. Calls `onIdle` after a while without any. */
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

/** Rejects immediately on abort, even while other builds run first. */
function orAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
