import { Worker } from 'node:worker_threads';

/** Some 6 MB of log with commits of the usual size; the file is read a little slower for each page of the log. */
const commitsMaxDefault = 250;
/** Starting a thread costs some 30 ms, keeping one some 10 MB. */
const idleMs = 60_000;

/**
 * Folds SQLite's write-ahead log into the file, which waits for the disk twice, in a thread of its own, each time there
 * were so many commits. Where it does not come along, or fails, the writing handle does so by itself at some time.
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

  /** To be called after each commit. */
  committed(): void {
    this.#commits += 1;
    if (this.#commits < this.#commitsMax || this.#isAtWork) return;
    this.#commits = 0;
    this.#isAtWork = true;
    clearTimeout(this.#idling);
    this.#worker ??= this.#start();
    this.#worker.postMessage('checkpoint');
  }

  /** Resolves when the thread has let go of the file. */
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
    // What it could not do is tried again by the next thread, or by the writing handle, which tells what is wrong.
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
