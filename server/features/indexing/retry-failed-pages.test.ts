import { expect, test } from 'vitest';
import type { JobStatus, SourceKind } from '#server/platform/db/schema.ts';
import { retryTimeOf } from './start-again.ts';

interface Run {
  kind?: SourceKind;
  status?: JobStatus;
  errorCode?: string;
  reason?: string;
  isRetry?: boolean;
  retries?: number;
}

test.each<[string, Run, number | null]>([
  ['a first run with pages that answered 500', {}, 10],
  ['its third retry, which they outlasted', { isRetry: true, retries: 3 }, 270],
  ['its fifth retry', { isRetry: true, retries: 5 }, null],
  ['a run with pages that are gone', { reason: 'http-404' }, null],
  ['a folder', { kind: 'folder' }, null],
  ['a crawl that its host broke off', { status: 'FAILED', errorCode: 'host-failing' }, 10],
  ['a first run that reached no one', { status: 'FAILED', errorCode: 'host-unreachable' }, null],
  ['a retry that reached no one', { status: 'FAILED', errorCode: 'host-unreachable', isRetry: true, retries: 1 }, 30],
  ['a cancelled retry', { status: 'FAILED', errorCode: 'cancelled', isRetry: true, retries: 1 }, null],
])('the time until pages that %s could not read are retried, in minutes: %o, %o', (_, run, minutes) => {
  const { kind = 'site', status = 'COMPLETE', errorCode = null, reason = 'http-500', isRetry, retries } = run;
  const settings = JSON.stringify({ isRetry, retries });
  const skipReasons = JSON.stringify([{ reason, count: 1, examples: [] }]);
  const at = retryTimeOf({ ...{ kind, status, errorCode, settings, skipReasons }, failed: 1 }, 1_000);
  expect(at).toBe(minutes === null ? null : 1_000 + minutes * 60_000);
});
