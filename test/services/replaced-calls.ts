import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** What a test can tell another process from outside. */
export interface ReplacedCalls {
  /** The process is started with these. */
  environment: Record<string, string>;
  /** The file that says what the calls are to do; not there at first. */
  told: string;
}

/**
 * Has another process call functions of this library in C in place of those of the system; the library finds what it is told
 * under the name in the variable TOLD. Undefined where there is no compiler of C, or the system is not Linux.
 */
export function replaceCalls(library: string, what: string): ReplacedCalls | undefined {
  const folder = temporaryFolder();
  const [source, built, told] = [join(folder, 'calls.c'), join(folder, 'calls.so'), join(folder, 'told')];
  writeFileSync(source, library);
  try {
    if (process.platform !== 'linux') throw new Error('not Linux');
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', built, source], { stdio: 'ignore' });
  } catch {
    console.warn(`there is no compiler of C: ${what} is left out`);
    return undefined;
  }
  return { environment: { LD_PRELOAD: built, TOLD: told }, told };
}
