import { expect, test } from 'vitest';
import type { JobRun } from '#contract/library.ts';
import { again, isRunning, jobBadge, outcomeWords } from './job-state.ts';

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
  createdAt: 1,
  startTime: 1,
  endTime: null,
};

test('a cancelled run is not shown as a failure', () => {
  expect(jobBadge({ ...job, status: 'FAILED', isCancelled: true }).label).toBe('Cancelled');
  expect(jobBadge({ ...job, status: 'FAILED' })).toEqual({ label: 'Failed', tone: 'bad' });
});

test('a status of a newer server is shown as unknown and counts as running', () => {
  const newer = { ...job, status: 'RESTING' as JobRun['status'] };
  expect(jobBadge(newer).label).toBe('Unknown');
  expect(isRunning(newer)).toBe(true);
});

test('counts of nothing are left out', () => {
  expect(outcomeWords(job)).toEqual(['1 page', '2 skipped']);
});

test('running again keeps what the run was: name, visibility, limits and the places it began at', () => {
  const same = {
    source: 'https://docs.example/',
    moduleId: 'docs',
    displayName: 'Docs',
    visibility: 'private',
    maxPages: 300,
    depth: undefined,
    seeds: [],
  };
  expect(again(job)).toEqual(same);
  const seeds = ['https://docs.example/hidden'];
  expect(again({ ...job, limits: { maxPages: 7, depth: 0, seeds } })).toEqual({
    ...same,
    maxPages: 7,
    depth: 0,
    seeds,
  });
});
