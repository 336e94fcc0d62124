import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { JobRun, LibraryModule } from '#contract/library.ts';
import { endWithUs, type Finished, runToEnd, stopProcess } from './processes.ts';

const launcher = fileURLToPath(new URL('../../lectern', import.meta.url));
const readyWithinMs = 120_000;

/** A running installation, controlled through the launcher's commands as its owner would. */
export interface Product {
  origin: string;
  pid: number;
  dataFolder: string;
  /** Milliseconds from the command to the first response of /healthz. */
  readyMs: number;
  index(source: string, options: { name: string; maxPages?: number; seeds?: string[] }): Promise<JobRun>;
  modules(): Promise<LibraryModule[]>;
  createKey(name: string): Promise<string>;
  /** Returns a one-time link that signs its owner in. */
  signInLink(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts `lectern start` on the data folder and a free port; its log is written to `eval.log` in that folder. */
export async function startProduct(dataFolder: string, allowHosts: string): Promise<Product> {
  mkdirSync(dataFolder, { recursive: true });
  const env = { ...process.env, LECTERN_ALLOW_HOSTS: allowHosts, LECTERN_OWN_DOCS: 'off' };
  const logFile = join(dataFolder, 'eval.log');
  const log = openSync(logFile, 'w');
  const begun = performance.now();
  const child = spawn(launcher, ['start', '--data', dataFolder, '--port', '0'], {
    env,
    stdio: ['ignore', log, log],
  });
  endWithUs(child);
  closeSync(log);
  const origin = await untilReady(child, logFile);
  const readyMs = performance.now() - begun;
  const command = async (args: string[], isShown = false): Promise<string> =>
    outputOf(args, await runToEnd(launcher, [...args, '--data', dataFolder], { env, isShown }), isShown);
  return {
    origin,
    pid: child.pid ?? 0,
    dataFolder,
    readyMs,
    async index(source, { name, maxPages, seeds = [] }) {
      const limit = maxPages === undefined ? [] : ['--max-pages', String(maxPages)];
      const further = seeds.flatMap((seed) => ['--seed', seed]);
      return JSON.parse(
        await command(['index', source, '--name', name, '--json', ...limit, ...further], true),
      ) as JobRun;
    },
    modules: async () => JSON.parse(await command(['modules', '--json'])) as LibraryModule[],
    createKey: async (name) => (await command(['key', 'create', name])).trim(),
    signInLink: async () => (await command(['link'])).trim(),
    stop: () => stopProcess(child),
  };
}

function outputOf(args: string[], { status, output, errors }: Finished, isShown: boolean): string {
  if (status === 0) return output;
  const told = isShown ? 'see above' : errors.trim().slice(-500);
  throw new Error(`"lectern ${args.join(' ')}" ended with code ${status}: ${told}`);
}

/** Returns the address that the server logs once it listens. */
async function untilReady(child: ChildProcess, logFile: string): Promise<string> {
  const deadline = performance.now() + readyWithinMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) {
      throw new Error(
        `"lectern start" ended with code ${child.exitCode}: ${readFileSync(logFile, 'utf8').slice(-1_000)}`,
      );
    }
    const origin = / is ready: (http:\S+)/.exec(readFileSync(logFile, 'utf8'))?.[1];
    if (origin !== undefined && (await fetch(`${origin}/healthz`)).ok) return origin;
    await delay(20);
  }
  await stopProcess(child);
  throw new Error(`"lectern start" was not ready within ${readyWithinMs / 1000} seconds; see ${logFile}`);
}
