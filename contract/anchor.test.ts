import { expect, test } from 'vitest';
import { encodedAnchor, plainAnchor, textAnchor } from './anchor.ts';

test('an anchor that leads to a text is the same however often it is written and read', () => {
  for (const text of ['--prune', '-x, --exclude', 'a & b', '100%', 'größe', 'ends-']) {
    const anchor = textAnchor('options', text);
    expect(anchor).toMatch(/^options:~:text=[^-,&\s][^,&\s]*$/);
    expect(plainAnchor(anchor)).toBe(`options:~:text=${text}`);
    expect(encodedAnchor(plainAnchor(anchor))).toBe(anchor);
  }
});

test('other anchors keep what they say', () => {
  expect(plainAnchor('a%20b')).toBe('a%20b');
  expect(encodedAnchor('a b#c')).toBe('a%20b%23c');
  expect(plainAnchor('of:~:text=%zz')).toBe('of:~:text=%zz');
});
