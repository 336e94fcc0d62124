import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ParsedPdf, ParsePdfOptions } from './parse-pdf.ts';
import type { FromChild, ToChild } from './parse-task.ts';
import { PdfError, ReaderKilledError } from './pdf-error.ts';

export interface PdfLimits {
  /** Maximum time between two pages. */
  stallMs: number;
  /** Maximum time for a file. */
  totalMs: number;
  /** Maximum memory growth beyond the empty process and the file's bytes; up to twice as much as pages are read. */
  growthBytesMax: number;
}

/** A file's bytes in pieces. */
export type PdfBytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

const memoryCheckMs = 40;
/**
 * Memory per page full of text, measured with 1,158 and 2,789 such pages: 40 kB stay, and as much is not collected at
 * once.
 */
const bytesPerPage = 80_000;
const startMs = 30_000;
/** Heap limit for JavaScript; the rest of the allowed growth is for memory outside the heap. */
const heapMegabytesMax = 320;

const program = fileURLToPath(new URL('./parse-child.ts', import.meta.url));

/**
 * Parses one PDF in a separate process that ends afterwards. The process has no environment, may start nothing and
 * write nothing, and is killed if it stalls, exceeds its time or memory, or the signal is aborted. Rejects with
 * `PdfError`, or with the signal's reason.
 */
export async function parseInProcess(
  file: { bytes: PdfBytes; byteLength: number; options: ParsePdfOptions },
  limits: PdfLimits,
  watch: { onPage: (page: number, pages: number) => void; signal: AbortSignal },
): Promise<ParsedPdf> {
  watch.signal.throwIfAborted();
  const child = fork(program, [], {
    serialization: 'advanced',
    env: {},
    execArgv: [
      '--permission',
      '--allow-fs-read=*',
      '--disable-warning=ExperimentalWarning',
      '--disable-warning=SecurityWarning',
      `--max-old-space-size=${heapMegabytesMax}`,
      // Halves the memory at the same speed, because most of a page's objects are garbage at once.
      '--max-semi-space-size=4',
    ],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const guard = guardOf(child, { ...limits, growthBytesMax: limits.growthBytesMax + file.byteLength }, watch);
  try {
    return await guard.during(async () => {
      await guard.ready;
      await send(child, { kind: 'begin', byteLength: file.byteLength });
      for await (const bytes of file.bytes) await send(child, { kind: 'bytes', bytes });
      await send(child, { kind: 'parse', options: file.options });
    });
  } finally {
    guard.end();
    child.kill('SIGKILL');
  }
}

interface Guard {
  ready: Promise<void>;
  /** Returns the child's result; `begin` runs concurrently, and its failure rejects the whole call. */
  during(begin: () => Promise<void>): Promise<ParsedPdf>;
  end(): void;
}

function guardOf(
  child: ChildProcess,
  limits: PdfLimits,
  { onPage, signal }: { onPage: (page: number, pages: number) => void; signal: AbortSignal },
): Guard {
  const ready = Promise.withResolvers<void>();
  const result = Promise.withResolvers<ParsedPdf>();
  for (const { promise } of [ready, result]) promise.catch(() => undefined);
  const fail = (error: unknown) => {
    ready.reject(error);
    result.reject(error);
  };
  const memory = watchMemory(child, limits.growthBytesMax, (bytes) => fail(tooMuchMemory(bytes)));
  let stall = setTimeout(() => fail(new PdfError('pdf-failed', 'The PDF reader did not start.')), startMs);
  const total = setTimeout(() => fail(tooSlow(limits.totalMs, 'in total')), limits.totalMs);
  const isAlive = () => {
    clearTimeout(stall);
    stall = setTimeout(() => fail(tooSlow(limits.stallMs, 'without reading another page')), limits.stallMs);
  };
  const abort = () => fail(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  child.on('message', (message: FromChild) => {
    isAlive();
    if (message.kind === 'ready') {
      memory.begin();
      ready.resolve();
    } else if (message.kind === 'page') {
      memory.allow(Math.min(message.page * bytesPerPage, limits.growthBytesMax));
      onPage(message.page, message.pages);
    } else if (message.kind === 'parsed') result.resolve(message.parsed);
    else fail(new PdfError(message.code, message.message, { cause: new Error(message.detail) }));
  });
  child.on('error', (cause) => fail(new PdfError('pdf-failed', 'The PDF reader cannot be started.', { cause })));
  child.on('exit', (code, by) => fail(endedEarly(code, by)));
  return {
    ready: ready.promise,
    async during(begin) {
      await Promise.race([begin(), result.promise]);
      return result.promise;
    },
    end() {
      clearTimeout(stall);
      clearTimeout(total);
      memory.end();
      signal.removeEventListener('abort', abort);
    },
  };
}

/** Watches the child's resident memory once it is ready; on systems that do not report it, only the heap is limited. */
function watchMemory(child: ChildProcess, growthBytesMax: number, onTooMuch: (bytesMax: number) => void) {
  let timer: NodeJS.Timeout | undefined;
  let more = 0;
  return {
    allow(bytes: number) {
      more = bytes;
    },
    begin() {
      const processId = child.pid ?? 0;
      const before = residentBytesOf(processId) ?? 0;
      timer = setInterval(() => {
        if ((residentBytesOf(processId) ?? 0) <= before + growthBytesMax + more) return;
        // Kill directly: a runaway process allocates a gigabyte in the time a message takes.
        child.kill('SIGKILL');
        onTooMuch(growthBytesMax + more);
      }, memoryCheckMs);
    },
    end: () => clearInterval(timer),
  };
}

async function send(child: ChildProcess, message: ToChild): Promise<void> {
  // If the child has ended, its exit event reports the failure.
  await new Promise<void>((resolve) => child.send(message, () => resolve()));
}

function tooSlow(ms: number, what: string): PdfError {
  const sentence = `Reading the file took longer than ${Math.round(ms / 1000)} seconds ${what} and was stopped.`;
  return new PdfError('pdf-timeout', `${sentence} Split the file, or export it as a PDF again.`);
}

function tooMuchMemory(bytesMax: number): PdfError {
  const megabytes = Math.round(bytesMax / 1_000_000);
  const sentence = `Reading the file needed more than ${megabytes} MB of memory and was stopped.`;
  return new PdfError('pdf-memory', `${sentence} Split the file, or export it as a PDF again.`);
}

function endedEarly(code: number | null, by: NodeJS.Signals | null): PdfError {
  // V8 aborts the process when its heap is full.
  if (by === 'SIGABRT' || code === 134) return tooMuchMemory(heapMegabytesMax * 1e6);
  const isKilled = by === 'SIGKILL' || by === 'SIGTERM';
  const kind = isKilled ? ReaderKilledError : PdfError;
  return new kind('pdf-failed', `The PDF reader stopped unexpectedly (${by ?? `exit code ${code}`}).`);
}

const pageBytes = 4096;

/** Returns another process's resident memory in bytes; undefined on systems that do not report it (Linux does). */
function residentBytesOf(processId: number): number | undefined {
  try {
    const resident = readFileSync(`/proc/${processId}/statm`, 'latin1').split(' ')[1];
    return resident === undefined ? undefined : Number(resident) * pageBytes;
  } catch (error) {
    // Not Linux, or the process has just ended.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
