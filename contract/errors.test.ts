import { expect, test } from 'vitest';
import { type ErrorCode, errorTable, sentenceOf } from './errors.ts';

/** Errors that only operators of the installation see. */
const forOperators: ErrorCode[] = ['sign-in-link-refused'];

test('only errors for operators name a lectern command without an alternative', () => {
  const commands = (Object.keys(errorTable) as ErrorCode[]).filter((code) => sentenceOf(code).includes('"lectern '));
  const alone = commands.filter((code) => !sentenceOf(code).includes('Refresh it'));
  expect(alone).toEqual(forOperators);
});

test('error sentences use the singular after the number 1', () => {
  const said = (asked: number) => sentenceOf('seats-exceeded', { asked, paid: 0 });
  expect(said(1)).toBe('You assigned 1 seat, but the team pays for 0. Buy more seats first.');
  expect(said(21)).toContain('You assigned 21 seats,');
  expect(sentenceOf('too-busy', { seconds: 1 })).toMatch(/ 1 second\.$/);
  const odd = (Object.keys(errorTable) as ErrorCode[]).flatMap((code) => {
    const names = [...errorTable[code].sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 1]);
    return (
      sentenceOf(code, Object.fromEntries(names)).match(
        /\b1 ((?!is\b|has\b|less\b)\w+s|(?!byte)\w+ (have|are|were))\b/g,
      ) ?? []
    );
  });
  expect(odd).toEqual([]);
});
