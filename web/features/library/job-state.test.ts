import { expect, test } from 'vitest';
import type { JobRun } from '#contract/library.ts';
import { isRunning, jobBadge, mostWantedFirst, outcomeWords } from './job-state.ts';

const job: JobRun = {
  id: 'j1',
  executionId: 'j1:1',
  uid: 'anna',
  teamId: null,
  startedByUserId: 'anna',
  stackName: 'default',
  docsCount: 1,
  moduleId: 'docs',
  displayName: 'Docs',
  url: 'https://docs.example/',
  kind: 'site',
  limits: { maxPages: 300, depth: null, seeds: [] },
  visibility: 'private',
  status: 'CRAWLING',
  isCancelled: false,
  isModuleRemoved: false,
  found: 12,
  fetched: 1,
  unchanged: 0,
  skipped: 2,
  failed: 0,
  snippets: 0,
  contentBytes: 0,
  pagesPerSecond: 0,
  secondsLeft: null,
  skipReasons: [],
  error: null,
  quality: null,
  isHeld: false,
  isRetry: false,
  retryAt: null,
  createdAt: 1,
  startTime: 1,
  endTime: null,
};

test('a cancelled run is not shown as a failure', () => {
  expect(jobBadge({ ...job, status: 'FAILED', isCancelled: true }).label).toBe('Cancelled');
  expect(jobBadge({ ...job, status: 'FAILED' })).toEqual({ label: 'Failed', tone: 'bad' });
});

test('an unknown status of a newer server is shown as unknown and counts as running', () => {
  const newer = { ...job, status: 'RESTING' as JobRun['status'] };
  expect(jobBadge(newer).label).toBe('Unknown');
  expect(isRunning(newer)).toBe(true);
});

test('running and failed runs come before waiting runs', () => {
  const states = ['QUEUED', 'COMPLETE', 'QUEUED', 'FAILED', 'CRAWLING'] as const;
  const jobs = states.map((status, place) => ({ ...job, status, id: `${place}`, createdAt: 9 - place }));
  expect(mostWantedFirst(jobs).map(({ id }) => id)).toEqual(['4', '3', '2', '0', '1']);
});

test('counts of zero are left out', () => {
  expect(outcomeWords(job)).toEqual(['1 page', '2 skipped']);
  expect(outcomeWords({ ...job, unchanged: 3 })).toEqual(['1 page', '3 unchanged', '2 skipped']);
  expect(outcomeWords({ ...job, fetched: 0, unchanged: 1 })).toEqual(['1 page unchanged', '2 skipped']);
});
