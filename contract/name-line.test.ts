import { expect, test } from 'vitest';
import { promotionCodeSchema } from './billing.ts';
import { repositoryRefSchema } from './hosting.ts';
import { startIndexJobInput } from './library.ts';
import { nameLine } from './name-line.ts';

test.each([
  ['Ann\u202egnp.exe', 'Anngnp.exe'],
  ['Ann\n\nBee\u2028Cee', 'Ann Bee Cee'],
  ['a\u200bd\u200dm\ufeffin', 'admin'],
  ['\u2066Ann\u2069 \u0000', 'Ann'],
  ['tag\u{e0061}\u{e0062}', 'tag'],
  ['  Ann  ', 'Ann'],
  ['\u3164\u2800 \u115f', ''],
  ['\u034f\u17b4\ufe0f\u{e0100}', ''],
  ['Ac\u034fme\ufe0f', 'Acme'],
  ['葛\u{e0100}\u{e0101}\u{e0101}', '葛\u{e0100}'],
  ['Ann\u3164Bee', 'Ann Bee'],
])('%j is shown as %j', (text, shown) => {
  expect(nameLine(text)).toBe(shown);
});

test.each([
  'Zoë Ångström',
  '李 小龙',
  'محمد علی\u200cپور',
  '👩\u200d💻 Ada',
  'O’Brien-Smith, Jr.',
  'a\u00a0b',
  '❤\ufe0f 1\ufe0f\u20e3',
  '葛\u{e0100}城',
])('%j stays unchanged', (text) => {
  expect(nameLine(text)).toBe(text);
});

test('a run of joiners as long as a request allows takes linear time', () => {
  // The time limit of the test is the bound: quadratic work on this takes minutes.
  const text = `\u0251${'\u200d'.repeat(330_000)}\u0251`;
  expect(nameLine(text)).toBe(text);
});

test.each(['a\u0000b', 'a\nb', 'a\ud800'])('%j is rejected as a folder, a tag and a promotion code', (text) => {
  const source = 'https://git.example/a.git';
  const accepts = (folder: string, name: string) => [
    startIndexJobInput.safeParse({ source, folder }).success,
    startIndexJobInput.safeParse({ source, ref: { kind: 'tag', name } }).success,
    repositoryRefSchema.safeParse({ kind: 'tag', name }).success,
    promotionCodeSchema.safeParse(name).success,
  ];
  expect(accepts(text, text)).toEqual([false, false, false, false]);
  expect(accepts('docs/ä b', 'v1.0')).toEqual([true, true, true, true]);
});
