import { describe, expect, test } from 'vitest';
import { destinationDefault, loginPathFor, safeContinuation } from './continuation.ts';

const origin = 'http://127.0.0.1:7331';

describe('safeContinuation', () => {
  test.each(['/search', '/search?q=a%20b#top', '/resources?job=1', '/keys#new'])('keeps %s', (target) => {
    expect(safeContinuation(target, origin)).toBe(target);
  });

  test.each([
    undefined,
    null,
    '',
    'search',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\nevil',
    '/\r\nSet-Cookie: a=b',
    '/\t/evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    ' /search',
    '/..//evil.example',
  ])('never leaves the site for %j', (target) => {
    expect(safeContinuation(target, origin)).toBe(destinationDefault);
  });
});

test('the way back holds path, query and hash', () => {
  const path = loginPathFor({ pathname: '/search', search: '?q=a&module=b', hash: '#hit' });
  expect(new URL(path, origin).searchParams.get('cont')).toBe('/search?q=a&module=b#hit');
});
