import { parentPort, workerData } from 'node:worker_threads';
import { LockfileError } from './lockfile.ts';
import { parseLockfile } from './parse-lockfile.ts';
import type { GivenLockfile, ReadLockfile } from './read-lockfiles.ts';

function read({ path, text }: GivenLockfile): ReadLockfile {
  try {
    return { path, lockfile: parseLockfile(path, text) };
  } catch (error) {
    if (error instanceof LockfileError) return { path, fault: error.message };
    throw error;
  }
}

if (!parentPort) throw new Error('The lockfile worker is started by readLockfiles.');
parentPort.postMessage((workerData as GivenLockfile[]).map(read));
