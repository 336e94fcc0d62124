import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { InputOf } from '#contract/endpoint.ts';
import { type JobRun, libraryEndpoints, moduleIdSchema } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import {
  type Call,
  type Command,
  exitCodes,
  type Invocation,
  jsonOption,
  printJson,
  printLine,
  printNote,
} from './command.ts';
import { createProgress, summaryOf } from './progress.ts';
import { flag, list, type OptionValues, text, UsageError, wholeNumber } from './usage.ts';

const pollEveryMs = 250;
/** A remote server is polled less often. */
const remotePollEveryMs = 1_000;

export const indexCommand: Command = {
  shape: {
    name: 'index',
    isRemote: true,
    positionals: ['an address or a folder'],
    summary: 'Indexes or refreshes a documentation site, a git repository or a folder.',
    details: 'Shows progress and waits for the end. Ctrl-C cancels the run; SIGTERM ends the command but not the run.',
    options: {
      name: { type: 'string', placeholder: 'ID', help: 'module id (default: from the address)' },
      replace: { type: 'boolean', help: 'use the id for this address, even if another address has it' },
      retry: { type: 'boolean', help: 'read only pages that failed last time; the argument is a module id' },
      private: { type: 'boolean', help: 'searchable only with your own keys' },
      public: { type: 'boolean', help: 'searchable by everyone on this installation; operator only' },
      'max-pages': {
        type: 'string',
        placeholder: 'N',
        help: `maximum number of pages (default and highest: ${limits.pagesPerJobMax})`,
      },
      depth: {
        type: 'string',
        placeholder: 'N',
        help: 'maximum link depth from the start address (default: no limit)',
      },
      seed: {
        type: 'string',
        placeholder: 'URL',
        multiple: true,
        help: 'another start address; repeatable',
      },
      library: { type: 'string', placeholder: 'NAME', help: 'name of the library that this is a version of' },
      'library-version': {
        type: 'string',
        placeholder: 'V',
        help: "version of the library, if the address doesn't contain it",
      },
      scripts: { type: 'boolean', help: 'render the pages in a browser (needs LECTERN_CHROMIUM)' },
      branch: { type: 'string', placeholder: 'NAME', help: 'branch of a repository (default: its default branch)' },
      tag: { type: 'string', placeholder: 'NAME', help: 'tag of a repository' },
      folder: { type: 'string', placeholder: 'PATH', help: 'only this folder of a repository' },
      wait: { type: 'boolean', help: 'wait for the end (the default)' },
      ...jsonOption,
    },
  },
  run: runIndex,
};

async function runIndex(invocation: Invocation): Promise<number> {
  const { values, positionals, workingFolder, server } = invocation;
  if (flag(values, 'retry')) return retryFailed(invocation, positionals[0] ?? '');
  const moduleId = text(values, 'name');
  const checkedName = moduleIdSchema.optional().safeParse(moduleId);
  if (!checkedName.success) throw new UsageError(`--name "${moduleId}": ${checkedName.error.issues[0]?.message}`);
  const input = {
    source: sourceOf(positionals[0] ?? '', workingFolder, server),
    moduleId,
    ...(flag(values, 'replace') ? { replace: true } : {}),
    visibility: visibilityOf(values),
    maxPages: wholeNumber(values, 'max-pages', { min: 1, max: limits.pagesPerJobMax }),
    depth: wholeNumber(values, 'depth', { min: 0, max: limits.depthPerJobMax }),
    seeds: list(values, 'seed'),
    library: text(values, 'library'),
    version: text(values, 'library-version'),
    ...(flag(values, 'scripts') ? { rendersScripts: true } : {}),
    ref: refOf(values),
    folder: text(values, 'folder'),
  };
  return followed(invocation, (call) => startOrJoin(call, input));
}

function visibilityOf(values: OptionValues): 'private' | 'public' | undefined {
  if (flag(values, 'private') && flag(values, 'public')) throw new UsageError('give --private or --public, not both');
  if (flag(values, 'private')) return 'private';
  return flag(values, 'public') ? 'public' : undefined;
}

/** Retries the pages that failed in a module's last run. */
function retryFailed(invocation: Invocation, moduleId: string): Promise<number> {
  const visibility = flag(invocation.values, 'private') ? { visibility: 'private' as const } : {};
  return followed(invocation, async (call) => {
    return (await call(libraryEndpoints.refreshModule, { moduleId, ...visibility, onlyFailed: true })).job;
  });
}

function followed({ values, withCall, server }: Invocation, start: (call: Call) => Promise<JobRun>): Promise<number> {
  return withCall({ isExclusive: true }, async (call) => {
    const interruption = listenForInterrupt();
    try {
      const job = await start(call);
      const ended = await follow(call, job, {
        ...interruption,
        everyMs: server === undefined ? pollEveryMs : remotePollEveryMs,
      });
      return report(ended, interruption.signal.aborted, flag(values, 'json'));
    } finally {
      interruption.end();
    }
  });
}

function refOf(values: OptionValues): InputOf<typeof libraryEndpoints.startIndexJob>['ref'] {
  const [branch, tag] = [text(values, 'branch'), text(values, 'tag')];
  if (branch !== undefined && tag !== undefined) throw new UsageError('give --branch or --tag, not both');
  if (tag !== undefined) return { kind: 'tag', name: tag };
  return branch === undefined ? undefined : { kind: 'branch', name: branch };
}

