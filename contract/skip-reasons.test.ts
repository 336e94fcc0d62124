import { expect, test } from 'vitest';
import { hasPassingFailures } from './skip-reasons.ts';

test.each([
  ['http-500', true],
  ['http-429', true],
  ['timeout', true],
  ['http-404', false],
  ['pdf-encrypted', false],
])('a page that failed with %s is worth a retry: %s', (reason, isWorth) => {
  expect(hasPassingFailures({ failed: 1, skipReasons: [{ reason: 'redirected' }, { reason }] })).toBe(isWorth);
});
