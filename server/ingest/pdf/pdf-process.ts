import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ParsedPdf, ParsePdfOptions } from './parse-pdf.ts';
import type { FromChild, ToChild } from './parse-task.ts';
import { PdfError, ReaderKilledError } from './pdf-error.ts';

export interface PdfLimits {
  /** Time without a further page after which a file is given up. */
  stallMs: number;
  /** Time a file may take in all. */
  totalMs: number;
  /** Memory a file may take beside its own bytes, above what the empty process has; up to twice as much for its pages as they are read. */
  growthBytesMax: number;
}

/** Bytes of a file, in pieces. */
export type PdfBytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

const memoryCheckMs = 40;
/** What a page full of text adds, of 1,158 and of 2,789 such pages: 40 kB that stay, and as much that is not collected at once. */
const bytesPerPage = 80_000;
const startMs = 30_000;
/** Of scripts; the rest of the growth is for what lies outside of it. */
const heapMegabytesMax = 320;

const program = fileURLToPath(new URL('./parse-child.ts', import.meta.url));

/**
 * Parses one PDF in a process of its own, which ends with it. It gets no environment, may start nothing and write
 * nothing, and is killed when it stalls, takes too long or too much memory, or when the signal is aborted. Rejects with
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
      // Half the memory at the same speed: most of what a page leaves is dead at once.
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
  /** The result of the child; `begin` runs beside it, and its failure is that of the whole. */
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
  let stall = setTimeout(() => fail(new PdfError('pdf-failed', 'The reader of PDFs did not start.')), startMs);
  const total = setTimeout(() => fail(tooSlow(limits.totalMs, 'in all')), limits.totalMs);
  const isAlive = () => {
    clearTimeout(stall);
    stall = setTimeout(() => fail(tooSlow(limits.stallMs, 'without a further page')), limits.stallMs);
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
  child.on('error', (cause) => fail(new PdfError('pdf-failed', 'The reader of PDFs cannot be started.', { cause })));
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

/** Looks at the resident memory of the child from when it is ready; where the system does not tell, its heap is bounded alone. */
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
        // At once: what runs away takes a gigabyte in the time of a message.
        child.kill('SIGKILL');
        onTooMuch(growthBytesMax + more);
      }, memoryCheckMs);
    },
    end: () => clearInterval(timer),
  };
}

async function send(child: ChildProcess, message: ToChild): Promise<void> {
  // A child that has ended says so by itself.
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
  // The engine ends a process so when its heap is full.
  if (by === 'SIGABRT' || code === 134) return tooMuchMemory(heapMegabytesMax * 1e6);
  const isKilled = by === 'SIGKILL' || by === 'SIGTERM';
  const kind = isKilled ? ReaderKilledError : PdfError;
  return new kind('pdf-failed', `The reader of PDFs stopped unexpectedly (${by ?? `exit code ${code}`}).`);
}

const pageBytes = 4096;

/** Resident memory of another process in bytes; undefined where the system does not tell (it does on Linux). */
function residentBytesOf(processId: number): number | undefined {
  try {
    const resident = readFileSync(`/proc/${processId}/statm`, 'latin1').split(' ')[1];
    return resident === undefined ? undefined : Number(resident) * pageBytes;
  } catch (error) {
    // Another system, or the process has just ended.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
