import fc from 'fast-check';
import { countTokens as referenceCount } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countTokens } from './tokens.ts';

const asText = { disallowedSpecial: new Set<string>() };

describe('countTokens', () => {
  it('counts as the reference encoder does, on any text without very long runs', () => {
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

  it('tells with fewer steps whether a text has more tokens than enough', () => {
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

  it('takes special tokens for ordinary text', () => {
    expect(countTokens('<|endoftext|>')).toBe(referenceCount('<|endoftext|>', asText));
  });

  it('counts half a million characters without a break, whatever they are', { timeout: 5000 }, () => {
    for (const unit of ['中', 'a', 'A', '1', ' ', '\n', '!', '/\n', 'é', '\u0301', '🙂']) {
      expect(countTokens(unit.repeat(500_000))).toBeGreaterThan(1000);
      expect(countTokens(`${unit.repeat(500_000)}é`)).toBeGreaterThan(1000);
    }
  });
});
