import { expect, test } from 'vitest';
import { judge } from './quality-gate.ts';

const results = (answered: number, of: number, tokens = 300) =>
  Array.from({ length: of }, (_, at) =>
    at < answered ? { isAnswered: true, tokens: tokens + (at % 7) * 40 } : { isAnswered: false, tokens: 2_000 },
  );

test.each([
  ['the same answers', results(30, 30), results(30, 30), false],
  ['more answers', results(20, 30), results(28, 30), false],
  ['one answer less of thirty, which is chance', results(30, 30), results(29, 30), false],
  ['a third of the answers less', results(30, 30), results(20, 30), true],
  ['none at all any more', results(10, 10), results(0, 10), true],
  ['the same answers for three times the tokens', results(30, 30), results(30, 30, 900), true],
  ['the same answers for a little more', results(30, 30), results(30, 30, 310), false],
  ['nothing before and nothing now', results(0, 8), results(0, 8), false],
])('%s', (_, before, after, isLower) => {
  expect(judge(before, after).isLower).toBe(isLower);
});
