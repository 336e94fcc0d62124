import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { libraryEndpoints } from '#contract/library.ts';
import { probeEndpoints } from '#contract/probes.ts';
import type { Context } from '#server/context.ts';
import { type Catalog, getPrivateIndex, listModules } from '#server/features/catalog/index.ts';
import { createSegmentBuilds } from '#server/ingest/build/segment-builds.ts';
import type { ParsePool } from '#server/ingest/parse/index.ts';
import { createPdfParser } from '#server/ingest/pdf/index.ts';
import { PageRenderer } from '#server/platform/browser/page-renderer.ts';
import type { SourceKind } from '#server/platform/db/schema.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import type { Accounts } from '../accounts/index.ts';
import { bind, feature, hook, serve } from '../feature.ts';
import type { ScheduledJob } from '../scheduled-jobs.ts';
import type { Teams } from '../teams/index.ts';
import type { Collect, RunDependencies } from './collect.ts';
import { acceptJob } from './held-version.ts';
import { indexOwnDocs } from './index-own-docs.ts';
import { getJobLog } from './job-log.ts';
import type { JobRunner } from './job-runner.ts';
import { releaseAllLeases } from './job-store.ts';
import { cancelJob, getJob, listJobs } from './jobs.ts';
import { type ModuleRenamed, moveModules, renameModule } from './move-modules.ts';
import { createNotices, topics } from './notices.ts';
import { listProbes, setProbes } from './probes.ts';
import { recogniseSource } from './recognise-source.ts';
import { type ModuleRemoved, removeModule, removePersonalLibrary, removeTeamLibrary } from './remove-module.ts';
import { refreshModule, retryFailedPages, retryJob } from './start-again.ts';
import { startIndexJob } from './start-index-job.ts';
import { sweepDroppedSegments, sweepEndedSpools } from './sweep.ts';

export type Indexing = ReturnType<typeof openIndexing>;

/** Processes that parse PDFs, for all runs together: if one hangs, the other remains. */
const pdfFilesAtOnce = 2;
const runsAtOnce = 2;
const minuteMs = 60_000;

interface Below {
  accounts: Accounts;
  teams: Teams;
  catalog: Catalog;
  parser: ParsePool;
}

