import type { JobRun, LibraryModule } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { isStale } from '../../lib/stale-module.ts';

/** A source that needs attention. */
export interface Problem extends Pick<LibraryModule, 'moduleId' | 'visibility' | 'displayName'> {
  words: string;
  /** True if none of its pages is searchable. */
  isGrave: boolean;
}

/** Returns the sources whose newest run failed, and those that are stale. `jobs` must be ordered newest first. */
export function problemsOf(modules: LibraryModule[], jobs: JobRun[], now: number): Problem[] {
  const keyOf = ({ visibility, moduleId }: LibraryModule | JobRun) => `${visibility} ${moduleId}`;
  const served = new Map(modules.map((module) => [keyOf(module), module]));
  const newest = new Map<string, JobRun>();
  for (const job of jobs) if (!job.isModuleRemoved && !newest.has(keyOf(job))) newest.set(keyOf(job), job);
  const failed = [...newest.values()].filter(({ status, isCancelled }) => status === 'FAILED' && !isCancelled);
  const failures = failed.map(
    (job): Problem => ({
      ...facesOf(served.get(keyOf(job)) ?? job),
      words: job.error ?? 'The last run failed.',
      isGrave: !served.has(keyOf(job)),
    }),
  );
  const stale = modules.filter((module) => isStale(module, now) && newest.get(keyOf(module))?.status !== 'FAILED');
  return [
    ...failures.filter(({ isGrave }) => isGrave),
    ...failures.filter(({ isGrave }) => !isGrave),
    ...stale.map(
      (module): Problem => ({
        ...facesOf(module),
        words: `Not refreshed for more than ${limits.sourceStaleDays} days.`,
        isGrave: false,
      }),
    ),
  ];
}

function facesOf({ moduleId, visibility, displayName }: LibraryModule | JobRun) {
  return { moduleId, visibility, displayName };
}
