import { expect, test } from 'vitest';
import { judge } from './quality-gate.ts';

const results = (answered: number, of: number, tokens = 300, missedTokens = 2_000) =>
  Array.from({ length: of }, (_, at) =>
    at < answered ? { isAnswered: true, tokens: tokens + (at % 7) * 40 } : { isAnswered: false, tokens: missedTokens },
  );

test.each([
  ['the same answers', results(30, 30), results(30, 30), false],
  ['more answers', results(20, 30), results(28, 30), false],
  ['one answer less of thirty, which is chance', results(30, 30), results(29, 30), false],
  ['a third of the answers less', results(30, 30), results(20, 30), true],
  ['all but one of nine, where what is missed takes no more', results(9, 9), results(1, 9, 300, 420), true],
  ['two answers of nine, which is chance', results(9, 9), results(7, 9, 300, 420), false],
  ['none at all any more', results(10, 10), results(0, 10), true],
  ['the same answers for three times the tokens', results(30, 30), results(30, 30, 900), true],
  ['the same answers for a little more', results(30, 30), results(30, 30, 310), false],
  ['nothing before and nothing now', results(0, 8), results(0, 8), false],
])('%s', (_, before, after, isLower) => {
  expect(judge(before, after).isLower).toBe(isLower);
});
