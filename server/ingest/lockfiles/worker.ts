import { parentPort, workerData } from 'node:worker_threads';
import { profileLibrariesMax } from '#contract/limits.ts';
import { type Lockfile, LockfileError } from './lockfile.ts';
import { parseLockfile } from './parse-lockfile.ts';
import type { GivenLockfile, ReadLockfile, ReadLockfiles } from './read-lockfiles.ts';

const found = new Map<string, ReadLockfiles['libraries'][number]>();

function read({ path, text }: GivenLockfile): ReadLockfile {
  try {
    const { libraries, ...lockfile } = parseLockfile(path, text);
    addLibraries(lockfile.ecosystem, libraries);
    return { path, lockfile: { ...lockfile, libraries: libraries.length } };
  } catch (error) {
    if (error instanceof LockfileError) return { path, fault: error.message };
    throw error;
  }
}

/** Adds libraries; direct, or needed at runtime, if any file says so. */
function addLibraries(ecosystem: Lockfile['ecosystem'], libraries: Lockfile['libraries']): void {
  for (const { name, version, isDirect, isDev } of libraries) {
    const key = `${ecosystem} ${name} ${version}`;
    const known = found.get(key) ?? { isDirect: false, isDev: true };
    const flags = { isDirect: known.isDirect || isDirect, isDev: known.isDev && isDev };
    found.set(key, { ecosystem, name, version, ...flags });
  }
}

if (!parentPort) throw new Error('The lockfile worker is started by readLockfiles.');
const files: ReadLockfile[] = [];
for (const given of workerData as GivenLockfile[]) {
  // The rest would take memory and time: a hundred files can name a million libraries.
  if (found.size > profileLibrariesMax) break;
  files.push(read(given));
}
// The main thread would take seconds to receive more than it accepts.
const libraries = found.size > profileLibrariesMax ? [] : [...found.values()];
parentPort.postMessage({ files, libraries, libraryCount: found.size } satisfies ReadLockfiles);
