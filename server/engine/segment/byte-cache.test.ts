import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createByteCache } from './byte-cache.ts';

const bytesOf = (size: number, value: number): Uint8Array => new Uint8Array(size).fill(value);

test('the cache returns what was stored under the same number and never exceeds its capacity', () => {
  const step = fc.record({ reader: fc.nat(2), piece: fc.nat(9), size: fc.nat(40), isPut: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const cache = createByteCache(100);
      const readers = [cache.pieces(), cache.pieces(), cache.pieces()] as const;
      const known = new Map<string, Uint8Array>();
      for (const { reader, piece, size, isPut } of steps) {
        const pieces = readers[reader as 0 | 1 | 2];
        const key = `${reader} ${piece}`;
        const before = pieces.get(piece);
        if (before !== undefined) expect(before).toBe(known.get(key));
        if (!isPut || before !== undefined) continue;
        const bytes = bytesOf(size, piece);
        pieces.put(piece, bytes);
        known.set(key, bytes);
        const kept = readers.flatMap((one) => Array.from({ length: 10 }, (_, at) => one.get(at)?.byteLength ?? 0));
        expect(kept.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(100);
      }
    }),
  );
});

test('the cache keeps entries that are read again and evicts entries read once', () => {
  const cache = createByteCache(30);
  const pieces = cache.pieces();
  pieces.put(0, bytesOf(10, 0));
  for (let piece = 1; piece < 20; piece += 1) {
    expect(pieces.get(0)).toBeDefined();
    pieces.put(piece, bytesOf(10, piece));
  }
  expect(pieces.get(0)).toBeDefined();
  expect(pieces.get(5)).toBeUndefined();
});

test('the cache does not store a piece larger than itself', () => {
  const pieces = createByteCache(30).pieces();
  pieces.put(0, bytesOf(10, 0));
  pieces.put(1, bytesOf(31, 1));
  expect(pieces.get(1)).toBeUndefined();
  expect(pieces.get(0)).toBeDefined();
});

test('the cache keeps bytes of a larger buffer without the rest of the buffer', () => {
  const pieces = createByteCache(100).pieces();
  pieces.put(0, new Uint8Array(1_000).fill(7, 200, 210).subarray(200, 210));
  pieces.put(1, Buffer.from(new Uint8Array(1_000).buffer, 0, 20));
  expect(pieces.get(0)).toEqual(bytesOf(10, 7));
  expect([0, 1].map((piece) => pieces.get(piece)?.buffer.byteLength)).toEqual([10, 20]);
});
