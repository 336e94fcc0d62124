import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseLlmsTxt, parseSitemap } from './list-file.ts';
import { parseRobotsTag } from './robots-rules.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('sitemaps', () => {
  test('are read as pages, indexes, with prefixes, CDATA and as plain lists', () => {
    const xml =
      '<?xml version="1.0"?><sm:urlset xmlns:sm="s"><sm:url><sm:loc> https://x.y/a&amp;b </sm:loc><image><loc>https://x.y/i</loc></image></sm:url><sm:url><sm:loc><![CDATA[https://x.y/c]]></sm:loc></sm:url></sm:urlset>';
    expect(parseSitemap(bytes(xml))).toEqual({ pages: ['https://x.y/a&b', 'https://x.y/c'], sitemaps: [] });
    expect(
      parseSitemap(gzipSync('<sitemapindex><sitemap><loc>https://x.y/1.xml</loc></sitemap></sitemapindex>')).sitemaps,
    ).toEqual(['https://x.y/1.xml']);
    expect(parseSitemap(bytes('\ufeffhttps://x.y/a\r\nnonsense\nhttps://x.y/b\n')).pages).toEqual([
      'https://x.y/a',
      'https://x.y/b',
    ]);
  });

  test('are read as far as possible if broken', () => {
    const xml =
      '<urlset><url><loc>https://x.y/?a=1&b=2</loc></url><url><loc>https://x.y/b</loc></url></oops><url><loc>https://x.y/c</loc>';
    expect(parseSitemap(bytes(xml)).pages).toEqual(expect.arrayContaining(['https://x.y/?a=1&b=2', 'https://x.y/b']));
  });

  test.each([
    ['elements in elements', '<a>'.repeat(40_000)],
    ['faults', '<x!>'.repeat(40_000)],
  ])('with too many %s are not read to the end', (_, text) => {
    const page = (name: string) => `<urlset><url><loc>https://x.y/${name}</loc></url></urlset>`;
    expect(parseSitemap(bytes(`${page('first')}${text}${page('last')}`)).pages).toEqual(['https://x.y/first']);
  });

  test('are read in chunks with the same result as at once', () => {
    const addresses = Array.from({ length: 9_000 }, (_, at) => `https://x.y/${'ä€😀'.repeat(at % 7)}${at}?a=1&b=2`);
    const xml = `<urlset>${addresses.map((address) => `<url><loc>${address}</loc></url>`).join('')}</urlset>`;
    expect(parseSitemap(bytes(xml)).pages).toEqual(addresses);
  });

  test('resolve no external entities and do not expand nested ones', () => {
    const bomb = Array.from({ length: 9 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('');
    const xml = `<!DOCTYPE u [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY e0 "lol">${bomb}]><urlset><url><loc>&x;</loc></url><url><loc>&e9;</loc></url></urlset>`;
    expect(JSON.stringify(parseSitemap(bytes(xml))).length).toBeLessThan(200);
  });

  test('that are compressed bombs are refused, and at most 50,000 addresses are taken', () => {
    expect(() => parseSitemap(gzipSync(Buffer.alloc(80_000_000, ' ')))).toThrow();
    const many = `<urlset>${Array.from({ length: 60_000 }, (_, i) => `<url><loc>https://x.y/${i}</loc></url>`).join('')}</urlset>`;
    expect(parseSitemap(bytes(many)).pages.length).toBe(50_000);
  });
});

test('links of llms.txt are read in every form, resolved, each once', () => {
  const text =
    '# X\n> about\n- [A](a.md): note (with https://x.y/plain.)\n- [B](</b c.md>)\n- <https://x.y/auto>\n- [C](https://x.y/c_(d).md)\n- [A again](a.md)';
  expect(parseLlmsTxt(text, 'https://x.y/docs/llms.txt')).toEqual([
    'https://x.y/docs/a.md',
    'https://x.y/plain',
    'https://x.y/b%20c.md',
    'https://x.y/auto',
    'https://x.y/c_(d).md',
  ]);
});

describe('X-Robots-Tag', () => {
  test.each([
    [undefined, false, false],
    ['noindex', true, false],
    ['all, NOFOLLOW', false, true],
    ['none', true, true],
    ['otherbot: noindex, nofollow', false, false],
    ['otherbot: noindex, lectern: nofollow', false, true],
    ['unavailable_after: 25 Jun 2030 15:00:00 PST, noindex', true, false],
    ['max-snippet:5, noindex', true, false],
  ])('%s', (header, isNoindex, isNofollow) => {
    expect(parseRobotsTag(header, 'Lectern')).toEqual({ isNoindex, isNofollow });
  });
});
