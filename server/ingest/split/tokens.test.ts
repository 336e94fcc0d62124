import fc from 'fast-check';
import { countTokens as referenceCount } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countTokens, countTokensAround } from './tokens.ts';

const asText = { disallowedSpecial: new Set<string>() };

describe('countTokens', () => {
  it('matches the reference encoder on any text without very long sequences', () => {
    const pieces = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom(
        "I'll",
        "it'S",
        '  \n',
        '\r\n\r\n',
        '\t',
        ' ',
        '/',
        '.\n\n/',
        'É',
        'naïve',
        '中文',
        '🙂',
        '1234',
        '\u00a0',
        '—',
      ),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        expect(countTokens(text)).toBe(referenceCount(text, asText));
      }),
      { numRuns: 3000 },
    );
  });

  it('matches the reference encoder for non-ASCII symbols next to any other character', () => {
    const signs = ['§', '…', '’', '“', '”', '–', '•', '→', '─', '°', '«', '\u00ad'];
    const others = ['ª', '²', 'µ', 'é', '\u0301', '\u2028', '\u202f', '\u200b', '中', '🙂'];
    const plain = ['a', 'Word', "'s", 's', '12', ' ', '\n', '\r\n', '/', '.', '\t', '\0'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs, ...others, ...plain), { maxLength: 16 }), (parts) => {
        const text = parts.join('');
        expect(countTokens(text)).toBe(referenceCount(text, asText));
      }),
      { numRuns: 3000 },
    );
  });

  it('stops early once a text has more tokens than a given limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.nat(60), (text, enough) => {
        const all = countTokens(text);
        const counted = countTokens(text, enough);
        if (all <= enough) expect(counted).toBe(all);
        else expect(counted).toBeGreaterThan(enough);
        expect(counted).toBeLessThanOrEqual(all);
      }),
    );
    expect(countTokens('word '.repeat(1_000), 10)).toBeLessThan(20);
  });

  it('treats special tokens as ordinary text', () => {
    expect(countTokens('<|endoftext|>')).toBe(referenceCount('<|endoftext|>', asText));
  });

  it('counts half a million characters without a break, whatever they are', { timeout: 5000 }, () => {
    for (const unit of ['中', 'a', 'A', '1', ' ', '\n', '!', '/\n', 'é', '\u0301', '🙂']) {
      expect(countTokens(unit.repeat(500_000))).toBeGreaterThan(1000);
      expect(countTokens(`${unit.repeat(500_000)}é`)).toBeGreaterThan(1000);
    }
  });
});

describe('countTokensAround', () => {
  const piece = fc.constantFrom(
    ...[
      'word',
      'Two words.',
      'it',
      '…',
      '(',
      ').',
      '/',
      '/x',
      '\n',
      '\n\n',
      ' ',
      '\t',
      '\u00a0',
      '\u2028',
      '§',
      '# Head',
    ],
    ...['`code`', '```', '中文', '🙂', '\u0301', '1234', "'s", '\r\n', 'a/', '//', '—'],
  );
  const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''));

  it('matches counting the whole text', () => {
    const block = fc.record({ head: text, body: text, end: fc.constantFrom('\n\n', '\n\n', '\n\n', '\n', ' ', '') });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), text, (blocks, tail) => {
        const whole = blocks.map(({ head, body, end }) => `${head}\n${body}${end}`).join('') + tail;
        const counted = blocks.map(({ body }) => ({ text: body, tokens: countTokens(body) }));
        expect(countTokensAround(whole, counted)).toBe(countTokens(whole));
      }),
      { numRuns: 5000 },
    );
  });

  it('uses the given counts of the parts', () => {
    expect(countTokensAround('§ address\nSome text.\n\n§ other\nMore …', [{ text: 'Some text.', tokens: 100 }])).toBe(
      countTokens('§ address\nSome text.\n\n§ other\nMore …') - countTokens('Some text.') + 100,
    );
  });
});
