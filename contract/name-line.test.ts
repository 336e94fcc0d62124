import { expect, test } from 'vitest';
import { nameLine } from './name-line.ts';

test.each([
  ['Ann\u202egnp.exe', 'Anngnp.exe'],
  ['Ann\n\nBee\u2028Cee', 'Ann Bee Cee'],
  ['a\u200bd\u200dm\ufeffin', 'admin'],
  ['\u2066Ann\u2069 \u0000', 'Ann'],
  ['tag\u{e0061}\u{e0062}', 'tag'],
  ['  Ann  ', 'Ann'],
  ['\u3164\u2800 \u115f', ''],
  ['Ann\u3164Bee', 'Ann Bee'],
])('%j is shown as %j', (text, shown) => {
  expect(nameLine(text)).toBe(shown);
});

test.each(['Zoë Ångström', '李 小龙', 'محمد علی\u200cپور', '👩\u200d💻 Ada', 'O’Brien-Smith, Jr.', 'a\u00a0b'])(
  '%j stays',
  (text) => {
    expect(nameLine(text)).toBe(text);
  },
);
