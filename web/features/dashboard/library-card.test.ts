import { expect, test } from 'vitest';
import type { JobRun, LibraryModule } from '#contract/library.ts';
import { problemsOf } from './library-card.tsx';

const day = 24 * 3_600_000;
const now = 100 * day;

const module = (moduleId: string, part: Partial<LibraryModule> = {}) =>
  ({ moduleId, displayName: moduleId, visibility: 'public', kind: 'site', lastUpdated: now, ...part }) as LibraryModule;
const job = (moduleId: string, part: Partial<JobRun> = {}) =>
  ({
    moduleId,
    displayName: moduleId,
    visibility: 'public',
    status: 'FAILED',
    error: `no ${moduleId}`,
    ...part,
  }) as JobRun;

test('unsearchable sources come first, then failed refreshes, then outdated sources', () => {
  const modules = [module('old', { lastUpdated: now - 31 * day }), module('half'), module('well')];
  const jobs = [job('half'), job('gone'), job('well', { status: 'COMPLETE' }), job('well')];
  expect(problemsOf(modules, jobs, now).map(({ moduleId, isGrave, words }) => [moduleId, isGrave, words])).toEqual([
    ['gone', true, 'no gone'],
    ['half', false, 'no half'],
    ['old', false, 'Not refreshed for more than 30 days.'],
  ]);
});

test('cancelled runs, removed sources and old repositories are not problems', () => {
  const modules = [module('code', { kind: 'git', lastUpdated: 0 })];
  const jobs = [job('a', { isCancelled: true }), job('b', { isModuleRemoved: true })];
  expect(problemsOf(modules, jobs, now)).toEqual([]);
});

test('a private and a public source with the same id are two sources', () => {
  const modules = [module('docs')];
  expect(problemsOf(modules, [job('docs', { visibility: 'private' })], now)).toMatchObject([
    { visibility: 'private', isGrave: true },
  ]);
});
