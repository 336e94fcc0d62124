import type { JobRun, LibraryModule } from '#contract/library.ts';
import type { PdfSet } from '#contract/pdf-sets.ts';
import { isStale } from '../../lib/stale-module.ts';
import type { Tone } from '../../ui/badge.tsx';
import { isRunning } from './job-state.ts';

/**
 * `failed`: the newest run failed; an earlier version, if any, is still served. `stopped`: cancelled before anything
 * was served. `lost`: its row is damaged, but its index still works. `pending`: indexing has not been started.
 */
export const sourceStates = ['waiting', 'running', 'ready', 'stale', 'failed', 'stopped', 'lost', 'pending'] as const;
export type SourceState = (typeof sourceStates)[number];

/** A row of the list: a source that is indexed, is being indexed for the first time, or could not be indexed. */
export interface ListedSource extends Pick<JobRun, 'moduleId' | 'displayName' | 'visibility' | 'kind' | 'url'> {
  state: SourceState;
  /** The served module; undefined before the first success. */
  module: LibraryModule | undefined;
  /** The newest listed run. */
  lastRun: JobRun | undefined;
}

/** Returns a source's unique key: module ids are unique only among public ones and among the workspace's own. */
export function sourceKey({ visibility, moduleId }: Pick<ListedSource, 'visibility' | 'moduleId'>): string {
  return `${visibility} ${moduleId}`;
}

/**
 * Returns all sources, from modules, runs, and PDF sets that are not indexed yet. `jobs` must be ordered newest first.
 */
export function listSources(modules: LibraryModule[], jobs: JobRun[], sets: PdfSet[], now: number): ListedSource[] {
  const lastRuns = new Map<string, JobRun>();
  for (const job of jobs) {
    if (!job.isModuleRemoved && !lastRuns.has(sourceKey(job))) lastRuns.set(sourceKey(job), job);
  }
  const listed = new Map<string, ListedSource>();
  for (const module of modules) {
    const lastRun = lastRuns.get(sourceKey(module));
    listed.set(sourceKey(module), { ...facesOf(module), module, lastRun, state: stateOf(module, lastRun, now) });
  }
  for (const [key, job] of lastRuns) {
    // A run that just succeeded: its module arrives with the next response.
    if (listed.has(key) || job.status === 'COMPLETE') continue;
    listed.set(key, { ...facesOf(job), module: undefined, lastRun: job, state: stateOf(undefined, job, now) });
  }
  for (const set of sets) {
    const key = sourceKey({ visibility: 'private', moduleId: set.moduleId });
    if (listed.has(key)) continue;
    const { moduleId, displayName } = set;
    const faces = { moduleId, displayName, visibility: 'private', kind: 'pdf', url: '' } as const;
    listed.set(key, { ...faces, module: undefined, lastRun: undefined, state: 'pending' });
  }
  return [...listed.values()];
}

function facesOf({ moduleId, displayName, visibility, kind, url }: LibraryModule | JobRun) {
  return { moduleId, displayName, visibility, kind, url };
}

function stateOf(module: LibraryModule | undefined, lastRun: JobRun | undefined, now: number): SourceState {
  if (lastRun && isRunning(lastRun)) return lastRun.status === 'QUEUED' ? 'waiting' : 'running';
  if (lastRun?.status === 'FAILED' && !lastRun.isCancelled) return 'failed';
  if (module === undefined) return 'stopped';
  if (module.isSourceLost) return 'lost';
  return isStale(module, now) ? 'stale' : 'ready';
}

/** Returns true if the user needs to act. */
export function needsAttention({ state }: ListedSource): boolean {
  return state === 'failed' || state === 'stale' || state === 'stopped' || state === 'lost';
}

/** Returns the label and colour of a source's state. */
export function sourceBadge({ state, module, lastRun }: ListedSource): { label: string; tone: Tone } {
  switch (state) {
    case 'waiting':
      return { label: lastRun?.isCancelled ? 'Cancelling…' : 'Queued', tone: 'quiet' };
    case 'running':
      if (lastRun?.isCancelled) return { label: 'Cancelling…', tone: 'quiet' };
      return { label: module ? 'Refreshing' : 'Indexing', tone: 'busy' };
    case 'ready':
      return { label: 'Ready', tone: 'good' };
    case 'stale':
      return { label: 'Stale', tone: 'warn' };
    case 'failed':
      return module ? { label: 'Refresh failed', tone: 'warn' } : { label: 'Failed', tone: 'bad' };
    case 'stopped':
      return { label: 'Cancelled', tone: 'quiet' };
    case 'lost':
      return { label: 'Address lost', tone: 'warn' };
    case 'pending':
      return { label: 'Not indexed', tone: 'quiet' };
  }
}

export const kindLabels: Record<ListedSource['kind'], string> = {
  site: 'Site',
  folder: 'Folder',
  git: 'Repository',
  pdf: 'PDF set',
};
