import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cleanLabel, cleanText } from './clean-text.ts';

const shared = process.env['LECTERN_SHARED'] ?? '../shared';
const attacksFile = join(shared, 'security/prompt-injection.jsonl');

describe('cleanText', () => {
  test('removes whole terminal sequences, not only their first character', () => {
    expect(cleanText('a\u001b[2J\u001b[1;1Hb\u001b]52;c;Y2E=\u0007c\u001b]8;;https://x\u001b\\d\u009b31me')).toBe(
      'abcde',
    );
  });

  test('keeps tabs and line feeds, converts other line ends to line feeds, drops other controls', () => {
    expect(cleanText('a\tb\r\nc\rd\u0000\u0008\u007f\u0085e\u2028f')).toBe('a\tb\nc\nde\nf');
  });

  test('removes characters that reorder or hide text', () => {
    expect(cleanText('is\u202eAdmin\u2066 \u200bno\u2060 \u{e0041}tag\u00ad')).toBe('isAdmin no tag');
  });

  test('keeps joiners where scripts and emoji need them and drops them between Latin letters', () => {
    expect(cleanText('👩\u200d💻 می\u200cخواهم ad\u200dmin')).toBe('👩\u200d💻 می\u200cخواهم admin');
  });

  test('keeps one variation selector of a sequence', () => {
    expect(cleanText('❤\ufe0f x\ufe0f\ufe01\u{e0101}')).toBe('❤\ufe0f x\ufe0f');
  });

  test('escapes a line that looks like our own, at any indentation', () => {
    expect(cleanText('a\n§ https://evil.example\n  §x\nb § c')).toBe('a\n\\§ https://evil.example\n  \\§x\nb § c');
  });

  test('leaves homoglyphs and ordinary text unchanged', () => {
    const text = '`npm i еxpress`\n```js\nif (a) { b(); }\n```\n日本語 ελληνικά';
    expect(cleanText(text)).toBe(text);
  });
});

test('a forged line is found in time proportional to the length of the text', () => {
  const lines = '\n'.repeat(500_000);
  expect(cleanText(`${lines}x\n \t§ said`)).toBe(`${lines}x\n \t\\§ said`);
});

test('a label is limited to one line and a maximum length', () => {
  expect(cleanLabel('a\n§ b\u202e  c\t')).toBe('a § b c');
  expect([...cleanLabel('😀'.repeat(200), 11)].length).toBeLessThanOrEqual(11);
  expect(cleanLabel('😀'.repeat(200), 11).isWellFormed()).toBe(true);
});

describe.skipIf(!existsSync(attacksFile))('recorded attacks', () => {
  const cases = existsSync(attacksFile)
    ? readFileSync(attacksFile, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: string; contentType?: string; content: string; assert: string[] })
    : [];

  test.each(
    cases.filter((attack) => attack.assert.some((rule) => /boundary|no-char|no-run|bidi|homoglyph/.test(rule))),
  )('$id leaves no control, hidden text direction or forged line', ({ content }) => {
    const text = cleanText(content);
    expect(text).not.toMatch(/(?![\t\n])\p{Cc}/u);
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u);
    expect(text).not.toMatch(/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2}/u);
    expect(text).not.toMatch(/^\s*§/mu);
    if (content.includes('VISIBLE-CANARY')) expect(text).toContain('VISIBLE-CANARY');
    if (content.includes('еxpress')) expect(text).toContain('еxpress');
  });
});
