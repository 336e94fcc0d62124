import { expect, test } from 'vitest';
import { skipReasonText, skipReasonTexts } from '#contract/skip-reasons.ts';
import type { TrapReason } from '#server/ingest/crawl/trap-guard.ts';
import type { FolderSkipReason as FolderReason } from '#server/ingest/folder/walk-folder.ts';
import type { ParseErrorCode } from '#server/ingest/parse/parse-error.ts';
import type { OutboundErrorCode } from '#server/platform/outbound/index.ts';

/** All reason codes of the modules below; the type check fails here when a code is added there. */
const told: Record<FolderReason | TrapReason | ParseErrorCode | OutboundErrorCode, true> = {
  hidden: true,
  'ignored-folder': true,
  'built-from-sources': true,
  'symbolic-link': true,
  'special-file': true,
  'not-documentation': true,
  binary: true,
  'too-large': true,
  empty: true,
  unreadable: true,
  'pdf-limit': true,
  'path-too-deep': true,
  'repeated-segments': true,
  'too-many-variants': true,
  calendar: true,
  'parse-timeout': true,
  'parse-memory': true,
  'parse-failed': true,
  'unsupported-type': true,
  'parse-busy': true,
  'parse-closed': true,
  'bad-url': true,
  'address-refused': true,
  'name-not-found': true,
  unreachable: true,
  'tls-error': true,
  timeout: true,
  'too-many-redirects': true,
  'redirect-loop': true,
  'insecure-redirect': true,
  'bad-response': true,
  'decode-failed': true,
  aborted: true,
};

test('every skip reason and every failure has its text', () => {
  expect(Object.keys(told).filter((code) => !Object.hasOwn(skipReasonTexts, code))).toEqual([]);
});

test('a status is reported, and an unknown code is shown unchanged', () => {
  expect(skipReasonText('http-404')).toBe('Answered with status 404');
  expect(skipReasonText('robots')).toBe('robots.txt does not allow it');
  for (const odd of ['newer-code', 'toString', 'http-4040', '']) expect(skipReasonText(odd)).toBe(odd);
});
