import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PostingPool } from './posting-pool.ts';

test('lists that grow in parallel are read back as written', () => {
  const writes = fc.array(fc.tuple(fc.nat(5), fc.nat(255)), { maxLength: 6000, size: 'max' });
  fc.assert(
    fc.property(writes, (bytes) => {
      const pool = new PostingPool();
      const expected = Array.from({ length: 6 }, () => [] as number[]);
      for (const [list, byte] of bytes) {
        pool.byte(list, byte);
        expected[list]?.push(byte);
      }
      for (const [list, own] of expected.entries()) expect([...pool.read(list)]).toEqual(own);
    }),
    { numRuns: 30 },
  );
});

test('a list longer than a chunk is read back whole', () => {
  const pool = new PostingPool();
  for (let i = 0; i < 300_000; i += 1) pool.byte(i % 3 === 0 ? 1 : 0, i & 255);
  expect(pool.read(0).length).toBe(200_000);
  expect(pool.read(1)[99_999]).toBe((99_999 * 3) & 255);
});
