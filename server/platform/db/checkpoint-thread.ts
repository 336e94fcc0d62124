import { Worker } from 'node:worker_threads';

/** About 6 MB of log at the usual commit size; each page of the log makes reading the file a little slower. */
const commitsMaxDefault = 250;
/** Starting a thread takes about 30 ms, keeping one about 10 MB. */
const idleMs = 60_000;

/**
 * Checkpoints SQLite's write-ahead log in a separate thread after every `commitsMax` commits, because a checkpoint
 * waits for the disk twice. If the thread falls behind or fails, the writing handle eventually checkpoints.
 */
export class CheckpointThread {
  readonly #file: string;
  readonly #commitsMax: number;
  #commits = 0;
  #worker: Worker | undefined;
  #isAtWork = false;
  #idling: NodeJS.Timeout | undefined;

  constructor(file: string, commitsMax = commitsMaxDefault) {
    this.#file = file;
    this.#commitsMax = commitsMax;
  }

  /** Must be called after each commit. */
  committed(): void {
    this.#commits += 1;
    if (this.#commits < this.#commitsMax || this.#isAtWork) return;
    this.#commits = 0;
    this.#isAtWork = true;
    clearTimeout(this.#idling);
    this.#worker ??= this.#start();
    this.#worker.postMessage('checkpoint');
  }

  /** Resolves when the thread has closed the file. */
  async close(): Promise<void> {
    clearTimeout(this.#idling);
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.ref();
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    await ended;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      name: 'checkpoint',
      workerData: this.#file,
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
    });
    worker.unref();
    worker.on('message', () => this.#rest(worker));
    // The next thread or the writing handle retries a failed checkpoint; the latter reports the error.
    worker.on('error', () => this.#forget(worker));
    worker.on('exit', () => this.#forget(worker));
    return worker;
  }

  #rest(worker: Worker): void {
    this.#isAtWork = false;
    this.#idling = setTimeout(() => worker.postMessage('close'), idleMs).unref();
  }

  #forget(worker: Worker): void {
    if (this.#worker !== worker) return;
    clearTimeout(this.#idling);
    this.#worker = undefined;
    this.#isAtWork = false;
  }
}
