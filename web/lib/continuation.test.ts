import { describe, expect, test } from 'vitest';
import { destinationDefault, loginPathFor, safeContinuation, withContinuation } from './continuation.ts';

const origin = 'http://127.0.0.1:7331';

describe('safeContinuation', () => {
  test.each(['/', '/search', '/search?q=a%20b#top', '/resources?job=1', '/keys#new', '/a?next=/\\/evil.example'])(
    'keeps %s',
    (target) => expect(safeContinuation(target, origin)).toBe(target),
  );

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
    expect(safeContinuation(target, origin, '/subscribe')).toBe('/subscribe');
  });
});

test('the sign-in path keeps path, query and hash to return to', () => {
  const path = loginPathFor({ pathname: '/search', search: '?q=a&module=b', hash: '#hit' });
  expect(new URL(path, origin).searchParams.get('cont')).toBe('/search?q=a&module=b#hit');
});

test('links between sign-in screens keep the continuation', () => {
  expect(withContinuation('/signup', null)).toBe('/signup');
  expect(withContinuation('/signup', '/keys?a=b#new')).toBe('/signup?cont=%2Fkeys%3Fa%3Db%23new');
  expect(withContinuation('/signup?tier=basic', '/keys')).toBe('/signup?tier=basic&cont=%2Fkeys');
});
