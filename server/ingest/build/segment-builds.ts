import type { BlobConfig } from '#server/platform/blobs/index.ts';
import type { BuildResult, BuildTask } from './build-task.ts';
import { BuildThread } from './build-thread.ts';

/** The largest module of the reference set (2,763 pages, 125 MB of HTML) builds under this. */
const heapMegabytesDefault = 768;
/** The longest step without a sign of life takes seconds; 20,000 pages as a whole take less than a minute. */
const silenceMsDefault = 10 * 60_000;

export interface SegmentBuilds {
  /**
   * Runs one build on a thread of its own, so that searches are answered meanwhile; one at a time, in order. Rejects
   * with BuildError or BlobError, or with the signal's reason, and then nothing is stored under the segment's key
   * unless the abort came after the last byte.
   */
  run(task: BuildTask, signal?: AbortSignal): Promise<BuildResult>;
  /** Ends the thread; builds that wait or run are refused. */
  close(): Promise<void>;
}

export interface SegmentBuildsOptions {
  /** What the thread runs. */
  workerFile?: URL;
  /** How long a thread at work may say nothing. */
  silenceMsMax?: number;
  heapMegabytesMax?: number;
}

/** Starts the build thread when it is first needed, keeps it for the next build, and replaces one that has ended. */
export function createSegmentBuilds(blobConfig: BlobConfig, options: SegmentBuildsOptions = {}): SegmentBuilds {
  const limits = {
    silenceMsMax: options.silenceMsMax ?? silenceMsDefault,
    heapMegabytesMax: options.heapMegabytesMax ?? heapMegabytesDefault,
  };
  const workerFile = options.workerFile ?? new URL('./build-worker.ts', import.meta.url);
  const closed = new AbortController();
  let thread: BuildThread | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const startThread = () => new BuildThread(workerFile, { blobConfig }, limits);

  const runOne = async (task: BuildTask, signal: AbortSignal | undefined): Promise<BuildResult> => {
    closed.signal.throwIfAborted();
    signal?.throwIfAborted();
    const isFresh = thread === undefined || thread.isGone;
    const current = thread === undefined || thread.isGone ? startThread() : thread;
    thread = current;
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
      const result = last.then(() => runOne(task, signal));
      last = result.catch(() => undefined);
      return signal === undefined ? result : orAborted(result, signal);
    },
    async close() {
      const reason = new Error('building was stopped');
      closed.abort(reason);
      await thread?.close(reason);
      await last;
    },
  };
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
