import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Finished {
  status: number | null;
  output: string;
  errors: string;
}

const alive = new Set<ChildProcess>();
let isWatching = false;

/** Ends the child when this process ends, in whatever way. */
export function endWithUs(child: ChildProcess): void {
  if (!isWatching) {
    isWatching = true;
    process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
    process.once('exit', () => {
      for (const one of alive) one.kill('SIGKILL');
    });
  }
  alive.add(child);
  child.once('exit', () => alive.delete(child));
}

/** Runs a program to its end. `isShown` passes its progress lines on to the terminal. */
export async function runToEnd(
  program: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string; isShown?: boolean } = {},
): Promise<Finished> {
  const child = spawn(program, args, { env: options.env, cwd: options.cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  endWithUs(child);
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
    if (options.isShown) process.stderr.write(text);
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output, errors };
}

/** Stops a child process: sends SIGTERM, and kills it after 20 seconds. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await closed;
  clearTimeout(timer);
}

/** Returns the resident bytes of a process and all its descendants; undefined without /proc. */
export function residentBytes(pid: number): number | undefined {
  const parents = new Map<number, number[]>();
  try {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const parent = parentOf(name);
      if (parent !== undefined) parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const family = [pid];
  for (const member of family) family.push(...(parents.get(member) ?? []));
  return family.reduce((sum, member) => sum + residentBytesOf(member), 0);
}

function parentOf(pid: string): number | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses and may contain spaces, so parse after its closing one.
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function residentBytesOf(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB/m.exec(readProc(`/proc/${pid}/status`) ?? '');
  return match ? Number(match[1]) * 1024 : 0;
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

/** Watches a process tree's memory; `peak` is the highest of the samples, taken every half second. */
export function watchMemory(pid: number): { peak(): number | undefined; restart(): void; end(): void } {
  let peakBytes: number | undefined;
  const sample = (): void => {
    const now = residentBytes(pid);
    if (now !== undefined && now > (peakBytes ?? 0)) peakBytes = now;
  };
  sample();
  const timer = setInterval(sample, 500);
  timer.unref();
  return {
    peak: () => peakBytes,
    restart() {
      peakBytes = undefined;
      sample();
    },
    end: () => clearInterval(timer),
  };
}

/** Returns the bytes of all files under a folder. */
export function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) => sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}
