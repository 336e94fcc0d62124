import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeOfLength, lengthOfCode } from './length-code.ts';

describe('a length code', () => {
  test('is exact for short lengths', () => {
    for (let length = 0; length < 64; length += 1) expect(lengthOfCode[codeOfLength(length)]).toBe(length);
  });

  test('is at most seven percent too low for lengths up to four million', () => {
    fc.assert(
      fc.property(fc.integer({ min: 64, max: 3_900_000 }), (length) => {
        const kept = lengthOfCode[codeOfLength(length)] as number;
        expect(kept).toBeLessThanOrEqual(length);
        expect(kept).toBeGreaterThan(length * 0.93 - 1);
      }),
    );
  });

  test('fits into a byte for any length', () => {
    expect(codeOfLength(4_000_000_000)).toBe(255);
  });
});
