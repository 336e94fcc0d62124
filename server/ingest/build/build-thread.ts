import { Worker } from 'node:worker_threads';
import { BlobError } from '#server/platform/blobs/index.ts';
import { createThreadGuard } from '#server/platform/threads/thread-guard.ts';
import {
  type BuildAnswer,
  BuildError,
  type BuildMessage,
  type BuildResult,
  type BuildTask,
  type BuildThreadData,
} from './build-task.ts';

const stopped = 'Start it again: fetched pages are kept.';

export interface BuildLimits {
  /** Maximum time without a message from a working thread. */
  silenceMsMax: number;
  heapMegabytesMax: number;
}

interface Running {
  resolve(result: BuildResult): void;
  reject(reason: unknown): void;
}

/**
 * A thread that builds one segment at a time. If the thread ends at any moment, the current task is rejected and
 * `isGone` becomes true, so that the next task uses another thread.
 */
export class BuildThread {
  readonly #worker: Worker;
  readonly #limits: BuildLimits;
  readonly #guard = createThreadGuard();
  #running: Running | undefined;
  #watch: NodeJS.Timeout | undefined;
  #isGone = false;
  #hasTakenTask = false;

  constructor(file: URL, data: Omit<BuildThreadData, 'guardedCompression'>, limits: BuildLimits) {
    this.#limits = limits;
    this.#worker = new Worker(file, {
      name: 'build',
      workerData: { ...data, guardedCompression: this.#guard.shared } satisfies BuildThreadData,
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytesMax, maxYoungGenerationSizeMb: 32 },
    });
    this.#worker.unref();
    // The listeners stay for the thread's whole life, because it may also end between two tasks.
    this.#worker.on('message', (answer: BuildAnswer) => this.#receive(answer));
    this.#worker.on('messageerror', (error) => this.#end(failure('its answer could not be read', error)));
    this.#worker.on('error', (error: Error & { code?: string }) => this.#end(crash(error, limits)));
    this.#worker.on('exit', (code) => this.#end(failure(`the build thread ended (exit code ${code})`)));
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** True if the thread has sent a message since the last task was posted. */
  get hasTakenTask(): boolean {
    return this.#hasTakenTask;
  }

  /**
   * Builds a segment; must not be called while a task runs. An abort ends the thread and rejects with the signal's
   * reason.
   */
  run(task: BuildTask, signal: AbortSignal | undefined): Promise<BuildResult> {
    const onAbort = () => this.#end(signal?.reason);
    const result = new Promise<BuildResult>((resolve, reject) => {
      this.#running = { resolve, reject };
    });
    this.#hasTakenTask = false;
    this.#worker.ref();
    this.#expectSign();
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#post({ kind: 'build', task });
    return result.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  /** Tells the thread to prepare or forget chunks; does nothing if the thread has ended. */
  tell(message: Exclude<BuildMessage, { kind: 'build' }>): void {
    this.#post(message);
  }

  /** Ends the thread; a running task is rejected with `reason`. */
  async close(reason: Error): Promise<void> {
    this.#end(reason);
    await this.#guard.end(this.#worker);
  }

  #post(message: BuildMessage): void {
    this.#worker.postMessage(message);
  }

  #receive(answer: BuildAnswer): void {
    if (this.#isGone) return;
    this.#hasTakenTask = true;
    if (answer.kind === 'alive') return this.#expectSign();
    const running = this.#take();
    if (answer.kind === 'built') running?.resolve(answer.result);
    else running?.reject(errorOf(answer));
  }

  #end(reason: unknown): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#take()?.reject(reason);
    void this.#guard.end(this.#worker);
  }

  #take(): Running | undefined {
    const running = this.#running;
    this.#running = undefined;
    clearTimeout(this.#watch);
    this.#worker.unref();
    return running;
  }

  /**
   * Rejects the task after too long a silence: the thread is in an endless loop, or its code does not know this task.
   */
  #expectSign(): void {
    clearTimeout(this.#watch);
    if (this.#running === undefined) return;
    const minutes = Math.ceil(this.#limits.silenceMsMax / 60_000);
    const stuck = `The index was not built: the build thread did not respond for ${minutes} minutes. ${stopped}`;
    this.#watch = setTimeout(() => this.#end(new BuildError('build-stuck', stuck)), this.#limits.silenceMsMax);
  }
}

function errorOf(answer: Exclude<BuildAnswer, { kind: 'alive' | 'built' }>): Error {
  switch (answer.kind) {
    case 'blob-failed':
      return new BlobError(answer.code, answer.message);
    case 'base-damaged':
      return new BuildError('base-damaged', 'The served version of the module is damaged. Index it again.', {
        cause: answer.message,
      });
    case 'failed':
      return failure('the server log says why', answer.detail);
  }
}

function crash(error: Error & { code?: string }, { heapMegabytesMax }: BuildLimits): BuildError {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return failure('the server log says why', error);
  return new BuildError(
    'build-memory',
    `The index needs more than ${heapMegabytesMax} MB of memory to build. Index fewer pages (--max-pages), or a part of the site.`,
    { cause: error },
  );
}

function failure(what: string, cause?: unknown): BuildError {
  return new BuildError('build-failed', `The index could not be built: ${what}. ${stopped}`, { cause });
}
