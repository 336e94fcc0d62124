import { Worker } from 'node:worker_threads';
import { createThreadGuard } from '#server/platform/threads/thread-guard.ts';
import type { Listed, ListFile } from '../crawl/list-file.ts';
import { ParseError, type ParseErrorCode } from './parse-error.ts';
import type { IncludeInput, ParsedPage, ParseInput } from './parse-page.ts';
import type { WorkerAnswer } from './worker.ts';

/** A worker not ready by then has failed to start. */
const startTimeoutMs = 60_000;
/** Reading one included file takes milliseconds; after this time the disk is considered gone. */
const readMsMax = 60_000;

export type Work =
  | { kind: 'parse'; input: ParseInput }
  | { kind: 'include'; input: IncludeInput }
  | { kind: 'list'; input: ListFile };

/**
 * A task with its promise. The result is a parsed page, the bytes of a text changed by its includes, or the contents of
 * a list file.
 */
export type ParseTask = Work & {
  resolve: (result: ParsedPage | Uint8Array | Listed | undefined) => void;
  reject: (reason: unknown) => void;
};

export interface WorkerLimits {
  timeoutMs: number;
  heapMegabytesMax: number;
}

/**
 * One worker thread, which handles one page at a time. If a page exceeds its time or memory, the thread ends too, and
 * `onGone` is called so that the pool can start another.
 */
export class ParseWorker {
  private readonly worker: Worker;
  private readonly guard = createThreadGuard();
  private readonly limits: WorkerLimits;
  private readonly onFree: (worker: ParseWorker) => void;
  private readonly onGone: (worker: ParseWorker, failedStart: unknown) => void;
  private task: ParseTask | undefined;
  private fault: unknown;
  private endsAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private isReady = false;
  private isGone = false;

  constructor(
    limits: WorkerLimits,
    onFree: (worker: ParseWorker) => void,
    onGone: (worker: ParseWorker, failedStart: unknown) => void,
  ) {
    this.limits = limits;
    this.onFree = onFree;
    this.onGone = onGone;
    this.worker = new Worker(new URL('./worker.ts', import.meta.url), {
      name: 'parse',
      workerData: { guardedCompression: this.guard.shared },
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytesMax, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    });
    this.worker.on('message', (answer: WorkerAnswer) => this.receive(answer));
    this.worker.on('error', (error: Error & { code?: string }) => this.crash(error));
    this.worker.on('exit', (code) => this.end('parse-failed', `The parser stopped unexpectedly (exit code ${code}).`));
    this.timer = setTimeout(() => this.end('parse-failed', 'The parser did not start.'), startTimeoutMs).unref();
  }

  get isFree(): boolean {
    return this.isReady && !this.isGone && this.task === undefined;
  }

  /** Starts a task. A page's bytes are transferred to the thread if they own their memory, otherwise copied. */
  run(task: ParseTask): void {
    this.task = task;
    this.fault = undefined;
    this.worker.ref();
    this.giveTime(this.limits.timeoutMs);
    if (task.kind === 'include') {
      const { path, format } = task.input;
      const bytes = new Uint8Array(task.input.bytes);
      this.worker.postMessage({ kind: 'include', input: { bytes, path, format } }, [bytes.buffer]);
    } else {
      const bytes = withOwnMemory(task.input.bytes);
      this.worker.postMessage({ kind: task.kind, input: { ...task.input, bytes } }, [bytes.buffer]);
    }
  }

  /** Returns the thread's heap size, including free space. */
  async heapMegabytes(): Promise<number> {
    // Fails if the thread has ended.
    const heap = await this.worker.getHeapStatistics().catch(() => undefined);
    return heap === undefined ? Number.POSITIVE_INFINITY : heap.total_heap_size / 1e6;
  }

  /** Ends the thread; a page being parsed is rejected with `parse-closed`. */
  async close(): Promise<void> {
    this.end('parse-closed', 'Parsing was stopped.');
    await this.guard.end(this.worker);
  }

  private timeoutMessage(): string {
    return `Reading ${this.task ? nameOf(this.task) : 'a page'} took longer than ${this.limits.timeoutMs / 1000} seconds and was stopped.`;
  }

  private receive(answer: WorkerAnswer): void {
    if (this.isGone) return;
    if (answer.kind === 'wants') return void this.give(answer.path, answer.id);
    clearTimeout(this.timer);
    const task = this.task;
    this.task = undefined;
    this.isReady = true;
    this.worker.unref();
    if (this.fault !== undefined) task?.reject(this.fault);
    else if (answer.kind === 'done') task?.resolve(answer.result);
    else if (answer.kind === 'failed') task?.reject(new ParseError(answer.code, answer.message));
    this.onFree(this);
  }

  /** Sends an included file's text. If reading fails, the task is rejected once the thread has finished it. */
  private async give(path: string, id: number): Promise<void> {
    const { task } = this;
    // Reading does not count toward the text's time limit.
    const leftMs = this.endsAt - performance.now();
    this.giveTime(readMsMax);
    let text: string | undefined;
    try {
      if (task?.kind === 'include' && this.fault === undefined) text = await task.input.read(path);
    } catch (error) {
      this.fault = error;
    }
    if (this.isGone) return;
    this.giveTime(Math.max(0, leftMs));
    this.worker.postMessage({ kind: 'text', id, text });
  }

  private giveTime(ms: number): void {
    clearTimeout(this.timer);
    this.endsAt = performance.now() + ms;
    this.timer = setTimeout(() => this.end('parse-timeout', this.timeoutMessage()), ms);
  }

  private crash(error: Error & { code?: string }): void {
    const url = this.task ? nameOf(this.task) : 'A page';
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      this.end(
        'parse-memory',
        `Reading ${url} needed more than ${this.limits.heapMegabytesMax} MB of memory and was stopped.`,
      );
    } else this.end('parse-failed', `Reading ${url} stopped the parser (${error.message.slice(0, 300)}).`, error);
  }

  private end(code: ParseErrorCode, message: string, cause?: unknown): void {
    if (this.isGone) return;
    this.isGone = true;
    clearTimeout(this.timer);
    this.task?.reject(new ParseError(code, message, { cause }));
    this.task = undefined;
    void this.guard.end(this.worker);
    this.onGone(this, this.isReady ? undefined : (cause ?? new Error(message)));
  }
}

function nameOf({ kind, input }: Work): string {
  return kind === 'include' ? input.path : input.url;
}

/** Copies views, because transferring one would transfer its whole buffer. */
function withOwnMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength === buffer.byteLength;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
