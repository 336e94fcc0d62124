import type { JobRun, LibraryModule } from '#contract/library.ts';
import type { PdfSet } from '#contract/pdf-sets.ts';
import { isStale } from '../../lib/stale-module.ts';
import type { Tone } from '../../ui/badge.tsx';
import { isRunning } from './job-state.ts';

/**
 * `failed`: the newest run failed; what was served before, if anything, still is. `stopped`: it was cancelled before
 * anything was served. `lost`: its row is damaged, and what it serves is not. `pending`: no one has started to index it.
 */
export const sourceStates = ['waiting', 'running', 'ready', 'stale', 'failed', 'stopped', 'lost', 'pending'] as const;
export type SourceState = (typeof sourceStates)[number];

/** One line of the list: something that is indexed, is being indexed for the first time, or could not be. */
export interface ListedSource extends Pick<JobRun, 'moduleId' | 'displayName' | 'visibility' | 'kind' | 'url'> {
  state: SourceState;
  /** What it serves; undefined before the first success. */
  module: LibraryModule | undefined;
  /** The newest of the runs that are still listed. */
  lastRun: JobRun | undefined;
}

/** A module's name is one among the public ones and one among those of the workspace. */
export function sourceKey({ visibility, moduleId }: Pick<ListedSource, 'visibility' | 'moduleId'>): string {
  return `${visibility} ${moduleId}`;
}

/** Every source there is, from what is served, what runs, and which sets of files wait. `jobs` are newest first. */
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
    // A run that has just succeeded: its module comes with the next answer.
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

/** Returns true if someone has to do something about it. */
export function needsAttention({ state }: ListedSource): boolean {
  return state === 'failed' || state === 'stale' || state === 'stopped' || state === 'lost';
}

/** The word for a source's state and how it is coloured. */
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
