import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { isSystemError } from '../system-files.ts';
import { GitError } from './git-error.ts';

/** The parameters of a git call. */
export interface ProgramCall {
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
  input?: string;
  timeoutMs: number;
  outputBytesMax: number;
  signal?: AbortSignal;
  /** Most bytes that the call may store on disk, checked while it runs. */
  disk?: { bytes(): Promise<number>; bytesMax: number };
}

export interface ProgramResult {
  /** Null if the process was killed. */
  code: number | null;
  output: Buffer;
  /** The end of its error output. */
  complaint: string;
}

export type Running = ChildProcessByStdio<Writable, Readable, Readable>;

const complaintCharactersMax = 8_000;
const diskLookMs = 200;

/**
 * Most address space of a git process, in kilobytes. A host chooses how large the objects are that a few bytes unpack
 * to, and how many names it lists.
 */
const memoryKilobytesMax = 1_048_576;
const limited = `ulimit -v ${memoryKilobytesMax} 2>/dev/null; exec git "$@"`;

/**
 * Starts git in a separate process group, so that its child processes end with it, and with limited memory where the
 * system supports that. Inherits nothing from our environment.
 */
export function startGit(call: Pick<ProgramCall, 'args' | 'env' | 'cwd'>): Running {
  return spawn('/bin/sh', ['-c', limited, 'git', ...call.args], {
    env: call.env,
    cwd: call.cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
}

/** Kills the process and everything it started. */
export function killGroup(child: Running): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (!isSystemError(error, 'ESRCH')) throw error;
  }
}

/**
 * Runs git to completion. Throws GitError if git is missing, takes too long, or writes or stores too much, and the
 * signal's reason when aborted; in all these cases git has been killed. Returns normally for any exit code.
 */
export async function runGit(call: ProgramCall): Promise<ProgramResult> {
  call.signal?.throwIfAborted();
  const child = startGit(call);
  const ending: { reason?: Error } = {};
  const end = (reason: unknown) => {
    ending.reason ??= reason instanceof Error ? reason : new Error('stopped', { cause: reason });
    killGroup(child);
  };
  const watching = watch(call, end);
  const output: Buffer[] = [];
  let outputBytes = 0;
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => {
    outputBytes += chunk.byteLength;
    if (outputBytes > call.outputBytesMax) end(tooLarge('Its list of files is too long.'));
    else output.push(chunk);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-complaintCharactersMax);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(call.input ?? '');
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    // A fast process may have exceeded the limit between two checks.
    await watching.look();
    if (ending.reason !== undefined) throw ending.reason;
    return { code, output: Buffer.concat(output), complaint };
  } finally {
    watching.stop();
    // Its child processes may outlive it.
    killGroup(child);
  }
}

function watch(call: ProgramCall, end: (reason: unknown) => void): { look(): Promise<void>; stop(): void } {
  const onAbort = () => end(call.signal?.reason);
  call.signal?.addEventListener('abort', onAbort, { once: true });
  const seconds = Math.round(call.timeoutMs / 1000);
  const clock = setTimeout(() => {
    end(new GitError('timeout', `The repository did not answer within ${seconds} seconds. Try again later.`));
  }, call.timeoutMs);
  const { disk } = call;
  const look = async () => {
    if (disk === undefined || (await disk.bytes()) <= disk.bytesMax) return;
    const megabytes = Math.round(disk.bytesMax / 1_000_000);
    end(tooLarge(`The files to read take more than ${megabytes} MB.`));
  };
  const looking = disk === undefined ? undefined : setInterval(() => void look().catch(end), diskLookMs);
  return {
    look,
    stop() {
      call.signal?.removeEventListener('abort', onAbort);
      clearTimeout(clock);
      clearInterval(looking);
    },
  };
}

function tooLarge(what: string): GitError {
  return new GitError('repository-too-large', `The repository is too large. ${what} Name one folder of it.`);
}
