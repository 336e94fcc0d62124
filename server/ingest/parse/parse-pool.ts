import { availableParallelism, cpus } from 'node:os';
import type { Listed, ListFile } from '../crawl/list-file.ts';
import { FairLine, type OwnedTask } from '../fair-line.ts';
import { ParseError, type ParseErrorCode } from './parse-error.ts';
import type { IncludeInput, ParsedPage, ParseInput } from './parse-page.ts';
import { type ParseTask, ParseWorker, type Work } from './parse-worker.ts';

/** Idle share of one processor that justifies another thread, which must compile all code again. */
const idleShareMin = 0.5;

/** Starts watching; the returned function returns true if a processor available to this process has been idle since. */
function watchProcessors(): () => boolean {
  const startedAt = performance.now();
  const ownBefore = process.cpuUsage();
  const idleBefore = idleMs();
  return () => {
    const elapsed = performance.now() - startedAt;
    const { user, system } = process.cpuUsage(ownBefore);
    // The process may be limited to some of the machine's processors, and other processes may use those too.
    const isAllowed = (user + system) / 1000 <= (availableParallelism() - idleShareMin) * elapsed;
    return isAllowed && idleMs() - idleBefore >= idleShareMin * elapsed;
  };
}

function idleMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0);
}

export interface ParsePoolOptions {
  /** Maximum number of threads. */
  size: number;
  /** Time limit per page. Default 20 s: a hundred times what a large page needs. */
  timeoutMs?: number;
  /** Maximum heap per thread. */
  heapMegabytesMax?: number;
  /** Maximum number of one owner's waiting pages, each of which holds its bytes. Default: four per thread. */
  waitingMax?: number;
  /** How long pages must wait before another thread is started. Default 1.5 s. */
  patienceMs?: number;
  /** Maximum heap of a thread that `shrink` keeps. Default 96 MB: threads that read large pages have more. */
  smallHeapMegabytes?: number;
  /** Starts watching; the returned function returns true if a processor has been idle since. */
  watchProcessors?: () => () => boolean;
  /** How long an idle thread is kept. Default: one minute. */
  idleMs?: number;
  nowMs?: () => number;
  /** Called for a text whose includes could not be resolved. */
  onLeft?: (path: string, error: ParseError) => void;
}

export interface ParsePool {
  /**
   * Parses one page in a worker thread. Transfers the bytes: do not use them afterwards. Rejects with `ParseError`, or
   * with the signal's reason when aborted; neither affects other pages. Owners (the people or workspaces that pages are
   * parsed for) share the threads by time.
   */
  parse(input: ParseInput, signal?: AbortSignal, owner?: string): Promise<ParsedPage>;
  /**
   * Inserts a text's included files, as `followIncludes` does, in a thread; the caller keeps the bytes. A text that
   * needs too much time or memory for this, or stops the thread, is returned unchanged. Rejects like `parse` when
   * aborted or closed, and with any rejection of `read`.
   */
  include(input: IncludeInput, signal?: AbortSignal, owner?: string): Promise<Uint8Array>;
  /** Reads a file that lists pages, in a thread. Transfers the bytes. Rejects like `parse`. */
  list(file: ListFile, signal?: AbortSignal, owner?: string): Promise<Listed>;
  /** Resolves when `parse` would accept another page of this owner. */
  whenRoom(owner?: string): Promise<void>;
  /**
   * Ends idle threads except one with a small heap, whose compiled code serves the next run. For callers that are about
   * to need memory.
   */
  shrink(): Promise<void>;
  /** Ends all threads. Waiting and running pages are rejected with `parse-closed`. */
  close(): Promise<void>;
}

/** Number of consecutive failed thread starts after which the waiting pages are rejected. */
const failedStartsMax = 3;
/** A page that takes this long is slow; a hundred large pages take less. */
const slowMs = 5_000;

/**
 * Threads that convert bytes to snippets. A page that takes too long, needs too much memory or stops its thread fails
 * alone, and the thread is replaced. The first page starts one thread; more are started if pages wait while a processor
 * is idle or no page finishes. Idle threads do not keep the process alive and end after a while.
 */
