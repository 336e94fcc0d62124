import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { lengthFault } from './question-fault.ts';

const longest = 'x'.repeat(limits.chatQuestionCharactersMax);

test('a question over the limit is told its length, the limit and what to do; space around it does not count', () => {
  expect(lengthFault(longest)).toBeUndefined();
  expect(lengthFault(`\n  ${longest}  \n`)).toBeUndefined();
  expect(lengthFault(`${longest}xyz`)).toBe('2,003 characters; the limit is 2,000. Shorten it.');
});
