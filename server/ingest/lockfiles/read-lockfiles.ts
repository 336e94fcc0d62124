import { Worker } from 'node:worker_threads';
import { Turns } from '#server/platform/turns.ts';
import { type LockedLibrary, type Lockfile, LockfileError } from './lockfile.ts';

export interface GivenLockfile {
  /** Path in the project; its last part determines the kind. */
  path: string;
  text: string;
}

/** The result for one file; `libraries` counts. */
export type ReadLockfile =
  | { path: string; lockfile: Omit<Lockfile, 'libraries'> & { libraries: number }; fault?: undefined }
  /** Why it could not be read, as a sentence for people. */
  | { path: string; lockfile?: undefined; fault: string };

/** The result for the files of one call. */
export interface ReadLockfiles {
  /** Without those after the file with which there are more libraries than a project may have. */
  files: ReadLockfile[];
  /** Each ecosystem, name and version once. Empty if a project may not have that many. */
  libraries: (LockedLibrary & Pick<Lockfile, 'ecosystem'>)[];
  /** Number of libraries in these files. */
  libraryCount: number;
}

/** This project's lockfile, 1 MB, takes 60 ms. */
const timeoutMsDefault = 20_000;
const heapMegabytesMax = 512;
/** Maximum number of threads; further calls wait. */
const atOnce = 2;

/** Maximum number of a caller's waiting calls; each holds its files. */
const waitingOfOneMax = 8;

const turns = new Turns(atOnce);
/** Each caller's pending calls: the last one, and their number. */
const readingOf = new Map<string, { last: Promise<unknown>; count: number }>();

/**
 * Reads lockfiles in a separate thread with time and memory limits: a file that exceeds them only affects the files of
 * the same call. A caller's calls run one after another, which leaves threads for others. Returns the files in
 * the given order, and their libraries. Throws `lockfiles-waiting` if too many of the caller's calls are waiting.
 */
export async function readLockfiles(
  files: GivenLockfile[],
  caller: string,
  { timeoutMs = timeoutMsDefault }: { timeoutMs?: number } = {},
): Promise<ReadLockfiles> {
  const before = readingOf.get(caller) ?? { last: Promise.resolve(), count: 0 };
  if (before.count > waitingOfOneMax) {
    throw new LockfileError('lockfiles-waiting', 'Too many of your lockfiles are waiting to be read. Try again later.');
  }
  // An earlier call's failure does not affect this one.
  const reading = before.last.catch(() => undefined).then(() => turns.run(() => readInThread(files, timeoutMs)));
  readingOf.set(caller, { last: reading, count: before.count + 1 });
  try {
    return await reading;
  } finally {
    const { last, count } = readingOf.get(caller) ?? before;
    if (count > 1) readingOf.set(caller, { last, count: count - 1 });
    else readingOf.delete(caller);
  }
}

function readInThread(files: GivenLockfile[], timeoutMs: number): Promise<ReadLockfiles> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'lockfiles',
    workerData: files,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax, stackSizeMb: 4 },
  });
  return new Promise<ReadLockfiles>((resolve) => {
    const fail = (fault: string) =>
      resolve({ files: files.map(({ path }) => ({ path, fault })), libraries: [], libraryCount: 0 });
    const timer = setTimeout(
      () => fail(`Reading took longer than ${timeoutMs / 1000} seconds and was stopped.`),
      timeoutMs,
    );
    worker.once('message', (read: ReadLockfiles) => resolve(read));
    worker.once('error', (error: Error & { code?: string }) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      fail(isMemory ? 'Reading needed too much memory and was stopped.' : 'The reader stopped unexpectedly.');
    });
    worker.once('exit', () => {
      clearTimeout(timer);
      fail('The reader stopped unexpectedly.');
    });
  }).finally(() => void worker.terminate());
}
