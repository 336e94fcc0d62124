import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stem } from './stem.ts';

describe('the stem', () => {
  test.each([
    ['tasks', 'task'],
    ['running', 'run'],
    ['hopping', 'hop'],
    ['hoping', 'hope'],
    ['queries', 'queri'],
    ['query', 'queri'],
    ['classes', 'class'],
    ['caress', 'caress'],
    ['status', 'status'],
    ['agreed', 'agre'],
    ['connection', 'connect'],
    ['connecting', 'connect'],
    ['relational', 'relat'],
    ['generalization', 'general'],
    ['configuration', 'configur'],
    ['configured', 'configur'],
    ['nationality', 'nation'],
    ['happiness', 'happi'],
    ['adjustable', 'adjust'],
    ['deletion', 'delet'],
    ['delete', 'delet'],
    ['generate', 'generat'],
    ['general', 'general'],
    ['controlling', 'control'],
    ['dying', 'die'],
    ['indices', 'index'],
    ['by', 'by'],
  ])('of %s is %s', (word, expected) => {
    expect(stem(word)).toBe(expected);
  });

  test.each([
    ['written', 'write'],
    ['chosen', 'choose'],
    ['sent', 'send'],
    ['children', 'child'],
    ['hidden', 'hide'],
    ['frozen', 'freeze'],
    ['taken', 'take'],
    ['vertices', 'vertex'],
  ])('of the irregular %s equals that of %s', (irregular, regular) => {
    expect(stem(irregular)).toBe(stem(regular));
  });

  test('is never empty and at most one letter longer than the word', () => {
    const word = fc.array(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), { minLength: 1, maxLength: 14 });
    fc.assert(
      fc.property(word, (letters) => {
        const found = stem(letters.join(''));
        expect(found.length).toBeGreaterThan(0);
        expect(found.length).toBeLessThanOrEqual(letters.length + 1);
      }),
      { numRuns: 1000 },
    );
  });
});
