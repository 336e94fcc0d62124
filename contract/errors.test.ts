import { expect, test } from 'vitest';
import { type ErrorCode, errorTable, sentenceOf } from './errors.ts';

/** Those who read these run the installation. */
const forOperators: ErrorCode[] = ['sign-in-link-refused'];

test('an error that anyone may get sends no one to the command line alone', () => {
  const commands = (Object.keys(errorTable) as ErrorCode[]).filter((code) => sentenceOf(code).includes('"lectern '));
  const alone = commands.filter((code) => !sentenceOf(code).includes('Refresh it'));
  expect(alone).toEqual(forOperators);
});
