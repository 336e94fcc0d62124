import type { Context } from '#server/context.ts';
import { type ModuleRow, segmentIdsOf } from '#server/features/catalog/index.ts';
import type { BuildTask } from '#server/ingest/build/build-task.ts';
import type { SpoolRecord } from '#server/ingest/build/spool.ts';
import { ParseError, type ParsePool } from '#server/ingest/parse/index.ts';
import type { IndexJobDependencies } from './collect.ts';
import type { JobLease } from './job-lease.ts';
import type { PreviousVersion } from './previous-version.ts';
import { currentModule, type LiveSegment, publishChanges, withNewSegment } from './publish.ts';
import type { RunSpool } from './run-spool.ts';

/** Each attempt at a refresh may leave one segment more behind; more than these slow every search. */
const segmentsMax = 8;
/** When more pages than this have changed, most of the module has: the rest appears with the final swap. */
const changedPagesMax = 2_000;
const pauseMsMin = 200;
/** All pages changed so far are built again each time; this keeps that to a fifth of the time. */
const pausePerBuild = 4;

export interface LiveChanges {
  /** The spool for those who collect: what is added to it is shown as soon as may be. */
  spool: RunSpool;
  /** The parsers for them: with the first page, what shows it is started as well. */
  parsePool: ParsePool;
  /** Shows nothing more, and waits until nothing is in progress. */
  end(): Promise<void>;
}

/**
 * While a served module is refreshed, makes its changed pages searchable, normally within a second of being read: they
 * lie in one segment over the served version, which grows with them.
 */
export function createLiveChanges(
  ctx: Context,
  lease: JobLease,
  run: { module: ModuleRow; previous: PreviousVersion; spool: RunSpool; deps: IndexJobDependencies },
): LiveChanges {
  const { module, previous, spool, deps } = run;
  const ended = new AbortController();
  const signal = AbortSignal.any([lease.signal, ended.signal]);
  const isWanted = previous.isServed && segmentIdsOf(module).length < segmentsMax;
  const chunkKeys: string[] = [];
  let live: LiveSegment | undefined;
  let changedPages = 0;
  let isDue = false;
  let working: Promise<void> | undefined;

  const publish = async () => {
    const { keys, unwritten } = spool.ahead();
    chunkKeys.push(...keys);
    try {
      if (chunkKeys.length === 0) return;
      live = await publishOver(ctx, lease, { module, deps, live, signal, chunkKeys, unwritten });
    } finally {
      // Someone else may be writing there by now.
      if (lease.stopReason() !== 'lease-lost') await spool.flush();
    }
  };

  const work = async () => {
    try {
      while (isDue && !signal.aborted) {
        isDue = false;
        const startedAt = ctx.clock.now();
        await publish();
        await ctx.clock.sleep(Math.max(pauseMsMin, pausePerBuild * (ctx.clock.now() - startedAt)), signal);
      }
    } catch (error) {
      // The final swap brings these pages in any case.
      if (!signal.aborted) ctx.log.warn({ err: error }, 'changed pages could not be shown before the end of the run');
    } finally {
      working = undefined;
    }
  };

  const note = (record: SpoolRecord) => {
    if (!isWanted || record.status !== 'page' || changedPages >= changedPagesMax) return;
    changedPages += 1;
    isDue = true;
    working ??= work();
  };

  return {
    spool: {
      ...spool,
      async add(record) {
        await spool.add(record);
        note(record);
      },
    },
    parsePool: parsingFor(ownerOfRun(lease), deps, isWanted),
    async end() {
      ended.abort();
      await working;
    },
  };
}

/**
 * Builds the pages of these chunks and puts them over what the module serves, in place of `live`. The disk may be waited for
 * afterwards: what a killed process loses of a chunk is read again.
 */
async function publishOver(
  ctx: Context,
  lease: JobLease,
  run: Pick<BuildTask, 'chunkKeys' | 'unwritten'> & {
    module: ModuleRow;
    deps: IndexJobDependencies;
    live: LiveSegment | undefined;
    signal: AbortSignal;
  },
): Promise<LiveSegment> {
  const { module, deps, live, signal, chunkKeys, unwritten } = run;
  return withNewSegment(ctx, deps.blobs, module.id, async (segmentKey) => {
    const built = await deps.builds.run({ chunkKeys, unwritten, baseKeys: [], kind: 'changes', segmentKey }, signal);
    signal.throwIfAborted();
    return publishChanges(ctx, lease, await currentModule(ctx, module.id), { ...built, blobKey: segmentKey }, live);
  });
}

/** Returns whose pages and files a run parses: those of one person share what there is with those of others. */
export function ownerOfRun({ row }: JobLease): string {
  return row.startedByUserId ?? row.workspace;
}

/**
 * The pool, for pages of this owner. The thread that builds takes as long to start as the one that parses: where it is wanted,
 * both begin with the first page.
 */
function parsingFor(owner: string, { parsePool, builds }: IndexJobDependencies, isBuildWanted: boolean): ParsePool {
  return {
    async parse(input, signal) {
      if (isBuildWanted) builds.warm();
      for (;;) {
        try {
          return await parsePool.parse(input, signal, owner);
        } catch (error) {
          // Several wait for the same room.
          if (!(error instanceof ParseError) || error.code !== 'parse-busy') throw error;
        }
        await parsePool.whenRoom(owner);
      }
    },
    include: (input, signal) => parsePool.include(input, signal, owner),
    list: (file, signal) => parsePool.list(file, signal, owner),
    whenRoom: () => parsePool.whenRoom(owner),
    shrink: () => parsePool.shrink(),
    close: () => parsePool.close(),
  };
}
