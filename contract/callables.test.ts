import { expect, test } from 'vitest';
import { callableStatusOf } from './callables.ts';

const named: Record<number, string> = {
  400: 'invalid-argument',
  401: 'unauthenticated',
  403: 'permission-denied',
  404: 'not-found',
  409: 'aborted',
  429: 'resource-exhausted',
  499: 'cancelled',
  500: 'internal',
  501: 'unimplemented',
  503: 'unavailable',
  504: 'deadline-exceeded',
};

test('known HTTP statuses map to the names of callable errors, all others to "unknown"', () => {
  for (let status = 400; status < 600; status += 1) {
    expect([status, callableStatusOf(status)]).toEqual([status, named[status] ?? 'unknown']);
  }
});
