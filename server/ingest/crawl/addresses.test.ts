import { describe, expect, test } from 'vitest';
import { isCredibleCanonical, normalizeAddress } from './page-address.ts';
import { htmlSiblingsOf, isPlainText, isUnreadable, looksBinary } from './page-kinds.ts';
import { defaultScope, isInScope, upgradeToScope } from './scope.ts';
import { TrapGuard } from './trap-guard.ts';

describe('normalized addresses', () => {
  test.each([
    ['HTTP://Example.COM:80/a/../b/./c#part', 'http://example.com/b/c'],
    ['https://example.com:443', 'https://example.com/'],
    ['https://example.com/a%7eb%2fc%c3%a9', 'https://example.com/a~b%2Fc%C3%A9'],
    ['https://example.com/é?q=ü', 'https://example.com/%C3%A9?q=%C3%BC'],
    ['https://example.com/?utm_source=x&a=1&fbclid=2', 'https://example.com/?a=1'],
    ['https://example.com/p;jsessionid=12AB?PHPSESSID=x&sid=9', 'https://example.com/p'],
    ['https://example.com/p?', 'https://example.com/p'],
    ['https://example.com/api/index.html?org/lib/Pool.html', 'https://example.com/api/index.html'],
    ['https://example.com/api/index.html?overview-summary.html', 'https://example.com/api/index.html'],
    ['https://example.com/index.html?v2', 'https://example.com/index.html?v2'],
    ['https://example.com/Index.html?b=2&a=1', 'https://example.com/Index.html?b=2&a=1'],
  ])('%s becomes %s', (href, address) => {
    expect(normalizeAddress(href)).toBe(address);
    expect(normalizeAddress(address)).toBe(address);
  });

  test.each([
    '',
    'mailto:a@b.c',
    'javascript:void(0)',
    'ftp://example.com/',
    'http://u:p@example.com/',
    'http://',
    `http://example.com/${'a'.repeat(2_000)}`,
  ])('%s is not an address', (href) => {
    expect(normalizeAddress(href)).toBeUndefined();
  });
});

describe('the scope', () => {
  test('is the directory of the start address, not other names with the same beginning', () => {
    const scope = defaultScope('https://example.com/docs/start.html?x=/y/');
    expect(scope).toEqual(['https://example.com/docs/']);
    expect(isInScope('https://example.com/docs/a/b', scope)).toBe(true);
    expect(isInScope('https://example.com/docs-old/a', scope)).toBe(false);
    expect(isInScope('https://example.com.evil.example/docs/', scope)).toBe(false);
  });

  test('includes plain http addresses of a site served over https', () => {
    expect(upgradeToScope('http://example.com/docs/a', ['https://example.com/docs/'])).toBe(
      'https://example.com/docs/a',
    );
    expect(upgradeToScope('http://other.example/docs/a', ['https://example.com/docs/'])).toBe(
      'http://other.example/docs/a',
    );
  });
});

describe('kinds of addresses', () => {
  test('images and archives are never fetched; names with dots are', () => {
    for (const name of ['logo.PNG', 'a.tar.gz', 'font.woff2', 'paper.pdf'])
      expect(isUnreadable(`https://x.y/${name}`), name).toBe(true);
    for (const name of ['', 'a', 'v1.2', 'node.js', 'system.text.json', 'a.html', '.png/'])
      expect(isUnreadable(`https://x.y/${name}`), name).toBe(false);
  });

  test('the HTML version of a text file is found under each usual name', () => {
    expect(isPlainText('https://x.y/a/b.rst')).toBe(true);
    expect(htmlSiblingsOf('https://x.y/a/b.md')).toEqual(
      expect.arrayContaining(['https://x.y/a/b', 'https://x.y/a/b/', 'https://x.y/a/b.html']),
    );
    expect(htmlSiblingsOf('https://x.y/a/index.html.md')).toContain('https://x.y/a/');
  });

  test('binary data is recognized by its bytes, UTF-16 text is not binary', () => {
    expect(looksBinary(Buffer.from('\x89PNG\r\n', 'latin1'), 'text/html')).toBe(true);
    expect(looksBinary(Buffer.from('%PDF-1.7'), 'text/html')).toBe(true);
    expect(looksBinary(Buffer.from('\ufeffhello', 'utf16le'), 'text/html')).toBe(false);
    expect(looksBinary(Buffer.from('hello', 'utf16le'), 'text/html; charset=utf-16le')).toBe(false);
  });
});

describe('canonical links', () => {
  test.each([
    ['/a?x=1', '/a', true],
    ['/a/index.html', '/a/', true],
    ['/a.html', '/a', true],
    ['/A', '/a/', true],
    ['/1.0/install', '/latest/install', true],
    ['/a', '/', false],
    ['/a/', '/b/', false],
    ['/', '/home', false],
    ['/index.php?id=3', '/index.php', false],
    ['/index.php?id=3&x=1', '/index.php?id=3', true],
  ])('from %s to %s: %s', (from, to, isCredible) => {
    expect(isCredibleCanonical(`https://x.y${from}`, `https://x.y${to}`)).toBe(isCredible);
  });
});

describe('crawler traps', () => {
  const countBefore = (make: (n: number) => string, tries = 1_000): number => {
    const guard = new TrapGuard();
    for (let n = 0; n < tries; n++) if (guard.refusalOf(`https://x.y${make(n)}`)) return n;
    return tries;
  };

  test('paths that grow or repeat are cut off', () => {
    expect(countBefore((n) => '/a'.repeat(n + 1))).toBe(3);
    expect(countBefore((n) => `/${Array.from({ length: n + 1 }, (_, i) => `d${i}`).join('/')}`)).toBe(20);
    expect(countBefore((n) => `/x/y${'/z/w'.repeat(n)}`)).toBeLessThan(5);
  });

  test('query variants of one path are limited; pages named by an id are not', () => {
    expect(countBefore((n) => `/list?sort=${n}&dir=${n % 2}`)).toBe(30);
    expect(countBefore((n) => `/list?page=${n}`)).toBe(200);
    expect(countBefore((n) => `/index.php?title=${n}`)).toBe(1_000);
  });

  test('calendars are cut off; versions and numbered pages are not', () => {
    expect(countBefore((n) => `/events/${2000 + (n % 100)}/${n}`)).toBe(200);
    expect(countBefore((n) => `/issues/${n}`)).toBe(1_000);
    expect(countBefore((n) => `/3.${n}/library/os.html`)).toBe(1_000);
  });
});
