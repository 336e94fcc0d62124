import { randomBytes, randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { JobRun, StartIndexJobInput } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { ensureLocalOwner } from '#server/features/accounts/store.ts';
import { OpenShelf } from '#server/features/catalog/shelf.ts';
import type { RunDependencies } from '#server/features/indexing/collect.ts';
import { type LibraryNotices, startIndexJob } from '#server/features/indexing/index.ts';
import { takeIndexJob } from '#server/features/indexing/job-lease.ts';
import type { JobRow } from '#server/features/indexing/job-store.ts';
import { getJob } from '#server/features/indexing/jobs.ts';
import { createNotices, topics } from '#server/features/indexing/notices.ts';
import { runIndexJob } from '#server/features/indexing/run-index-job.ts';
import { createSegmentBuilds } from '#server/ingest/build/segment-builds.ts';
import { HostGates } from '#server/ingest/crawl/index.ts';
import { createParsePool } from '#server/ingest/parse/index.ts';
import { type BlobConfig, type Blobs, openBlobs } from '#server/platform/blobs/index.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { inProcessBus } from '#server/platform/bus/open-bus.ts';
import { type Clock, systemClock } from '#server/platform/clock.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';
import { type DatabaseKind, freshDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';

/** A library of real parts in this process, with its own database and blob folder. */
export interface Rig {
  /** The operator's context. */
  ctx: Context;
  /** Returns another signed-in user's context. */
  as(userId: string): Context;
  bus: Bus;
  blobs: Blobs;
  blobFolder: string;
  shelf: OpenShelf;
  notices: LibraryNotices;
  deps: RunDependencies;
  /** Queues a run. */
  start(source: string, input?: Partial<StartIndexJobInput>, ctx?: Context): Promise<JobRun>;
  /** Runs the next queued run in this process until it ends or releases it. */
  runNext(stopping?: AbortSignal): Promise<JobRun>;
  /** Queues a run and runs it. */
  index(source: string, input?: Partial<StartIndexJobInput>): Promise<JobRun>;
  /** Returns the texts of the page with this address; undefined if no module contains it. */
  read(url: string, ctx?: Context): Promise<string | undefined>;
  blobKeys(): Promise<string[]>;
}

export interface RigOptions {
  kind?: DatabaseKind;
  clock?: Clock;
  /** `host:port` of the sites that can be read. */
  allowHosts?: string[];
  /** Where files are stored; a new folder by default. */
  blobConfig?: BlobConfig;
}

/** Opens the library; it is closed after the test. */
export async function openRig(options: RigOptions = {}): Promise<Rig> {
  const { clock = systemClock } = options;
  const bus = inProcessBus(silentLog);
  const db = await freshDatabase(options.kind, (topic, payload) => bus.publish(topic, payload));
  const ownerId = await ensureLocalOwner(db, clock);
  const base = { db, clock, log: silentLog, requestId: randomUUID() };
  const ctx: Context = { ...base, actor: { kind: 'operator', userId: ownerId }, workspace: `user:${ownerId}` };
  const blobFolder = temporaryFolder();
  const blobConfig = options.blobConfig ?? { kind: 'folder' as const, folder: blobFolder };
  const blobs = await openBlobs(blobConfig);
  const notices = createNotices(bus, clock);
  const outbound = createOutbound({ allowHosts: options.allowHosts ?? [], userAgent: 'SampleBot/1' });
  const parsePool = createParsePool({ size: 1 });
  const builds = createSegmentBuilds(blobConfig);
  const shelf = new OpenShelf({ db, blobs });
  onTestFinished(async () => {
    shelf.close();
    await Promise.all([builds.close(), parsePool.close(), outbound.close()]);
  });
  const deps: RunDependencies = {
    ...{ blobs, outbound, parsePool, builds, shelf, notices },
    onCancel: (listener) => bus.subscribe(topics.cancel, listener),
    gates: new HostGates(systemClock, Math.random),
    userAgent: 'SampleBot/1 (+test)',
    collectors: {},
    sealingKeys: [randomBytes(32)],
  };
  const start: Rig['start'] = (source, input = {}, who = ctx) =>
    startIndexJob(who, { ...inputDefaults, source, ...input }, notices);
  const runNext: Rig['runNext'] = async (stopping = new AbortController().signal) => {
    const row = await takeIndexJob(ctx, randomUUID());
    if (row === undefined) throw new Error('no run is waiting');
    await runIndexJob(ctx, row, deps, stopping);
    return getJobOf(ctx, row);
  };
  return {
    ...{ ctx, bus, blobs, blobFolder, shelf, notices, deps, start, runNext },
    as: (userId) => ({ ...base, actor: { kind: 'user', userId }, workspace: `user:${userId}` }),
    async index(source, input) {
      await start(source, input);
      return runNext();
    },
    async read(url, who = ctx) {
      const found = await shelf.findPage(who, url);
      return found?.segment
        .pageSnippets(found.pageIndex)
        .map(({ text }) => text)
        .join('\n');
    },
    blobKeys: () => blobs.list(''),
  };
}

const inputDefaults: Omit<StartIndexJobInput, 'source'> = {
  visibility: 'public',
  maxPages: limits.pagesPerJobMax,
  seeds: [],
};

async function getJobOf(ctx: Context, row: JobRow): Promise<JobRun> {
  return getJob({ ...ctx, workspace: row.workspace === 'public' ? ctx.workspace : row.workspace }, { jobId: row.id });
}