/** Returns an address unchanged; anything else is a folder, relative to where the command was typed. */
function sourceOf(argument: string, workingFolder: string, server: string | undefined): string {
  if (argument.trim() === '') throw new UsageError('give an address or a folder');
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(argument) || /^[\w.-]+@[\w.-]+:(?!\/\/)/.test(argument);
  if (isAddress) return argument;
  const folder = resolve(workingFolder, argument);
  if (existsSync(folder)) {
    if (server === undefined) return folder;
    throw new UsageError(
      `a folder of this machine cannot be indexed at ${server}; give the address of a site or a repository`,
    );
  }
  const looksLikeAddress = /^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(\/|$)/.test(argument);
  const advice = looksLikeAddress ? `for a site write https://${argument}` : 'give the path of a folder or an address';
  throw new UsageError(`there is no folder ${folder}; ${advice}`);
}

/** Starts a run, or joins one of the same module that is already running. */
async function startOrJoin(call: Call, input: InputOf<typeof libraryEndpoints.startIndexJob>): Promise<JobRun> {
  try {
    return (await call(libraryEndpoints.startIndexJob, input)).job;
  } catch (error) {
    if (codeOf(error) !== 'job-already-running') throw error;
    const { jobs } = await call(libraryEndpoints.listJobs, {});
    const running = jobs.find(
      (job) => job.endTime === null && (job.moduleId === input.moduleId || job.url === input.source),
    );
    if (running === undefined) throw error;
    printNote(`Continuing the earlier run of ${running.moduleId}.`);
    return running;
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

/** Failures that do not harm the run: a restart, a full disk, an unreachable database. */
const outages: ReadonlySet<unknown> = new Set(['unreachable', 'unavailable', 'storage-unreachable', 'disk-full']);
const outageMsMax = 120_000;

/** Shows the job until it has ended. An interrupt cancels the job and then waits for its clean end. */
async function follow(
  call: Call,
  first: JobRun,
  { signal: interrupt, leaving, everyMs }: Interruption & { everyMs: number },
): Promise<JobRun> {
  const progress = createProgress({
    isTerminal: process.stderr.isTTY === true,
    write: (written) => process.stderr.write(written),
  });
  let job = first;
  let isCancelSent = false;
  let isAway = false;
  let answeredAt = performance.now();
  try {
    while (job.endTime === null && !leaving.aborted) {
      progress.show(job, performance.now());
      if (interrupt.aborted && !isCancelSent) {
        isCancelSent = true;
        progress.end();
        printNote('Stopping; press Ctrl-C again to leave immediately.');
        await call(libraryEndpoints.cancelJob, { jobId: job.id }).catch((error: unknown) => {
          if (codeOf(error) !== 'job-finished') throw error;
        });
      }
      await delay(everyMs, undefined, {
        signal: isCancelSent ? leaving : AbortSignal.any([interrupt, leaving]),
      }).catch((error: unknown) => {
        if (!interrupt.aborted && !leaving.aborted) throw error;
      });
      const read = await call(libraryEndpoints.getJob, { jobId: job.id }).catch((error: unknown) => {
        if (!outages.has(codeOf(error)) || performance.now() - answeredAt > outageMsMax) throw error;
      });
      if (read !== undefined) {
        job = read.job;
        answeredAt = performance.now();
        isAway = false;
      } else if (!isAway) {
        isAway = true;
        progress.end();
        printNote('The server is not responding; the run continues when it does. Waiting…');
      }
    }
  } finally {
    progress.end();
  }
  return job;
}

function report(job: JobRun, isInterrupted: boolean, isJson: boolean): number {
  if (isJson) printJson(job);
  if (job.status === 'COMPLETE') {
    if (!isJson) printLine(summaryOf(job));
    return exitCodes.done;
  }
  if (job.endTime === null) {
    printNote('Left. The run continues in the server, or with the same command later.');
    return exitCodes.interrupted;
  }
  if (!isJson && job.skipReasons.length > 0) printNote(summaryOf(job));
  if (job.isCancelled) {
    printNote('Cancelled. The earlier version is still served; run the same command again to continue.');
    return isInterrupted ? exitCodes.interrupted : exitCodes.failed;
  }
  printNote(`lectern: ${job.moduleId} was not indexed: ${job.error ?? 'the run failed without a reason; see the log'}`);
  return exitCodes.failed;
}

interface Interruption {
  /** Ctrl-C: the user cancels the run. */
  signal: AbortSignal;
  /** SIGTERM: only this command must end; the run continues. */
  leaving: AbortSignal;
  end(): void;
}

function listenForInterrupt(): Interruption {
  const [interrupt, leave] = [new AbortController(), new AbortController()];
  const onInterrupt = (): void => {
    if (interrupt.signal.aborted) process.exit(exitCodes.interrupted);
    interrupt.abort();
  };
  const onLeave = (): void => leave.abort();
  process.on('SIGINT', onInterrupt).on('SIGTERM', onLeave);
  return {
    signal: interrupt.signal,
    leaving: leave.signal,
    end: () => void process.off('SIGINT', onInterrupt).off('SIGTERM', onLeave),
  };
}