export function createParsePool(options: ParsePoolOptions): ParsePool {
  return new Pool(options);
}

const leftAsItStands: ReadonlySet<ParseErrorCode> = new Set(['parse-timeout', 'parse-memory', 'parse-failed']);

type OwnedPage = ParseTask & OwnedTask;

class Pool implements ParsePool {
  private readonly size: number;
  private readonly waitingMax: number;
  private readonly limits: { timeoutMs: number; heapMegabytesMax: number };
  private readonly workers = new Set<ParseWorker>();
  private readonly line: FairLine<OwnedPage>;
  private readonly roomWanted: { owner: string; resolve: () => void }[] = [];
  private readonly patienceMs: number;
  private readonly smallHeapMegabytes: number;
  private readonly watchProcessors: () => () => boolean;
  private readonly idleMs: number;
  private readonly onLeft: ParsePoolOptions['onLeft'];
  private impatience: NodeJS.Timeout | undefined;
  private idling: NodeJS.Timeout | undefined;
  /** How many times a thread has become free. */
  private freed = 0;
  private failedStarts = 0;
  private isClosed = false;

  constructor(options: ParsePoolOptions) {
    this.size = Math.max(1, options.size);
    this.line = new FairLine(slowMs, options.nowMs ?? (() => performance.now()));
    this.waitingMax = options.waitingMax ?? this.size * 4;
    this.patienceMs = options.patienceMs ?? 1500;
    this.smallHeapMegabytes = options.smallHeapMegabytes ?? 96;
    this.watchProcessors = options.watchProcessors ?? watchProcessors;
    this.idleMs = options.idleMs ?? 60_000;
    this.onLeft = options.onLeft;
    this.limits = { timeoutMs: options.timeoutMs ?? 20_000, heapMegabytesMax: options.heapMegabytesMax ?? 512 };
  }

  parse(input: ParseInput, signal?: AbortSignal, owner = ''): Promise<ParsedPage> {
    return this.enter({ kind: 'parse', input }, signal, owner) as Promise<ParsedPage>;
  }

  async include(input: IncludeInput, signal?: AbortSignal, owner = ''): Promise<Uint8Array> {
    // Other callers may have been waiting for the same room.
    while (!this.hasRoom(owner) && !this.isClosed) await this.whenRoom(owner);
    try {
      return ((await this.enter({ kind: 'include', input }, signal, owner)) as Uint8Array | undefined) ?? input.bytes;
    } catch (error) {
      if (!(error instanceof ParseError && leftAsItStands.has(error.code))) throw error;
      this.onLeft?.(input.path, error);
      return input.bytes;
    }
  }

  async list(input: ListFile, signal?: AbortSignal, owner = ''): Promise<Listed> {
    // Other callers may have been waiting for the same room.
    while (!this.hasRoom(owner) && !this.isClosed) await this.whenRoom(owner);
    return (await this.enter({ kind: 'list', input }, signal, owner)) as Listed;
  }

  private enter(work: Work, signal: AbortSignal | undefined, owner: string): Promise<unknown> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (this.isClosed) return Promise.reject(new ParseError('parse-closed', 'Parsing was stopped.'));
    if (!this.hasRoom(owner)) return Promise.reject(new ParseError('parse-busy', 'Too many pages wait to be parsed.'));
    return new Promise((resolve, reject) => {
      const release = (): void => signal?.removeEventListener('abort', abort);
      const task: OwnedPage = {
        ...{ ...work, owner },
        resolve: (result) => {
          release();
          this.line.end(task);
          resolve(result);
        },
        reject: (reason) => {
          release();
          this.line.end(task);
          reject(reason as Error);
        },
      };
      const abort = (): void => {
        this.withdraw(task);
        release();
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.line.add(task);
      this.dispatch();
    });
  }

