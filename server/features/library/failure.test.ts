import { expect, test } from 'vitest';
import { AppError } from '#server/app-error.ts';
import { BuildError } from '#server/ingest/build/build-error.ts';
import { BlobError } from '#server/platform/blobs/index.ts';
import { DatabaseError } from '#server/platform/db/database-error.ts';
import { failureOf } from './failure.ts';

test.each([
  new AppError('source-refused', { values: { reason: 'There is no folder /x.' } }),
  new BlobError('disk-full', 'The disk of the folder /data is full. Free some space and try again.'),
  new BlobError('not-writable', 'The folder /data cannot be written. Give this user write access to it.'),
  new DatabaseError('disk-full', 'The disk is full. Free some space.'),
])('a known fault is told in its own sentence: %s', (error) => {
  expect(failureOf(error)).toEqual({ code: error.code, sentence: error.message, isOurs: false });
});

test('a build that failed is told, and its cause goes to the log', () => {
  const error = new BuildError('build-failed', 'The index could not be built.', { cause: new Error('inner') });
  expect(failureOf(error)).toEqual({ code: 'build-failed', sentence: error.message, isOurs: true });
});

test('of a fault of ours people learn nothing but where to look', () => {
  for (const error of [new TypeError('x is undefined in /srv/app.ts'), 'text', undefined, null]) {
    const failure = failureOf(error);
    expect(failure).toMatchObject({ code: 'internal', isOurs: true });
    expect(failure.sentence).toBe(
      'The run failed on our side; the server log says why. Start it again to read everything anew.',
    );
  }
});
