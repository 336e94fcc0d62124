import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { seal, unseal } from './sealing.ts';

test('a sealed value is not accepted after it was cut, even within its tag', () => {
  const keys = [randomBytes(32)] as const;
  const sealed = Buffer.from(seal(keys, 'row', ''), 'base64url');
  const lengths = Array.from({ length: sealed.length + 1 }, (_, length) => length);
  const accepted = lengths.filter(
    (length) => unseal(keys, 'row', sealed.subarray(0, length).toString('base64url')) !== undefined,
  );
  expect(accepted).toEqual([sealed.length]);
});
