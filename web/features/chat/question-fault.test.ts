import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { lengthFault } from './question-fault.ts';

const longest = 'x'.repeat(limits.chatQuestionCharactersMax);

test('the error for a long question shows its trimmed length, the limit and what to do', () => {
  expect(lengthFault(longest)).toBeUndefined();
  expect(lengthFault(`\n  ${longest}  \n`)).toBeUndefined();
  expect(lengthFault(`${longest}xyz`)).toBe('2,003 characters; the limit is 2,000. Shorten it.');
});
