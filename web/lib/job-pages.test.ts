import { expect, test } from 'vitest';
import { pagesOfJob } from './job-pages.ts';

test('skipped pages do not count as work, and the done pages never exceed the total', () => {
  const job = { found: 100_000, fetched: 80, unchanged: 4, skipped: 98_000, failed: 1 };
  expect(pagesOfJob(job)).toEqual({ done: 85, total: 2_000 });
  expect(pagesOfJob({ ...job, found: 10 })).toEqual({ done: 85, total: 85 });
});