  whenRoom(owner = ''): Promise<void> {
    if (this.hasRoom(owner) || this.isClosed) return Promise.resolve();
    return new Promise((resolve) => this.roomWanted.push({ owner, resolve }));
  }

  async shrink(): Promise<void> {
    let kept: ParseWorker | undefined;
    for (const worker of [...this.workers].filter(({ isFree }) => isFree)) {
      if (kept === undefined && (await worker.heapMegabytes()) <= this.smallHeapMegabytes) kept = worker;
      // It may have received a page in the meantime.
      else if (worker.isFree) await this.end(worker);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.impatience);
    clearTimeout(this.idling);
    for (const task of this.line.takeAll()) task.reject(new ParseError('parse-closed', 'Parsing was stopped.'));
    for (const { resolve } of this.roomWanted.splice(0)) resolve();
    await Promise.all([...this.workers].map((worker) => worker.close()));
    this.workers.clear();
  }

  private async endFree(): Promise<void> {
    const free = [...this.workers].filter((worker) => worker.isFree);
    await Promise.all(free.map((worker) => this.end(worker)));
  }

  private end(worker: ParseWorker): Promise<void> {
    this.workers.delete(worker);
    return worker.close();
  }

  private hasRoom(owner: string): boolean {
    return this.line.waitingOf(owner) < this.waitingMax;
  }

  /** Removes a waiting page. A running page continues and its time counts, although its result is no longer used. */
  private withdraw(task: OwnedPage): void {
    if (this.line.remove(task)) this.offerRoom();
  }

  /** Maximum number of threads for slow pages: one less than the pool's size, but at least one. */
  private get slowMax(): number {
    return Math.max(1, this.size - 1);
  }

  private dispatch(): void {
    for (const worker of this.workers) {
      if (!worker.isFree) continue;
      const task = this.line.take(this.slowMax);
      if (!task) break;
      worker.run(task);
      this.offerRoom();
    }
    this.grow();
    clearTimeout(this.idling);
    if (this.line.isEmpty) this.idling = setTimeout(() => void this.endFree(), this.idleMs).unref();
  }

  /** Starts a thread if useful: each costs seconds of compiling and some 100 MB. */
  private grow(): void {
    if (this.isClosed || this.line.isEmpty) {
      clearTimeout(this.impatience);
      this.impatience = undefined;
    } else if (this.workers.size === 0) this.startWorker();
    else this.impatience ??= this.growIfUseful();
  }

  private growIfUseful(): NodeJS.Timeout {
    const wasProcessorIdle = this.watchProcessors();
    const { freed } = this;
    return setTimeout(() => {
      this.impatience = undefined;
      const isHeldUp = freed > 0 && freed === this.freed;
      const isOfUse = this.areAllSlow || (this.workers.size < this.size && (isHeldUp || wasProcessorIdle()));
      if (isOfUse && this.line.hasNext(this.slowMax)) this.startWorker();
      // A running page may have become slow by now, which makes room for other owners.
      this.dispatch();
    }, this.patienceMs).unref();
  }

  /** True if slow pages occupy every thread, which justifies one more for other owners' pages. */
  private get areAllSlow(): boolean {
    return this.workers.size === this.size && this.line.slowRunning >= this.size;
  }

  private startWorker(): void {
    const worker = new ParseWorker(
      this.limits,
      (free) => {
        this.failedStarts = 0;
        this.freed++;
        if (this.workers.size > this.size && this.line.slowRunning < this.size) void this.end(free);
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

  /** Rejects all waiting pages, because threads that fail to start would be restarted forever. */
  private giveUp(cause: unknown): void {
    this.failedStarts = 0;
    for (const task of this.line.takeAll())
      task.reject(new ParseError('parse-failed', 'The parser cannot be started.', { cause }));
    this.offerRoom();
  }

  private offerRoom(): void {
    const wanted = this.roomWanted.splice(0);
    this.roomWanted.push(...wanted.filter(({ owner }) => !this.hasRoom(owner)));
    for (const { owner, resolve } of wanted) if (this.hasRoom(owner)) resolve();
  }
}
