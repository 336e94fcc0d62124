import { expect, test } from 'vitest';
import { AppError } from '#server/app-error.ts';
import { BlobError, type BlobErrorCode } from '#server/platform/blobs/blobs.ts';
import { DatabaseError, type DatabaseErrorCode } from '#server/platform/db/database-error.ts';
import { asKnownFault } from './known-fault.ts';

const rows = (code: DatabaseErrorCode) => new DatabaseError(code, 'what to do');
const files = (code: BlobErrorCode) => new BlobError(code, 'what to do');

test.each([
  rows('unreachable'),
  rows('read-only'),
  rows('wrong-credentials'),
  rows('no-right'),
  rows('busy'),
  rows('cannot-open'),
  files('unreachable'),
  files('refused'),
  files('not-writable'),
])('temporarily unavailable storage is not reported as a fault of the call: $name $code', (cause) => {
  const known = asKnownFault(new Error('a call failed', { cause }));
  expect(known).toBeInstanceOf(AppError);
  expect(known).toMatchObject({ code: 'storage-unreachable', retryAfterSeconds: 2, cause });
});

test.each([rows('corrupt'), rows('failed'), rows('unique-violation'), files('not-found'), files('invalid-key')])(
  'any other fault is passed on unchanged: $name $code',
  (fault) => {
    expect(asKnownFault(fault)).toBe(fault);
  },
);
