import { type HostedRepository, pauseReasons } from '#contract/hosting.ts';
import type { JobRun, LibraryModule } from '#contract/library.ts';
import type { Tone } from '../../ui/badge.tsx';
import { countOf } from '../../ui/quantities.ts';

export interface RepositoryState {
  label: string;
  tone: Tone;
  /** The reason, if not obvious. */
  reason: string | undefined;
}

/** Returns a repository's state: problems that prevent updates take precedence over the last run's result. */
export function stateOf(
  { paused }: Pick<HostedRepository, 'paused'>,
  module: Pick<LibraryModule, 'pageCount'> | undefined,
  job: Pick<JobRun, 'status' | 'error' | 'isCancelled'> | undefined,
): RepositoryState {
  if (paused !== null) return { label: 'Paused', tone: 'warn', reason: pauseReasons[paused.reason] };
  if (job?.status === 'QUEUED') return { label: 'Queued', tone: 'quiet', reason: undefined };
  if (job?.status === 'CRAWLING' || job?.status === 'INDEXING') {
    return { label: module === undefined ? 'Indexing' : 'Updating', tone: 'busy', reason: undefined };
  }
  if (job?.status === 'FAILED') {
    const served = module === undefined ? '' : ' Indexed pages are still searchable.';
    return job.isCancelled
      ? { label: 'Cancelled', tone: 'quiet', reason: served.trim() || undefined }
      : { label: 'Failed', tone: 'bad', reason: `${job.error ?? 'The last run failed.'}${served}` };
  }
  return module === undefined
    ? { label: 'Not indexed', tone: 'quiet', reason: undefined }
    : { label: 'Up to date', tone: 'good', reason: undefined };
}

/** Returns a text about its content: the number of searchable pages, or else of files. */
export function contentWords(
  { stats }: Pick<HostedRepository, 'stats'>,
  module: Pick<LibraryModule, 'pageCount'> | undefined,
): string[] {
  const more = stats?.isPartial === true ? 'over ' : '';
  return [
    ...(module === undefined ? [] : [countOf(module.pageCount, 'page')]),
    ...(stats === null ? [] : [`${more}${countOf(stats.files, 'file')}, ${stats.documentationFiles} of documentation`]),
  ];
}
