import { ParseError } from './parse-error.ts';
import type { ParsedPage, ParseInput } from './parse-page.ts';
import { type ParseTask, ParseWorker } from './parse-worker.ts';

export interface ParsePoolOptions {
  /** Number of threads. */
  size: number;
  /** Time one page may take. Default 20 s: a hundred times what a large page needs. */
  timeoutMs?: number;
  /** Heap one thread may have. */
  heapMegabytesMax?: number;
  /** Pages that may wait for a thread; each holds its bytes. Default four a thread. */
  waitingMax?: number;
}

export interface ParsePool {
  /**
   * Parses one page in a thread of its own. The bytes are moved there: do not use them afterwards. Rejects with `ParseError`, or
   * with the signal's reason when it is aborted; other pages are not affected by either.
   */
  parse(input: ParseInput, signal?: AbortSignal): Promise<ParsedPage>;
  /** Resolves when `parse` would take another page without refusing it. */
  whenRoom(): Promise<void>;
  /** Ends the threads that have nothing to do and gives their memory back; the next page starts one again. */
  rest(): Promise<void>;
  /** Ends all threads. Pages that wait or run are refused with `parse-closed`. */
  close(): Promise<void>;
}

/** Threads in a row that end before they are ready, after which no further one is started. */
const failedStartsMax = 3;

/**
 * Threads that turn bytes into snippets. A page that takes too long, needs too much memory or stops its thread fails alone; the
 * thread is replaced. Threads start with the first page and do not keep the process alive while idle.
 */
export function createParsePool(options: ParsePoolOptions): ParsePool {
  return new Pool(options);
}

interface Waiting extends ParseTask {
  release: () => void;
}

class Pool implements ParsePool {
  private readonly size: number;
  private readonly waitingMax: number;
  private readonly limits: { timeoutMs: number; heapMegabytesMax: number };
  private readonly workers = new Set<ParseWorker>();
  private readonly waiting: Waiting[] = [];
  private readonly roomWanted: (() => void)[] = [];
  private failedStarts = 0;
  private isClosed = false;

  constructor(options: ParsePoolOptions) {
    this.size = Math.max(1, options.size);
    this.waitingMax = options.waitingMax ?? this.size * 4;
    this.limits = { timeoutMs: options.timeoutMs ?? 20_000, heapMegabytesMax: options.heapMegabytesMax ?? 512 };
  }

  parse(input: ParseInput, signal?: AbortSignal): Promise<ParsedPage> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (this.isClosed) return Promise.reject(new ParseError('parse-closed', 'Parsing was stopped.'));
    if (!this.hasRoom) return Promise.reject(new ParseError('parse-busy', 'Too many pages wait to be parsed.'));
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.withdraw(task);
        task.reject(signal?.reason);
      };
      const release = (): void => signal?.removeEventListener('abort', abort);
      const task: Waiting = {
        input,
        release,
        resolve: (page) => {
          release();
          resolve(page);
        },
        reject: (reason) => {
          release();
          reject(reason as Error);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.waiting.push(task);
      this.dispatch();
    });
  }

  whenRoom(): Promise<void> {
    if (this.hasRoom || this.isClosed) return Promise.resolve();
    return new Promise((resolve) => this.roomWanted.push(resolve));
  }

  async rest(): Promise<void> {
    const free = [...this.workers].filter((worker) => worker.isFree);
    for (const worker of free) this.workers.delete(worker);
    await Promise.all(free.map((worker) => worker.close()));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const task of this.waiting.splice(0)) task.reject(new ParseError('parse-closed', 'Parsing was stopped.'));
    for (const resolve of this.roomWanted.splice(0)) resolve();
    await Promise.all([...this.workers].map((worker) => worker.close()));
    this.workers.clear();
  }

  private get hasRoom(): boolean {
    return this.waiting.length < this.waitingMax;
  }

  /** A page that runs is left to end; nobody waits for it any more. */
  private withdraw(task: Waiting): void {
    const index = this.waiting.indexOf(task);
    if (index < 0) return;
    this.waiting.splice(index, 1);
    this.offerRoom();
  }

  private dispatch(): void {
    for (const worker of this.workers) {
      if (!worker.isFree) continue;
      const task = this.waiting.shift();
      if (!task) break;
      worker.run(task);
      this.offerRoom();
    }
    const isAnyMissing = this.waiting.length > 0 && this.workers.size < this.size && !this.isClosed;
    if (isAnyMissing) this.startWorker();
  }

  private startWorker(): void {
    const worker = new ParseWorker(
      this.limits,
      () => {
        this.failedStarts = 0;
        this.dispatch();
      },
      (gone, failedStart) => {
        this.workers.delete(gone);
        if (failedStart !== undefined) this.failedStarts++;
        if (this.failedStarts < failedStartsMax) this.dispatch();
        else this.giveUp(failedStart);
      },
    );
    this.workers.add(worker);
  }

  /** Threads that end before they are ready would be started for ever. */
  private giveUp(cause: unknown): void {
    this.failedStarts = 0;
    for (const task of this.waiting.splice(0))
      task.reject(new ParseError('parse-failed', 'The parser cannot be started.', { cause }));
    this.offerRoom();
  }

  private offerRoom(): void {
    while (this.hasRoom && this.roomWanted.length > 0) this.roomWanted.shift()?.();
  }
}
