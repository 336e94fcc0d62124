import { expect, test } from 'vitest';
import { contentWords, stateOf } from './repository-list.tsx';

const job = (status: 'QUEUED' | 'INDEXING' | 'FAILED' | 'COMPLETE', isCancelled = false) => ({
  status,
  isCancelled,
  error: status === 'FAILED' && !isCancelled ? 'The branch is gone.' : null,
});
const module = { pageCount: 2 };

test('a pause takes precedence over a run and shows its reason', () => {
  const paused = { reason: 'adder-left', at: 0 } as const;
  expect(stateOf({ paused }, module, job('INDEXING'))).toEqual({
    label: 'Paused',
    tone: 'warn',
    reason: 'The person who added it has left the team.',
  });
});

test('a run shows its state, and a failed run shows what is still searchable', () => {
  const label = (...args: [Parameters<typeof stateOf>[1], Parameters<typeof stateOf>[2]]) =>
    stateOf({ paused: null }, ...args).label;
  expect(label(undefined, job('QUEUED'))).toBe('Queued');
  expect(label(undefined, job('INDEXING'))).toBe('Indexing');
  expect(label(module, job('INDEXING'))).toBe('Updating');
  expect(label(module, job('COMPLETE'))).toBe('Up to date');
  expect(label(module, undefined)).toBe('Up to date');
  expect(label(undefined, undefined)).toBe('Not indexed');
  expect(label(undefined, job('FAILED', true))).toBe('Cancelled');
  expect(stateOf({ paused: null }, module, job('FAILED'))).toMatchObject({
    label: 'Failed',
    reason: 'The branch is gone. Indexed pages are still searchable.',
  });
});

test('a partial file list is shown as more files', () => {
  const stats = { files: 1, documentationFiles: 1, sizeBytes: 0, defaultBranch: 'main', pushedAt: null, countedAt: 0 };
  expect(contentWords({ stats: { ...stats, isPartial: false } }, module)).toEqual([
    '2 pages',
    '1 file, 1 of documentation',
  ]);
  expect(contentWords({ stats: { ...stats, isPartial: true } }, undefined)).toEqual([
    'over 1 file, 1 of documentation',
  ]);
  expect(contentWords({ stats: null }, undefined)).toEqual([]);
});
