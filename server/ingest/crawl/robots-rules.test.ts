import { describe, expect, test } from 'vitest';
import { readSharedCases } from '#test/services/loopback-server.ts';
import { parseRobots } from './robots-rules.ts';

interface RobotsCase {
  id: string;
  userAgent: string;
  url: string;
  allowed: boolean;
  class: string;
  robots?: string;
  robotsBase64?: string;
}

const cases = readSharedCases<RobotsCase>('robots');

/** Returns path and query exactly as written: the list has addresses that no parser has normalized. */
function pathOf(url: string): string {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*$/, '');
  return path.startsWith('/') ? path : `/${path}`;
}

function isRight(one: RobotsCase): boolean {
  const text = one.robots ?? Buffer.from(one.robotsBase64 ?? '', 'base64').toString('utf8');
  return parseRobots(text, one.userAgent).isAllowed(pathOf(one.url)) === one.allowed;
}

describe.skipIf(!cases)('the shared list of cases', () => {
  test('passes every case of the standard', () => {
    const wrong = (cases ?? []).filter((one) => /^(ext-)?rfc9309$/.test(one.class) && !isRight(one));
    expect(wrong).toEqual([]);
  });

  test('passes at least 80 % of the largest crawler’s lenient cases', () => {
    const tolerant = (cases ?? []).filter((one) => one.class.endsWith('google-only'));
    expect(tolerant.filter(isRight).length / tolerant.length).toBeGreaterThanOrEqual(0.8);
  });
});

test('crawl-delay belongs to its group and does not end the list of agents', () => {
  const text = 'User-agent: a\nCrawl-delay: 7\nUser-agent: me\nDisallow: /x\n\nUser-agent: *\nCrawl-delay: 3';
  expect(parseRobots(text, 'me').crawlDelaySeconds).toBeUndefined();
  expect(parseRobots(text, 'other').crawlDelaySeconds).toBe(3);
  expect(parseRobots(text, 'a').isAllowed('/x')).toBe(false);
});

test('sitemaps count wherever they appear', () => {
  const text = 'Sitemap: https://x/1.xml\nUser-agent: *\nDisallow:\nsitemap: /2.xml';
  expect(parseRobots(text, 'me').sitemaps).toEqual(['https://x/1.xml', '/2.xml']);
});

test('among patterns of equal length an allow rule wins, and a final dollar sign anchors the path', () => {
  const rules = parseRobots('User-agent: *\nDisallow: /a*c\nAllow: /ab*\nAllow: /$\nDisallow: /x$\nDisallow: /', 'me');
  expect(['/abc', '/adc', '/', '/x', '/x$', '/b'].map((path) => rules.isAllowed(path))).toEqual([
    ...[true, false, true, false, false, false],
  ]);
});

test.each([
  ['plain', (at: number) => `/${at}`, 20_000],
  // The addresses are too long for that many patterns.
  ['with stars', (at: number) => `/*q*${at}z`, 0],
])('a file full of %s rules can be applied to every link of a large page', (_, pattern, count) => {
  const lines = Array.from({ length: 40_000 }, (_, at) => `Disallow: ${pattern(at)}`);
  const rules = parseRobots(['User-agent: *', ...lines].join('\n').slice(0, 512_000), 'me');
  const addresses = Array.from({ length: 20_000 }, (_, at) => `/docs/${'q'.repeat(500)}/${at}`);
  expect(addresses.filter((address) => rules.isAllowed(address))).toHaveLength(count);
});

test('a pattern of many stars is matched quickly', () => {
  const rules = parseRobots(`User-agent: *\nDisallow: /${'*a'.repeat(2_000)}$`, 'me');
  expect(rules.isAllowed(`/${'a'.repeat(1_999)}b`)).toBe(true);
});