/** Opens indexing: the runs that turn sources into modules. */
export function openIndexing(platform: Platform, { accounts, teams, catalog, parser }: Below) {
  const { config, db, clock, bus } = platform;
  const notices = createNotices(bus, clock);
  const pdfParser = createPdfParser({ atOnce: pdfFilesAtOnce });
  const collectors: { [Kind in SourceKind]?: Collect } = {};
  const ports = { ...runPorts(platform), parsePool: parser, shelf: catalog.shelf, notices, pdfParser, collectors };
  let runner: JobRunner | undefined;
  const moduleRenamed: ModuleRenamed = hook();
  const moduleRemoved: ModuleRemoved = hook();
  accounts.deleted.on(removePersonalLibrary);
  teams.teamDeleted.on((tx, { id }, now) => removeTeamLibrary(tx, id, now));
  teams.indexMoved.on((tx, { userId, teamId }, now) => moveModules(tx, `user:${userId}`, `team:${teamId}`, now));
  const verbs = bind(notices, {
    indexOwnDocs,
    startIndexJob,
    refreshModule,
    cancelJob,
    retryJob,
    acceptJob,
  });
  return feature({
    name: 'indexing',
    verbs: {
      ...verbs,
      removeModule: (ctx: Context, input: Parameters<typeof removeModule>[1]) =>
        removeModule(ctx, input, notices, moduleRemoved),
      notices,
      moduleRenamed,
      moduleRemoved,
      pdfParser,
      /** Registers the collector for a kind of source, provided by the feature that knows it. */
      collectWith: (kind: SourceKind, collect: Collect) => void (collectors[kind] = collect),
      /**
       * Carries out queued runs until stopped. With SQLite no other process can do so: stale leases are released first.
       */
      async startRunner(ctx: Context): Promise<JobRunner> {
        if (config.database.kind === 'sqlite') await releaseAllLeases(db.query, clock.now());
        const owner = `${hostname()}:${process.pid}:${randomUUID()}`;
        // Imported lazily: only processes that carry out runs need the crawler.
        const [{ HostGates }, { startJobRunner }] = await Promise.all([
          import('#server/ingest/crawl/index.ts'),
          import('./job-runner.ts'),
        ]);
        const needs: RunDependencies = {
          ...ports,
          onCancel: (listener) => bus.subscribe(topics.cancel, listener),
          gates: new HostGates(clock, Math.random, config.crawlConcurrency),
        };
        const started = startJobRunner(ctx, needs, { owner, atOnce: runsAtOnce });
        bus.subscribe(topics.queued, () => started.wake());
        runner = started;
        return started;
      },
      /** Returns true if this process has looked for queued runs recently. */
      isRunnerAlive: () => runner?.isAlive() === true,
    },
    endpoints: [
      ...serve(libraryEndpoints, {
        listModules: async (ctx) => ({ modules: await listModules(ctx) }),
        getPrivateIndex: async (ctx) => ({ index: await getPrivateIndex(ctx) }),
        recogniseSource: async (ctx, input) => ({ source: await recogniseSource(ctx, input) }),
        removeModule: async (ctx, input) => {
          await removeModule(ctx, input, notices, moduleRemoved);
          return { moduleId: input.moduleId };
        },
        renameModule: async (ctx, input) => ({ module: await renameModule(ctx, input, moduleRenamed) }),
        refreshModule: async (ctx, input) => ({ job: await verbs.refreshModule(ctx, input) }),
        startIndexJob: async (ctx, input) => ({ job: await verbs.startIndexJob(ctx, input) }),
        listJobs: async (ctx, input) => ({ jobs: await listJobs(ctx, input) }),
        getJob: async (ctx, input) => ({ job: await getJob(ctx, input) }),
        getJobLog: (ctx, input) => getJobLog(ctx, input),
        cancelJob: async (ctx, input) => ({ job: await verbs.cancelJob(ctx, input) }),
        retryJob: async (ctx, input) => ({ job: await verbs.retryJob(ctx, input) }),
      }),
      ...serve(probeEndpoints, {
        listProbes: async (ctx, input) => ({ probes: await listProbes(ctx, input) }),
        setProbes: async (ctx, input) => ({ probes: await setProbes(ctx, input) }),
        acceptJob: async (ctx, input) => ({ job: await verbs.acceptJob(ctx, input) }),
      }),
    ],
    scheduledJobs: [
      ...sweepJobs(ports),
      {
        name: 'retry failed pages',
        where: 'worker',
        everyMs: minuteMs,
        run: (ctx) => retryFailedPages(ctx, notices),
      },
    ],
    personalData: { index: (ctx) => getPrivateIndex(ctx) },
  });
}

/** Returns the parts of the platform that runs use, and the build threads and browser reserved for them. */
function runPorts({ config, blobs, outbound, userAgent, sealingKeys, clock, failPoint, scope }: Platform) {
  const builds = createSegmentBuilds(config.blobs, { failPoint });
  scope.defer(() => builds.close());
  const renderer =
    config.chromium === undefined
      ? undefined
      : new PageRenderer({ executablePath: config.chromium, userAgent, outbound, clock });
  scope.defer(() => renderer?.close());
  return { blobs, outbound, userAgent, sealingKeys, builds, renderer };
}

/** Returns the jobs that delete replaced or removed segments and the spools of ended runs. */
export function sweepJobs(needs: Pick<RunDependencies, 'blobs' | 'shelf'>): ScheduledJob[] {
  return [
    {
      name: 'delete replaced segments',
      where: 'worker',
      everyMs: minuteMs,
      deletesFiles: true,
      run: (ctx) => sweepDroppedSegments(ctx, needs),
    },
    {
      name: 'delete spools of ended runs',
      where: 'worker',
      everyMs: 60 * minuteMs,
      deletesFiles: true,
      run: (ctx) => sweepEndedSpools(ctx, needs),
    },
  ];
}
