import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** How a test controls another process from outside. */
export interface ReplacedCalls {
  /** The process must be started with these. */
  environment: Record<string, string>;
  /** The file with the instructions for the calls; missing at first. */
  told: string;
}

/**
 * Makes another process call functions of this C library instead of the system's; the library finds its instructions in
 * the file named by the variable TOLD. Returns undefined without a C compiler, or on systems other than Linux.
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
