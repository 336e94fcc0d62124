import { expect, test } from 'vitest';
import { encodedAnchor, plainAnchor, textAnchor } from './anchor.ts';

test('a text anchor stays the same after any number of encodings and decodings', () => {
  for (const text of ['--prune', '-x, --exclude', 'a & b', '100%', 'größe', 'ends-']) {
    const anchor = textAnchor('options', text);
    expect(anchor).toMatch(/^options:~:text=[^-,&\s][^,&\s]*$/);
    expect(plainAnchor(anchor)).toBe(`options:~:text=${text}`);
    expect(encodedAnchor(plainAnchor(anchor))).toBe(anchor);
  }
});

test('other anchors keep their text', () => {
  expect(plainAnchor('a%20b')).toBe('a%20b');
  expect(encodedAnchor('a b#c')).toBe('a%20b%23c');
  expect(plainAnchor('of:~:text=%zz')).toBe('of:~:text=%zz');
});
