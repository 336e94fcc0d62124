import { expect, test } from 'vitest';
import { quotedInMail } from './letter.ts';

/** Matches addresses in a text the way mail programs do. */
const linked = /https?:\/\/\S|www\.\S|[\w-]+\.[a-z]{2,}|\S+@\S+\.\S/i;

test.each([
  'https://evil.example/x',
  'www.evil.example',
  'evil.example',
  'me@evil.example',
  'HTTP://EVIL.EXAMPLE',
  'see evil．example',
  '//evil.example',
])('%j does not become a link in a mail', (text) => {
  expect(quotedInMail(text)).not.toMatch(linked);
  expect(quotedInMail(text).replaceAll('\u200a', '')).toBe(text);
});

test('user text stays on one line, in its order, and short', () => {
  expect(quotedInMail('Acme docs')).toBe('Acme docs');
  expect(quotedInMail(' a\r\nBcc: b\u2028c\u202ed\u0000 ').replaceAll('\u200a', '')).toBe('a Bcc: b c d');
  expect(quotedInMail('🐎'.repeat(200), 10)).toBe(`${'🐎'.repeat(9)}…`);
});
