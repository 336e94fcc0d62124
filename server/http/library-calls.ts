import { libraryEndpoints } from '#contract/library.ts';
import {
  cancelJob,
  getJob,
  getJobLog,
  getPrivateIndex,
  type LibraryNotices,
  listJobs,
  listModules,
  recogniseSource,
  refreshModule,
  removeModule,
  retryJob,
  startIndexJob,
} from '#server/features/library/index.ts';
import { type Call, call } from './call-table.ts';

export interface LibraryCallDependencies {
  notices: LibraryNotices;
  /** Private addresses that may be read all the same, as host:port. */
  allowHosts: readonly string[];
}

/** Modules, and the runs that make them. */
export function libraryCalls({ notices, allowHosts }: LibraryCallDependencies): Call[] {
  return [
    call(libraryEndpoints.listModules, async (ctx) => ({ modules: await listModules(ctx) })),
    call(libraryEndpoints.getPrivateIndex, async (ctx) => ({ index: await getPrivateIndex(ctx) })),
    call(libraryEndpoints.recogniseSource, async (ctx, input) => ({ source: await recogniseSource(ctx, input) })),
    call(libraryEndpoints.removeModule, async (ctx, input) => {
      await removeModule(ctx, input, notices);
      return { moduleId: input.moduleId };
    }),
    call(libraryEndpoints.refreshModule, async (ctx, input) => ({ job: await refreshModule(ctx, input, notices) })),
    call(libraryEndpoints.startIndexJob, async (ctx, input) => ({
      job: await startIndexJob(ctx, input, notices, allowHosts),
    })),
    call(libraryEndpoints.listJobs, async (ctx, input) => ({ jobs: await listJobs(ctx, input) })),
    call(libraryEndpoints.getJob, async (ctx, input) => ({ job: await getJob(ctx, input) })),
    call(libraryEndpoints.getJobLog, (ctx, input) => getJobLog(ctx, input)),
    call(libraryEndpoints.cancelJob, async (ctx, input) => ({ job: await cancelJob(ctx, input, notices) })),
    call(libraryEndpoints.retryJob, async (ctx, input) => ({ job: await retryJob(ctx, input, notices) })),
  ];
}
