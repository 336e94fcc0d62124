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

const stopped = 'Start it again: what was fetched is kept.';

export interface BuildLimits {
  /** How long a thread at work may say nothing. */
  silenceMsMax: number;
  heapMegabytesMax: number;
}

interface Running {
  resolve(result: BuildResult): void;
  reject(reason: unknown): void;
}

/**
 * One thread that builds one segment at a time. Whatever becomes of the thread, at whatever moment, a task in hand is
 * answered, and `isGone` tells that the next one needs another thread.
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
    // Listened to from the beginning to the end: a thread may end between two tasks as well.
    this.#worker.on('message', (answer: BuildAnswer) => this.#receive(answer));
    this.#worker.on('messageerror', (error) => this.#end(failure('its answer could not be read', error)));
    this.#worker.on('error', (error: Error & { code?: string }) => this.#end(crash(error, limits)));
    this.#worker.on('exit', (code) => this.#end(failure(`the build thread ended (exit code ${code})`)));
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** The thread has said something since it was given the last task. */
  get hasTakenTask(): boolean {
    return this.#hasTakenTask;
  }

  /** Builds; not to be called while a task runs. An abort ends the thread and rejects with the signal's reason. */
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

  /** Has the thread work ahead for a build to come, or give up what it did; a thread that has ended does nothing. */
  tell(message: Exclude<BuildMessage, { kind: 'build' }>): void {
    this.#post(message);
  }

  /** Ends the thread; a task in hand is refused with `reason`. */
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

  /** A thread that says nothing for so long has lost its task: it loops, or it runs code that knows no such task. */
  #expectSign(): void {
    clearTimeout(this.#watch);
    if (this.#running === undefined) return;
    const minutes = Math.ceil(this.#limits.silenceMsMax / 60_000);
    const stuck = `The index was not built: the build thread gave no sign of life for ${minutes} minutes. ${stopped}`;
    this.#watch = setTimeout(() => this.#end(new BuildError('build-stuck', stuck)), this.#limits.silenceMsMax);
  }
}

function errorOf(answer: Exclude<BuildAnswer, { kind: 'alive' | 'built' }>): Error {
  switch (answer.kind) {
    case 'blob-failed':
      return new BlobError(answer.code, answer.message);
    case 'base-damaged':
      return new BuildError('base-damaged', 'What the module serves now is damaged. Index it again.', {
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
