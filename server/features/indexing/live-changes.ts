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

/** Each attempt at a refresh may leave a segment behind; more than this many slow every search. */
const segmentsMax = 8;
/** If more pages than this have changed, the rest appears with the final swap. */
const changedPagesMax = 2_000;
const pauseMsMin = 200;
/** Every build includes all changed pages so far; this pause limits building to a fifth of the time. */
const pausePerBuild = 4;

export interface LiveChanges {
  /** The spool for collectors: added pages are published as soon as possible. */
  spool: RunSpool;
  /** The parser for collectors: parsing the first page also starts the build thread. */
  parsePool: ParsePool;
  /** Stops publishing, and waits for work in progress. */
  end(): Promise<void>;
}

/**
 * Makes a served module's changed pages searchable during a refresh, normally within a second of being read: they are
 * in one growing segment over the served version.
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
      // After losing the lease another worker may be writing there.
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
      // The final swap publishes these pages anyway.
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
 * Builds the pages of these chunks and publishes them over the served version, in place of `live`. The chunks need not
 * be on disk yet: pages lost with a killed process are read again.
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

/**
 * Returns the owner whose share of the parsers a run uses: the runs of one user share the capacity with those of
 * others.
 */
export function ownerOfRun({ row }: JobLease): string {
  return row.startedByUserId ?? row.workspace;
}

/**
 * Returns the parse pool for this owner's pages. If a build thread is needed, it starts with the first page, since it
 * takes as long to start as a parser.
 */
function parsingFor(owner: string, { parsePool, builds }: IndexJobDependencies, isBuildWanted: boolean): ParsePool {
  return {
    async parse(input, signal) {
      if (isBuildWanted) builds.warm();
      for (;;) {
        try {
          return await parsePool.parse(input, signal, owner);
        } catch (error) {
          // Another caller may have taken the free capacity; wait again.
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
