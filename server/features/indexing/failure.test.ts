import { expect, test } from 'vitest';
import { AppError } from '#server/app-error.ts';
import { tellsOfServer } from '#server/features/catalog/policy.ts';
import { BuildError } from '#server/ingest/build/build-task.ts';
import { BlobError } from '#server/platform/blobs/index.ts';
import { DatabaseError } from '#server/platform/db/database-error.ts';
import { failureOf, sentenceForOthers } from './failure.ts';

test.each([
  new AppError('source-refused', { values: { reason: 'There is no folder /x.' } }),
  new BlobError('disk-full', 'The disk of the folder /data is full. Free some space and try again.'),
  new BlobError('not-writable', 'The folder /data cannot be written. Give this user write access to it.'),
  new DatabaseError('disk-full', 'The disk is full. Free some space.'),
])('a known failure has its own message: %s', (error) => {
  expect(failureOf(error)).toMatchObject({ sentence: error.message, isOurs: false });
});

test('the location of the server’s storage is shown only to its operator', () => {
  const place = '/home/mallory/data';
  const told = (error: unknown) => {
    const { code: errorCode, sentence } = failureOf(error);
    return { isOfServer: tellsOfServer({ errorCode }), sentence: sentenceForOthers({ errorCode, error: sentence }) };
  };
  for (const error of [
    new BlobError('not-writable', `The folder ${place} cannot be written. Give this user write access to it.`),
    new DatabaseError('disk-full', `There is no space left for the database ${place}/data.sqlite.`),
  ]) {
    expect(told(error)).toEqual({ isOfServer: true, sentence: expect.stringMatching(/^The server could not store/) });
  }
  const refused = new AppError('source-refused', { values: { reason: 'The site was not found.' } });
  expect(told(refused)).toEqual({ isOfServer: false, sentence: refused.message });
  expect(tellsOfServer({ errorCode: null })).toBe(false);
});

test('a failed build is reported as a fault of the program with its own message', () => {
  const error = new BuildError('build-failed', 'The index could not be built.', { cause: new Error('inner') });
  expect(failureOf(error)).toEqual({ code: 'build-failed', sentence: error.message, isOurs: true });
});

test('the message for an internal fault only refers to the server log', () => {
  for (const error of [new TypeError('x is undefined in /srv/app.ts'), 'text', undefined, null]) {
    const failure = failureOf(error);
    expect(failure).toMatchObject({ code: 'internal', isOurs: true });
    expect(failure.sentence).toBe(
      'The run failed on our side; the server log says why. Start it again to read all pages again.',
    );
  }
});

test('users who are not operators see whom to ask to allow an address, not the setting', () => {
  const told = sentenceForOthers({
    errorCode: 'address-refused',
    error:
      'wiki.example resolves to 10.0.0.1, which is not a public address (private), so it is not contacted. If this is your own server, add wiki.example:80 to LECTERN_ALLOW_HOSTS and start again.',
  });
  expect(told).toBe(
    'wiki.example is not a public address (private), so it is not contacted. Ask the operator of this installation to allow it.',
  );
});
